"""The rules of choosing, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal

MATRIX = normal(3, 4)
MASK = MATRIX > 0


@pytest.mark.parametrize(
    ("condition", "x", "y"),
    [
        (MASK, MATRIX, normal(3, 4, seed=1)),
        (MASK, MATRIX, 2.0),
        (MASK, 1.5, 2.5),
        (MASK, normal(4), normal(3, 1)),
        (MASK[0], MATRIX, normal(2, 1, 4)),
        (MASK, MATRIX, 2),
        (True, 1.5, 2.5),
        (True, MATRIX, 2.5),
        (np.array(False), MATRIX, normal(4)),
        (MASK.astype(int), MATRIX, 2.5),
        (MASK, MATRIX.astype(np.float32), np.float32(2.5)),
        (MASK, normal(3, 4, dtype=complex), MATRIX),
        (MASK[:0], MATRIX[:0], 1.5),
    ],
)
def test_where(condition, x, y):
    """Conditions and operands that broadcast against each other."""
    check_rule(np.where, condition, x, y)


def test_where_keeps_a_nan_out_of_the_other_branch():
    """A NaN that is not chosen does not reach the derivative of what is."""
    x, hidden = np.array([1.0, 2.0]), np.array([np.nan, 3.0])

    assert grad(lambda x: np.sum(np.where([True, False], x * x, hidden)))(x).tolist() == [2.0, 0.0]
    assert np.where(~np.isnan(hidden), hidden, 0.0).tolist() == [0.0, 3.0]
    assert grad(lambda h: np.sum(np.where([False, True], h, x)))(hidden).tolist() == [0.0, 1.0]


def test_where_without_tangents():
    """Zero tangents of any kind give a zero one."""
    tangents = (NoTangent(), NoTangent(), ZeroTangent(), ZeroTangent())
    _, z_dot = frule.unchecked(tangents, np.where, MASK, MATRIX, 2.0)

    np.testing.assert_array_equal(z_dot, np.zeros((3, 4)))


def test_where_of_a_condition_alone():
    """The places where a condition holds have no derivative."""
    places, pullback = rrule(np.where, MATRIX > 0)

    np.testing.assert_array_equal(places, np.where(MASK))
    assert pullback(NoTangent()) == (NoTangent(), NoTangent())


@pytest.mark.parametrize(
    ("conditions", "xs", "default"),
    [
        ([MASK, MATRIX < -0.5], [MATRIX, MATRIX**2], (5.0,)),
        ([MASK, ~MASK], (MATRIX, normal(4)), ()),
        ([MASK], [1.5], (normal(3, 1),)),
        ([MASK], [MATRIX.astype(np.float32)], (np.float32(2.0),)),
        ([MASK, MASK], [normal(3, 4, dtype=complex), MATRIX], (0,)),
        ([MASK], [MATRIX.astype(np.float32)], (2.0,)),
        ([MASK], [MATRIX.astype(np.float32)], (normal(4),)),
        ([True, False], [1.5, 2.5], (3.5,)),
    ],
)
def test_select(conditions, xs, default):
    """The first condition that holds chooses; operands broadcast, and the last resort is one of them."""
    test_frule(np.select, conditions, xs, *default)
    test_rrule(np.select, conditions, xs, *default)


def test_select_of_traced_values():
    """The items of the list may be traced, also twice; the default by keyword."""
    x = np.array([-1.0, 2.0, 3.0])

    def selected(x):
        return np.sum(np.select([x < 0, x > 2.5], [x**2, x**3], default=np.sum(x)))

    np.testing.assert_allclose(grad(selected)(x), [-1.0, 1.0, 28.0])
    np.testing.assert_allclose(grad(lambda x: np.sum(grad(selected)(x)))(x), [2.0, 0.0, 18.0])


def test_select_without_tangents():
    """What has no tangent contributes zeros."""
    tangents = (NoTangent(), NoTangent(), ZeroTangent(), 2.0)

    _, z_dot = frule(tangents, np.select, [MASK], [MATRIX], 1.0)
    np.testing.assert_array_equal(z_dot, np.where(MASK, 0.0, 2.0))
    _, z_dot = frule(tangents, np.select, [MASK], [MATRIX.astype(np.float32)], np.float32(1.0))
    assert z_dot.dtype == np.float32


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (np.argmax, (MATRIX, 0)),
        (np.argmin, (MATRIX,)),
        (np.nanargmax, (MATRIX,)),
        (np.nanargmin, (MATRIX,)),
        (np.argwhere, (MATRIX,)),
        (np.flatnonzero, (MATRIX,)),
        (np.nonzero, (MATRIX,)),
        (np.searchsorted, (np.arange(3.0), MATRIX)),
    ],
)
def test_places_have_no_derivative(f, args):
    """They are integers."""
    test_frule(f, *args)
    test_rrule(f, *args)
