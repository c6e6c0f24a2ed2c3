"""A wrong cotangent is explained by the first mistake that fits it, and by none that does not."""

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, not_implemented, unthunk
from chainrules_testutils import RuleTestError, test_rrule
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import V, X


def message(f, *args, pullback, **options):
    """The message for a rule with this pullback."""

    def rule(config, f, *args):
        return f(*args), pullback

    with pytest.raises(RuleTestError) as caught:
        test_rrule(f, *args, rrule_f=rule, **options)
    return str(caught.value)


def shifted(x):
    """A function from arrays to arrays."""
    return 3.0 * x


def three(x):
    """A function with three results, of which one has no derivative."""
    return 2.0 * x, "name", x * x


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_jacobians(mode):
    """A cotangent in the shape of a Jacobian is named as one, for arrays and for numbers."""
    of_array = message(shifted, V, pullback=lambda y_bar: (NoTangent(), 3.0 * np.eye(3)), mode=mode)
    of_number = message(
        lambda x: x * V,
        2.0,
        pullback=lambda y_bar: (Tangent[type(shifted)](V=V), unthunk(y_bar) * V),
        mode=mode,
    )

    assert "this is the shape of a Jacobian" in of_array
    assert "this is the shape of a Jacobian" in of_number
    assert "Jacobian" not in message(shifted, V, pullback=lambda y_bar: (NoTangent(), np.eye(2)), mode=mode)


def test_other_inputs():
    """A cotangent that is right for another input is explained by it; a right one is not explained."""
    swapped = message(
        rules.power,
        1.5,
        2.5,
        pullback=lambda y_bar: (
            NoTangent(),
            np.log(1.5) * 1.5**2.5 * y_bar,
            2.5 * 1.5**1.5 * y_bar,
        ),
    )
    once = message(
        rules.power,
        1.5,
        2.5,
        pullback=lambda y_bar: (
            NoTangent(),
            np.log(1.5) * 1.5**2.5 * y_bar,
            np.log(1.5) * 1.5**2.5 * y_bar,
        ),
    )

    assert "right for input 3" in swapped
    assert "right for input 2" in swapped
    assert "the cotangent of input 3, which has it too" in once
    assert "right for input" not in once


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_outputs(mode):
    """The outputs are counted from 1, those without a derivative too, and told only if some are right."""

    def first_only(y_bar):
        return NoTangent(), 2.0 * unthunk(y_bar)[0] + 5.0 * unthunk(y_bar)[2]

    def none(y_bar):
        return NoTangent(), 5.0 * unthunk(y_bar)[0] + 5.0 * unthunk(y_bar)[2]

    def raises(y_bar):
        y_bar = unthunk(y_bar)
        if not isinstance(y_bar[0], float):
            raise TypeError("no zeros")
        return NoTangent(), 2.0 * y_bar[0] + 5.0 * y_bar[2]

    assert "right for output 1, wrong for output 3." in message(three, 0.7, pullback=first_only, mode=mode)
    assert "right for output" not in message(three, 0.7, pullback=none, mode=mode)
    assert "right for output 1, wrong for output 3." in message(three, 0.7, pullback=raises, mode=mode)


def test_parts_of_one_output():
    """A function of one result, with fields or without, has no outputs to tell apart."""
    foo = message(rules.Foo, X, 2.0, pullback=lambda y_bar: (NoTangent(), unthunk(y_bar).A, 0.5))

    assert "output" not in foo
    assert "hint" not in foo


def test_right_cotangents_are_not_explained():
    """Beside a wrong one, a right cotangent and one that is not implemented have no failures."""
    text = message(
        rules.unfinished,
        2.0,
        3.0,
        pullback=lambda y_bar: (
            NoTangent(),
            7.7 * y_bar,
            not_implemented("with respect to y"),
        ),
    )

    assert text.count("\n- ") == 1
    assert "hint" not in text


def test_kinks_come_before_other_explanations():
    """At a kink the outputs are not asked one by one."""

    def both(x):
        return np.abs(x), 2.0 * x

    text = message(
        both, 0.0, pullback=lambda y_bar: (NoTangent(), 2.0 * unthunk(y_bar)[1] + unthunk(y_bar)[0])
    )

    assert "a kink" in text
    assert "right for output" not in text


def test_hints_are_for_what_failed():
    """In a cotangent with fields, the fields that are right get no hint."""

    def sum_and_square(foo):
        return foo.A.sum(), foo.c**2

    def pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), Tangent[rules.Foo](A=np.full((3, 3), 1.0) * y_bar[0], c=7.7 * y_bar[1])

    text = message(sum_and_square, rules.Foo(X, 2.0), pullback=pullback)

    assert text.count("right for output 1, wrong for output 2") == 1
    assert "field A" not in text


def test_fields_of_one_result_are_no_outputs():
    """A hint counts the items of a tuple, and not the fields of a structure."""

    def made(x):
        return rules.Foo(2.0 * x, 3.0 * x)

    def pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), 2.0 * y_bar["A"] + 7.7 * y_bar["c"]

    assert "right for output" not in message(made, 0.7, pullback=pullback)


def test_conjugates_are_asked_on_both_sides():
    """A pullback that forgets to conjugate is right between two conjugates."""
    text = message(np.sin, 0.7 + 0.2j, pullback=lambda y_bar: (NoTangent(), np.cos(0.7 + 0.2j) * y_bar))

    assert "right for conjugated input and output" in text
    text = message(np.sin, 0.7 + 0.2j, pullback=lambda y_bar: (NoTangent(), 1.1 * np.cos(0.7 + 0.2j) * y_bar))
    assert "conjugated input" not in text


def test_zero_is_not_right_for_what_has_no_derivative():
    """A cotangent of zero is no other input's where that cannot be perturbed."""
    text = message(rules.square, 2.0, pullback=lambda y_bar: (NoTangent(), 0.0))

    assert "right for input" not in text
