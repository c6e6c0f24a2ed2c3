"""Which classes need no hook."""

import functools
import types

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.interception.choosing.switch import BLOCKS, calls_shown_to, interception
from chainrules.ad.syntax import classes_of_values as plain_classes
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values import memory


def test_none_is_traced():
    """Traced values go to the hooks."""
    sets = [value for value in vars(plain_classes).values() if isinstance(value, set | frozenset)]
    assert len(sets) > 5
    assert all(TRACED.isdisjoint(classes) for classes in sets)


def test_methods_that_look_up():
    """They find a traced number by its value, and are asked for each time."""
    assert dict not in plain_classes.called_as_it_is("get")
    assert dict in plain_classes.called_as_it_is("items")
    assert set() == plain_classes.called_as_it_is("no method of anything")


def test_while_somebody_watches():
    """All calls go to their hooks, and past them afterwards."""
    assert not BLOCKS
    methods, called_with = plain_classes.called_as_it_is("append"), plain_classes.CALLED_WITH
    before = set(called_with)
    with interception(False), interception(True):
        assert not methods
        assert not called_with
        assert not plain_classes.SIZED
        assert not plain_classes.called_as_it_is("pop")
    assert list in methods
    assert called_with == before
    assert list in plain_classes.called_as_it_is("pop")


class Slotted:
    """A class whose attribute is computed in C."""

    __slots__ = ("value",)


class Computing:
    """A class that computes all of its attributes."""

    def __getattribute__(self, name):
        return 2.0


class Missing:
    """A class that computes what is not there."""

    def __getattr__(self, name):
        return 2.0


@pytest.mark.parametrize(
    ("cls", "is_read", "is_read_again"),
    [(Slotted, True, True), (Computing, True, False), (types.ModuleType, True, False)],
)
def test_reading(cls, is_read, is_read_again):
    """An attribute is read twice only where nothing is computed for it."""
    plain_classes.remember_readable("value of this test", cls)
    assert (cls in plain_classes.classes_to_read("value of this test")) is is_read
    assert (cls in plain_classes.classes_to_read_again("value of this test")) is is_read_again


def test_computed_attributes_are_never_remembered():
    """A class with a function for one is asked each time."""

    class Cached:
        """A class with an attribute that is computed once."""

        def __init__(self, x):
            self.x = x

        @functools.cached_property
        def doubled(self):
            """Twice the number."""
            return np.sin(self.x) * 2.0

    def program(x):
        return sum(one.doubled + one.doubled * 2.0 for one in (Cached(1.0), Cached(x))) + Missing().anything

    intercepted(program)(1.0)
    for cls in (Cached, Missing):
        assert cls not in plain_classes.classes_to_read("doubled")
        assert cls not in plain_classes.classes_to_read("anything")
    assert np.isclose(grad(program)(0.5), 6.0 * np.cos(0.5))


def test_how_many_classes_are_remembered(monkeypatch):
    """So many, by any attribute: a program may make classes again and again."""
    monkeypatch.setattr(memory, "MOST", 4)
    classes, sizes = plain_classes.classes_to_read("one of many"), []
    for number in range(9):
        plain_classes.remember_readable("one of many", type(f"Made{number}", (), {}))
        sizes.append(len(classes))
    assert sizes == [1, 2, 3, 4, 2, 3, 4, 2, 3]


def test_text_that_is_seen():
    """While there is text that was made of traced values, numbers are read from text by way of the hooks."""
    called_with = plain_classes.CALLED_WITH
    try:
        plain_classes.let_hooks_see_text(True)
        with calls_shown_to(lambda f, chosen: chosen):
            pass
        assert not {str, bytes} & called_with
        assert float in called_with
    finally:
        plain_classes.let_hooks_see_text(False)
    assert {str, bytes} <= called_with
