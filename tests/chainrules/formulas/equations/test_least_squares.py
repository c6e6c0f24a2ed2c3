"""The derivatives of least-squares problems."""

import numpy as np
import pytest

from chainrules.formulas.equations.least_squares import (
    pseudo_inverse_of_rank,
    pull_least_squares,
    pull_squared_residuals,
    push_least_squares,
)
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 2), (2, 4)])
def test_difference_and_adjoint(shape, dtype):
    """The tangents are those of differences, and the cotangents are adjoint to them."""
    A, A_dot = normal(*shape, dtype=dtype), normal(*shape, dtype=dtype, seed=1)
    B, B_dot = (normal(shape[0], 2, dtype=dtype, seed=seed) for seed in (2, 3))

    def solved(h):
        moved = A + h * A_dot
        X = np.linalg.pinv(moved) @ (B + h * B_dot)
        return X, np.sum(np.abs(B + h * B_dot - moved @ X) ** 2, axis=0)

    X, h = solved(0)[0], 1e-6
    inverse = np.linalg.pinv(A)
    X_dot, squares_dot = push_least_squares(A, B, X, inverse, A_dot, B_dot)
    for actual, ahead, behind in zip((X_dot, squares_dot), solved(h), solved(-h), strict=True):
        np.testing.assert_allclose(actual, (ahead - behind) / (2 * h), atol=1e-6)
    X_bar, squares_bar = normal(*X.shape, dtype=dtype, seed=4), normal(2)
    for (A_bar, B_bar), expected in (
        (pull_least_squares(A, B, X, inverse, X_bar), np.vdot(X_bar, X_dot).real),
        (pull_squared_residuals(A, B, X, squares_bar), squares_bar @ squares_dot),
    ):
        by_pullback = np.vdot(A_bar, A_dot).real + np.vdot(B_bar, B_dot).real
        np.testing.assert_allclose(by_pullback, expected, atol=1e-12)


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_inverse_of_a_rank(rank):
    """Only so many singular values are inverted, of one matrix and of each in a stack."""
    A = np.diag([4.0, 2.0, 1.0])
    s = np.array([4.0, 2.0, 1.0])
    expected = np.diag(np.where(np.arange(3) < rank, 1 / s, 0))
    np.testing.assert_allclose(pseudo_inverse_of_rank(A, rank, s), expected)
    stack = pseudo_inverse_of_rank(np.stack((A, A)), np.array([rank, 1]), np.stack((s, s)))
    np.testing.assert_allclose(stack[0], expected)
    np.testing.assert_allclose(stack[1], np.diag([0.25, 0, 0]))


def test_inverse_beside_a_value_of_zero():
    """It is left out, whatever the others are."""
    for largest in (4.0, 1e-3):
        inverse = pseudo_inverse_of_rank(np.diag([largest, 0.0]), 1, np.array([largest, 0.0]))
        np.testing.assert_allclose(inverse, np.diag([1 / largest, 0.0]))


def test_inverse_of_nothing():
    """Zeros, and matrices without rows."""
    np.testing.assert_array_equal(pseudo_inverse_of_rank(np.zeros((2, 3)), 0, np.zeros(2)), np.zeros((3, 2)))
    assert pseudo_inverse_of_rank(np.zeros((0, 3)), 0, np.zeros(0)).shape == (3, 0)
