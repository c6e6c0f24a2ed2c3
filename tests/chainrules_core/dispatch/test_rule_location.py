# ruff: noqa: D103 - stand-ins have nothing to document
"""Where a rule stands."""

import functools
import inspect
import sys

from chainrules_core.dispatch.rule_location import describe_place, made_at, place_in, place_of_rule


def written():
    pass


LINE = inspect.currentframe().f_lineno - 4


def test_place_is_that_of_the_definition():
    """A function stands where its `def` is, a wrapped one where what it wraps is."""

    @functools.wraps(written)
    def wrapper(): ...

    assert place_of_rule(written) == place_of_rule(wrapper) == (__file__, LINE)


def test_location_is_relative_below_the_working_folder(monkeypatch, tmp_path):
    """Paths are shown relative to the working folder where they are below it."""
    monkeypatch.chdir("/")
    assert describe_place(written) == f"{__file__[1:]}:{LINE}"
    monkeypatch.chdir(tmp_path)
    assert describe_place(written) == f"{__file__}:{LINE}"


def test_made_rules_stand_where_they_were_made():
    """A rule that a helper made stands where the helper was called."""

    def made(): ...

    frame = sys._getframe()
    made_at(made, place_in(frame))

    assert place_of_rule(made) == (__file__, frame.f_lineno - 2)


def test_what_has_no_code_stands_nowhere():
    """A builtin as a rule has no place that Python knows."""
    assert place_of_rule(len) is None
    assert describe_place(len) == "place unknown"
