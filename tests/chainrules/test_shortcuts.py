"""Every shortcut gives what the function that it shortens gives, on all the calls that it answers."""

import importlib
import pkgutil

import pytest

from chainrules_core import rrule, shortcuts
from tests.chainrules import shortcuts as tests_of_shortcuts
from tests.chainrules.shortcut_checks import assert_shortcut_equals
from tests.chainrules_core.definition import test_plain_arrays

rrule.callees()  # loads every ruleset


def own_shortcuts():
    """The shortcuts of this project, by the names of their modules and functions."""
    return {
        f"{shortcut.__module__}.{shortcut.__qualname__}": (shortcut, function)
        for function, shortcut in shortcuts()
        if shortcut.__module__.startswith(("chainrules.", "chainrules_core."))
    }


def calls():
    """The calls to try: each test module of a shortcut has them in ``CALLS``, by the name of the shortcut."""
    found = dict(test_plain_arrays.CALLS)
    for module in pkgutil.walk_packages(tests_of_shortcuts.__path__, f"{tests_of_shortcuts.__name__}."):
        tested = importlib.import_module(module.name)
        found.update(getattr(tested, "CALLS", {}))
    return found


CALLS = calls()


def test_every_shortcut_has_calls():
    """There are calls for each shortcut, and for nothing else."""
    assert sorted(CALLS) == sorted(own_shortcuts())


@pytest.mark.parametrize("name", sorted(own_shortcuts()))
def test_shortcuts_equal_what_they_shorten(name):
    """Over NaN, infinities, ties, zeros, complex and single precision; 0-d, empty and strided arrays."""
    shortcut, function = own_shortcuts()[name]

    assert_shortcut_equals(shortcut, function, CALLS[name]())
