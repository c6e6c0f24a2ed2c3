"""Screens: who may say that a rule does not serve arrays of a class."""

import numpy as np
import pytest

from chainrules_core import AbstractArray, NoTangent, RuleMethod, frule, opt_out, rrule, screen_rules, typeof_
from chainrules_core.dispatch import screens


class Strange:
    """An array of a library that few rules were tried with."""

    shape, dtype = (2,), np.dtype(float)

    def __array_function__(self, *_):
        """Make it an abstract array."""
        raise NotImplementedError


@pytest.fixture
def judged(monkeypatch):
    """What the screen of this class is asked."""
    monkeypatch.setattr(screens, "_screens", {})
    asked = []

    def screen(method, f):
        asked.append((method, f))
        return f"{f.__name__} does not take strange arrays" if f.__name__ == "refused" else None

    screen_rules(Strange.__module__, Strange.__qualname__, screen)
    yield asked
    rrule._tables.forget_answers()
    frule._tables.forget_answers()


def function_with_rules(name):
    """A function, called `name`, with both rules."""

    def f(x, y):
        return x

    f.__name__ = name

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: AbstractArray, y: AbstractArray):
        return x, lambda x_bar: (NoTangent(), x_bar, NoTangent())

    @frule.dispatch
    def f_frule(tangents, f: typeof_(f), x: AbstractArray, y: AbstractArray):
        return x, tangents[1]

    return f


@pytest.mark.parametrize("place", [0, 1])
def test_a_refused_rule_raises(judged, place):
    """The message of the screen is the error, wherever the array stands; other arrays are served."""
    f = function_with_rules("refused")
    args = [np.ones(2), np.ones(2)]
    assert rrule(f, *args)[0] is args[0]
    args[place] = Strange()

    for _ in range(2):  # the second answer is remembered
        with pytest.raises(TypeError, match="refused does not take strange arrays"):
            rrule(f, *args)
        with pytest.raises(TypeError, match="refused does not take strange arrays"):
            frule((NoTangent(), *args), f, *args)


def test_other_rules_are_served(judged):
    """A screen that has nothing against a rule is asked once for each mode."""
    f = function_with_rules("served")
    x = Strange()

    for _ in range(3):
        assert rrule(f, x, x)[0] is x
    assert [(type(method), method.mode, g) for method, g in judged] == [(RuleMethod, "rrule", f)]


def test_screens_serve_derived_classes(judged):
    """The class may be one above that of the array."""
    derived = type("Derived", (Strange,), {})()

    with pytest.raises(TypeError, match="does not take"):
        rrule(function_with_rules("refused"), derived, derived)


def test_answers_before_the_screen_are_forgotten(monkeypatch):
    """A screen that is named after a call is asked all the same."""
    monkeypatch.setattr(screens, "_screens", {})
    f, x = function_with_rules("refused"), Strange()
    assert rrule(f, x, x)[0] is x

    screen_rules(Strange.__module__, Strange.__qualname__, lambda method, f: "too late?")
    with pytest.raises(TypeError, match="too late"):
        rrule(f, x, x)


def test_no_rule_is_no_matter_for_screens(judged):
    """Where there is no rule, there is none."""
    assert rrule(lambda x: x, Strange()) is None
    assert judged == []


def test_an_opt_out_is_no_matter_for_screens(judged):
    """There the answer is that there is no rule."""
    f = function_with_rules("refused")
    opt_out(rrule, typeof_(f), Strange, Strange)

    assert rrule(f, Strange(), Strange()) is None
    assert judged == []
