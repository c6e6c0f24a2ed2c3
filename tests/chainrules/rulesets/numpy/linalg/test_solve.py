"""The rules of `numpy.linalg.solve`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("right", [(3,), (3, 2), (3, 0)])
def test_solve(right, dtype):
    """One vector, several as columns of a matrix, none."""
    check_rule(np.linalg.solve, regular(3, 3, dtype=dtype), normal(*right, dtype=dtype, seed=1))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((2, 3, 3), (2, 3, 2)),
        ((2, 3, 3), (3, 2)),
        ((3, 3), (2, 3, 2)),
        ((2, 1, 3, 3), (4, 3, 1)),
        ((0, 3, 3), (0, 3, 2)),
        ((0, 0), (0, 2)),
        ((1, 1), (1,)),
    ],
)
def test_solve_stacks(left, right):
    """Stacks of systems, which broadcast."""
    check_rule(np.linalg.solve, regular(*left), normal(*right, seed=1))


def test_solve_stack_with_one_vector():
    """A vector is a right-hand side of every system of a stack."""
    check_rule(np.linalg.solve, regular(2, 3, 3), normal(3, seed=1))


def test_solve_real_system_with_complex_right_hand_side():
    """The cotangent of a real operand is real."""
    check_rule(np.linalg.solve, regular(3, 3), normal(3, dtype=complex))
    check_rule(np.linalg.solve, regular(3, 3, dtype=complex), normal(3))


def test_solve_of_constants():
    """A zero tangent stays one; one operand may be constant."""
    A, b, b_dot = regular(3, 3), normal(3), normal(3, seed=1)

    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), np.linalg.solve, A, b)[1] == ZeroTangent()
    _, x_dot = frule((NoTangent(), ZeroTangent(), b_dot), np.linalg.solve, A, b)
    np.testing.assert_allclose(A @ x_dot, b_dot)
    _, x_dot = frule((NoTangent(), A, ZeroTangent()), np.linalg.solve, A, b)
    np.testing.assert_allclose(A @ x_dot, -b)


def test_cotangent_of_the_matrix_is_computed_on_demand():
    """It is as large as the matrix, and a constant matrix is frequent."""
    _, pullback = rrule(np.linalg.solve, regular(3, 3), normal(3))

    assert isinstance(pullback(normal(3))[1], AbstractThunk)
