"""Rules that are made of an adjoint."""

import numpy as np
import pytest

from chainrules.makers.linear_rules import (
    bilinear_rule,
    linear_in_second_rule,
    linear_rule,
    selection_rule,
    tangent_like,
)
from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule
from chainrules_core.dispatch.rule_location import place_of_rule
from tests.chainrules.rule_checks import check_rule, normal


def doubled(x, times=1):
    """A linear function with an option."""
    return 2**times * x


def every_other(x, *, out=None):
    """A selection."""
    return x[::2]


def mixed(weight, x):
    """A function without a derivative by its first argument, with complex results."""
    return 1j * np.floor(weight) * x


def conjugate_product(x, y):
    """A function that is linear in one argument and conjugate-linear in the other."""
    return np.conj(x) * y


def turned(x):
    """A linear function of real numbers whose results are complex."""
    return 1j * x


linear_rule(turned, lambda y_bar, _: -1j * y_bar)
linear_rule(doubled, lambda y_bar, _, times=1: 2**times * y_bar)
selection_rule(every_other)
linear_in_second_rule(mixed, lambda y_bar, _, weight: -1j * np.floor(weight) * y_bar)
bilinear_rule(conjugate_product, lambda z_bar, _, y: np.conj(z_bar) * y, lambda z_bar, x, _: z_bar * x)


def test_linear():
    """An option takes part by position and by keyword."""
    check_rule(doubled, normal(3), 2)
    check_rule(doubled, normal(3, dtype=complex), times=3)
    check_rule(doubled, 1.5)
    check_rule(turned, normal(3))


def test_selection():
    """The cotangent goes back to where each element was."""
    check_rule(every_other, normal(5, 2))


def test_linear_in_second():
    """The first argument has no derivative."""
    check_rule(mixed, 2, normal(3))


def test_bilinear():
    """Real arguments keep real cotangents, and broadcasting is undone."""
    check_rule(conjugate_product, normal(3), normal(2, 3, dtype=complex))
    check_rule(conjugate_product, normal(3, dtype=complex), 1.5)
    _, *bars = rrule(conjugate_product, normal(3), normal(3))[1](np.ones(3))
    assert all(isinstance(bar, AbstractThunk) for bar in bars)


def test_zero_tangents():
    """Zero tangents stay zero tangents."""
    zero, x = ZeroTangent(), normal(3)
    assert frule((NoTangent(), zero), doubled, x)[1] is zero
    assert frule((NoTangent(), NoTangent(), zero), mixed, 2, x)[1] is zero
    assert frule((NoTangent(), zero, zero), conjugate_product, x, x)[1] is zero
    np.testing.assert_array_equal(frule((NoTangent(), zero, x), conjugate_product, x, x)[1], x * x)


def test_out_is_refused():
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"every_other.*out="):
        rrule(every_other, normal(3), out=np.zeros(2))


def test_rules_stand_where_they_were_asked_for():
    """So that whoever looks for a rule finds its ruleset, not the helper."""
    (method,) = (method for method in rrule.methods(doubled) if "linear" in method.function.__name__)
    assert place_of_rule(method.function)[0] == __file__


def test_tangents_like_results():
    """A tangent has the precision of the result; integers have none."""
    assert tangent_like(np.ones(2, dtype=np.float32), np.ones(2)).dtype == np.float32
    assert tangent_like(np.ones(2, dtype=int), np.ones(2)) is NoTangent()
    assert tangent_like(1.5, 2.0) == 2.0
