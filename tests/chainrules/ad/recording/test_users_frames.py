"""Whose function is entered, by its frame."""

import abc
import json
import math
import sys
import textwrap

import numpy as np
import plum
import pytest

from chainrules.ad import compiled, grad
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.users_frames import is_beside_the_program, is_users_frame
from chainrules.ad.values import memory
from chainrules_core import NoTangent, on_changed_rules, register_ruleset, rrule, typeof_
from chainrules_core.dispatch import new_rules
from tests.chainrules_core.dispatch.made_up_rulesets import rules_for, target


def frame_of(function, *args, above=0):
    """The frame of a function of a library, while it calls back."""
    found = []
    function(lambda *_: found.append(sys._getframe(1 + above)), *args)
    return found[0]


def test_whose_they_are():
    """The user's own, a library's, and text that one of them has made."""
    assert is_users_frame(sys._getframe()) is True
    assert is_users_frame(frame_of(np.apply_along_axis, 0, np.ones(2))) is None
    scope = {"__name__": __name__, "sys": sys}
    exec("def f(): return sys._getframe()", scope)  # noqa: S102 - text of the user's
    assert is_users_frame(scope["f"]()) is True
    scope["__name__"] = "namedtuple_Point"
    exec("def f(): return sys._getframe()", scope)  # noqa: S102 - as Python does
    assert is_users_frame(scope["f"]()) is None


@pytest.mark.parametrize("module", [json, plum])
def test_imports(module):
    """A module is executed by Python's own functions, which are not the user's."""
    assert not is_beside_the_program(sys._getframe())
    assert not is_beside_the_program(None)
    c = compiled(grad(lambda x: np.sum(x * x) * len(module.__name__)), strict=True)
    np.testing.assert_array_equal(c(np.ones(2)), 2.0 * len(module.__name__) * np.ones(2))


class Marked(abc.ABC):  # noqa: B024 - its hook says which classes are of it
    """Classes with a mark."""

    @classmethod
    def __subclasshook__(cls, other):
        return True if "mark" in vars(other) else NotImplemented


def scaled(x):
    """A function with rules."""
    return 2.0 * x


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: float):
    """Scaled by something else."""
    return 3.0 * x, lambda y_bar: (NoTangent(), 3.0 * y_bar)


@rrule.dispatch
def scaled_marked_rrule(f: typeof_(scaled), x: Marked):
    """It serves no number."""
    raise AssertionError


def test_abstract_classes_that_lookups_ask():
    """A first call is recorded, as the next ones are that find the answer. A program may not ask itself."""
    for _ in range(2):
        assert compiled(grad(lambda x: scaled(x) * 1.0), strict=True)(0.5) == 3.0
        with pytest.raises(CompilationError, match="`__subclasshook__` is not looked into"):
            compiled(lambda x: -x if isinstance(x, Marked) else x, strict=True)(0.5)


def test_rulesets_of_the_users(monkeypatch, tmp_path):
    """They are imported by the first lookup, and whoever wants to know of rules is told."""
    told, module = [], target(monkeypatch)
    name = f"rules_for_{module.__name__}"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(rules_for(module.__name__)))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(new_rules, "_forgetters", [*new_rules._forgetters])
    on_changed_rules(lambda: told.append("changed"))
    register_ruleset(module.__name__, name)
    told.clear()
    assert compiled(grad(lambda x: scaled(x) * 1.0), strict=True)(0.5) == 3.0
    assert name in sys.modules
    assert "changed" in told


class Finalized:
    """An object that somebody waits for."""

    count = 0

    def __del__(self):
        Finalized.count += 1


def test_what_is_forgotten_is_finalized(monkeypatch):
    """In the midst of a recording, where a memory of functions is full: the program knows nothing of that."""
    monkeypatch.setattr(memory, "MOST", 20)

    def holding():
        def f(x):
            return x * 2.0

        f.held = Finalized()
        return f

    for _ in range(30):
        grad(holding())(1.0)
        c = compiled(grad(lambda x: math.log(x) * 2.0), strict=True)
        assert c(0.5) == 4.0
    assert Finalized.count
