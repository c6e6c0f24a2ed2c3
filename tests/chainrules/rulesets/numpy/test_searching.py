"""The rules of choosing, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
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
    _, z_dot = frule((NoTangent(), NoTangent(), ZeroTangent(), ZeroTangent()), np.where, MASK, MATRIX, 2.0)

    np.testing.assert_array_equal(z_dot, np.zeros((3, 4)))


def test_where_of_a_condition_alone():
    """The places where a condition holds have no derivative."""
    places, pullback = rrule(np.where, MATRIX > 0)

    np.testing.assert_array_equal(places, np.where(MASK))
    assert pullback(NoTangent()) == (NoTangent(), NoTangent())
