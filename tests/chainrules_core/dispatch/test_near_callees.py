# ruff: noqa: D102, D103 - stand-ins have nothing to document
"""Callees that may have been meant, where a call has no rule."""

import functools
import re

import pytest

from chainrules.ad import ADConfig
from chainrules_core import rrule, typeof_
from chainrules_core.dispatch.near_callees import _similar


class Parent:
    """A class whose constructor has a rule."""

    def __init__(self, x): ...


class Child(Parent):
    """One whose constructor has none."""


@rrule.dispatch
def parent_rrule(f: typeof_(Parent), x: float): ...


def near(x): ...


@rrule.dispatch
def near_rrule(f: typeof_(near), x: float): ...


def another():
    def near(x): ...

    near.__qualname__ = "near"
    return near


class Model:
    """One of whose objects has a rule for a method."""

    def predict(self, x): ...


model = Model()


@rrule.dispatch
def predict_rrule(f: typeof_(model.predict), x: float): ...


def power(x, n): ...


cube = functools.partial(power, n=3)


@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float): ...


class Called:
    """A class whose instances have a rule when they are called."""

    def __call__(self, x): ...


@rrule.dispatch
def called_rrule(f: Called, x: float): ...


PLACE = r"The rule at \S*test_near_callees\.py:\d+ is for "


def test_what_is_wrapped_needs_a_rule_to_be_named():
    """Else there is nothing to write it for."""
    assert "wraps" not in rrule.explain(functools.lru_cache(another), 1.0)


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (
            Child,
            PLACE + r"the constructor of Parent itself.*Write `f: type\[Parent\]` there.*right for Child",
        ),
        (Parent(1.0), PLACE + r"the constructor of Parent, and this is an instance.*Write `f: Parent`"),
        (Called, PLACE + r"instances of Called that are called.*the class. Write `f: typeof_\(Called\)`"),
        (functools.lru_cache(near), r"It wraps \S*near, which has a rule"),
        (another(), PLACE + r"another object of this name\. If it was defined again"),
        (Model.predict, PLACE + r"the method of one object.*Write `f: typeof_\(Model\.predict\)`, with all"),
        (power, PLACE + r"a partial of it.*Write `f: typeof_\(power\)`, with all"),
        (functools.partial(power, n=2), PLACE + r"a partial of it.*Write `f: typeof_\(power\)`, with all"),
        (functools.partial(near), r"The function in this partial, \S*near, has a rule \(at .*finds"),
    ],
)
def test_what_is_near_is_named(f, expected):
    """By its place, and with what to write."""
    assert re.search(expected, rrule.explain(f, 1.0))


def test_what_a_call_is_handed_on_to():
    """The rules of bound methods and partials ask for a rule of the function: it is explained, too."""
    text = rrule.explain(Model().predict, 1.0)
    assert "It asks for a rule of the function:" in text
    assert re.search(rf"{PLACE}the method of one object", text)
    text = rrule.explain(ADConfig(), functools.partial(near), 1.0)
    assert re.search(r"It asks for a rule of the function:\n.*near, float\) is served by\n *near_rrule", text)


def test_instances_that_are_called_hand_nothing_on():
    """What serves them is their class's rule."""

    class Scale:
        def __call__(self, x): ...

    @rrule.dispatch
    def scale_rrule(f: Scale, x: float): ...

    assert "It asks for a rule" not in rrule.explain(Scale(), 1.0)


def test_nothing_is_near():
    """Where no callee is near, nothing is said."""

    def zzyzx(x): ...

    assert rrule.explain(zzyzx, 1.0).endswith("or import the package that holds it.")


def test_a_class_without_rules_above_it():
    """If no class above has a rule for its constructor, none is suggested."""

    class Above:
        """Has no rule."""

    class Below(Above):
        """Has none either."""

    assert "without its subclasses" not in rrule.explain(Below, 1.0)


def test_no_more_than_three_names_are_suggested():
    """The likeliest of them: the callees of the same name in other modules first."""
    known = ["other.sine", *(f"here.{letter}ine" for letter in "abcde"), "quite.different"]

    assert _similar("here.sine", known)[0] == "other.sine"
    assert len(_similar("here.sine", known)) == 3
    assert _similar("zzyzx", known) == []


def test_a_name_of_one_letter_says_nothing():
    """Neither the name itself is suggested, nor what another module has under one letter."""
    assert _similar("f", ["f", "numpy.random.Generator.f"]) == []
    assert _similar("gamma", ["gamma", "math.gamma"]) == ["math.gamma"]
