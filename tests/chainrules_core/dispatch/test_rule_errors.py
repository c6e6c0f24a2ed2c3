"""Errors out of rules that are written otherwise than rules are called."""

import pytest

from chainrules.ad import grad, jvp
from chainrules_core import HasReverseMode, NoTangent, RuleConfig, frule, rrule, typeof_
from chainrules_testutils import RuleTestError, test_frule


def scaled(x, factor=2.0):
    """A function with a keyword that its rule does not have."""
    return x * factor


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: float):
    """A rule that forgets a keyword."""
    return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar)


def product(x, y):
    """A function whose frule takes its tangents to be two."""
    return x * y


@frule.dispatch
def product_frule(tangents, f: typeof_(product), x: float, y: float):
    """A rule that forgets the tangent of the function."""
    x_dot, y_dot = tangents
    return x * y, x_dot * y + x * y_dot


TANGENTS = (
    r"The frule `product_frule` \(.*test_rule_errors\.py:\d+\) .*: write `_, x_dot, y_dot = tangents`\."
)


def notes_of(call):
    """The notes of the error that a call raises."""
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return caught.value.__notes__


@pytest.mark.parametrize("times", [1, 2])
def test_a_keyword_that_a_rule_does_not_take(times):
    """It is named, with the parameter that the rule lacks; where calls are remembered, too."""
    for _ in range(times):
        (note,) = notes_of(lambda: rrule(scaled, 1.0, factor=3.0))
    (again,) = notes_of(lambda: grad(lambda x: scaled(x, factor=3.0))(1.0))
    assert note == again
    assert "The rrule `scaled_rrule` (" in note
    assert note.endswith("for the keyword `factor`: give it `*, factor=2.0`, or `**options`.")


def test_tangents_without_that_of_the_function():
    """The line is written out, for whoever calls the rule."""
    for _ in range(2):
        with pytest.raises(ValueError, match=r"too many values") as caught:
            frule((NoTangent(), 1.0, 1.0), product, 2.0, 3.0)
        assert len(caught.value.__notes__) == 1
    with pytest.raises(RuleTestError, match=TANGENTS):
        test_frule(product, 2.0, 3.0)
    (note,) = notes_of(lambda: jvp(product, (2.0, 3.0), (1.0, 0.0)))
    assert "`_, x_dot, y_dot = tangents`" in note


def test_tangents_that_are_taken_for_one():
    """The tuple is computed with, where one of its items is meant."""

    def tripled(x):
        return 3.0 * x

    @frule.dispatch
    def tripled_frule(tangents, f: typeof_(tripled), x: float):
        return 3.0 * x, 3.0 * tangents

    (note,) = notes_of(lambda: frule((NoTangent(), 1.0), tripled, 2.0))
    assert note.endswith("write `_, x_dot = tangents`.")


def test_other_errors_of_rules():
    """They have no note: of another function's keyword, of another tuple."""

    def other(x):
        return x

    @frule.dispatch
    def other_frule(tangents, f: typeof_(other), x: float, *ys: float):
        if x:
            (x,) = (x, x)
        return print(x, no_such=x)

    with pytest.raises(ValueError, match="too many values") as caught:
        frule((NoTangent(), 1.0), other, 1.0)
    assert not hasattr(caught.value, "__notes__")
    with pytest.raises(TypeError) as caught:
        frule((NoTangent(), 1.0), other, 0.0)
    assert not hasattr(caught.value, "__notes__")


def test_rules_without_tangents():
    """A tuple that an `rrule` computes with is its own; an error that nobody raised has no note."""

    def halved(x):
        return x / 2

    @rrule.dispatch
    def halved_rrule(f: typeof_(halved), x: float):
        return 2.0 * (x, x)

    with pytest.raises(TypeError, match="multiply sequence") as caught:
        rrule(halved, 1.0)
    assert not hasattr(caught.value, "__notes__")
    error = TypeError("can't multiply sequence by non-int of type 'float'")
    rrule.add_note(error)
    assert not hasattr(error, "__notes__")


def test_keywords_of_other_functions():
    """A function of the name of a rule, which another one called."""

    def thirded(x):
        return x / 3

    def other(x):
        def thirded_rrule(x): ...

        thirded_rrule.__qualname__ = "thirded_rrule"
        return thirded_rrule(x, no_such=1)

    for kind in (float, str):

        @rrule.dispatch
        def thirded_rrule(f: typeof_(thirded), x: kind):
            return other(x)

        thirded_rrule.__qualname__ = "thirded_rrule"
    with pytest.raises(TypeError, match="unexpected keyword") as caught:
        rrule(thirded, 1.0)
    assert not hasattr(caught.value, "__notes__")


class Reverse(RuleConfig[HasReverseMode]):
    """An AD system."""


def test_a_keyword_that_no_rule_takes():
    """The error of the rule says which it is, though others are taken by position."""

    def shifted(x, n, *, offset=0.0):
        return n * x + offset

    @rrule.dispatch
    def shifted_rrule(f: typeof_(shifted), x: float, n: int):
        return n * x, lambda y_bar: (NoTangent(), n * y_bar, NoTangent())

    with pytest.raises(TypeError, match="offset"):
        rrule(shifted, 2.0, n=3, offset=1.0)


def test_errors_of_a_rule_are_its_own():
    """A `TypeError` that a rule raises is handed on, from whichever call."""

    def picky(x):
        return x

    @rrule.dispatch
    def picky_rrule(f: typeof_(picky), x: float):
        raise TypeError("picky")

    for config in ((), (Reverse(),)):
        for _ in range(2):
            with pytest.raises(TypeError, match="picky"):
                rrule(*config, picky, 2.0)
