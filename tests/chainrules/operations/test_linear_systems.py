"""Tests of linear systems whose matrix is factored once, or is triangular, against `numpy.linalg.solve`."""

import numpy as np
import pytest

from chainrules.operations.linear_systems import factored, solve_lower
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular


@pytest.mark.parametrize("dtype", [np.float64, np.float32, complex, np.complex64])
@pytest.mark.parametrize("right", [(3,), (3, 2), (3, 0)])
@pytest.mark.parametrize("left", [(3, 3), (2, 3, 3)])
def test_factored(left, right, dtype):
    """One matrix and stacks of them, in each precision; likewise the adjoint."""
    A, B = regular(*left, dtype=dtype), normal(*right, dtype=dtype, seed=1)
    B = B if len(left) == 2 or len(right) == 2 else B[:, np.newaxis]
    A_adjoint = np.conj(np.swapaxes(A, -1, -2))
    solve = factored(A)

    rtol = 1e3 * np.finfo(dtype).eps
    np.testing.assert_allclose(solve(B), np.linalg.solve(A, B), rtol=rtol)
    np.testing.assert_allclose(solve(B, True), np.linalg.solve(A_adjoint, B), rtol=rtol)
    assert solve(B).dtype == dtype


def test_factored_with_right_hand_sides_of_another_kind():
    """Complex ones by a real matrix, stacks of them by one matrix, and integers."""
    A = regular(3, 3)

    for B in (normal(3, 2, dtype=complex), normal(2, 3, 2), np.ones((3, 1), dtype=int)):
        np.testing.assert_allclose(factored(A)(B), np.linalg.solve(A, B))
    np.testing.assert_allclose(factored(A.astype(int))(B), np.linalg.solve(A.astype(int), B))


def test_errors():
    """Those of `numpy.linalg.solve`."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        factored(np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="must be square"):
        factored(normal(3, 2))(normal(3))
    with pytest.raises(ValueError, match="mismatch"):
        factored(regular(3, 3))(normal(2))


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("by_adjoint", [False, True])
@pytest.mark.parametrize(("left", "right"), [((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1)), ((0, 0), (0, 2))])
def test_solve_lower(left, right, by_adjoint, dtype):
    """Of triangular matrices and of their adjoints, in every precision."""
    A, B = regular(*left, dtype=dtype), normal(*right, dtype=dtype, seed=1)
    L = np.tril(A)

    for kind in (dtype, np.float32 if dtype is np.float64 else np.complex64):
        expected = np.linalg.solve(np.conj(np.swapaxes(L, -1, -2)) if by_adjoint else L, B)
        actual = solve_lower(A.astype(kind), B.astype(kind), by_adjoint)
        np.testing.assert_allclose(actual, expected, rtol=1e-5)
    check_rule(solve_lower, A, B, by_adjoint)
