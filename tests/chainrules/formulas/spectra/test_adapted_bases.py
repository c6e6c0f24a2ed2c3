"""Tests of bases of the spaces of equal values that suit a direction."""

import numpy as np
import pytest

from chainrules.formulas.spectra.adapted_bases import (
    adapted_singular_vectors,
    can_adapt,
    turns_of_eigenvectors,
    turns_of_general_eigenvectors,
)
from tests.chainrules.rule_checks import normal

W = np.array([1.0, 2.0, 1.0, 2.0 + 2e-16])


@pytest.mark.parametrize("dtype", [float, complex])
def test_turns_of_eigenvectors(dtype):
    """The turns are unitary, mix equal values alone, and make the direction diagonal there."""
    K = normal(2, 4, 4, dtype=dtype)
    K = K + np.conj(np.swapaxes(K, -1, -2))

    Q = turns_of_eigenvectors(np.stack([W, W]), K)

    Q_adjoint = np.conj(np.swapaxes(Q, -1, -2))
    turned = Q_adjoint @ K @ Q
    np.testing.assert_allclose(Q_adjoint @ Q, np.broadcast_to(np.eye(4), Q.shape), atol=1e-14)
    for i, j in [(0, 2), (2, 0), (1, 3), (3, 1)]:
        np.testing.assert_allclose(turned[:, i, j], 0, atol=1e-14)
    for i, j in [(0, 1), (0, 3), (2, 1), (2, 3)]:
        np.testing.assert_array_equal(Q[:, i, j], 0)


def test_a_basis_that_suits_is_kept():
    """No vector is turned without need."""
    np.testing.assert_array_equal(turns_of_eigenvectors(np.ones(3), np.diag([3.0, 1.0, 2.0])), np.eye(3))


def test_turns_of_general_eigenvectors():
    """The turns make the direction diagonal; NaN where a direction has no (real) basis."""
    K = np.array([[1.0, 2.0], [0.0, 3.0]])

    Q = turns_of_general_eigenvectors(np.ones(2), K)

    np.testing.assert_allclose(np.linalg.inv(Q) @ K @ Q, np.diag([1.0, 3.0]), atol=1e-14)
    for without_basis in ([[0.0, 1.0], [-1.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]]):
        assert np.isnan(turns_of_general_eigenvectors(np.ones(2), np.array(without_basis))).all()


@pytest.mark.parametrize("full_matrices", [False, True])
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 4), (5, 4), (4, 6)])
def test_singular_vectors(shape, dtype, full_matrices):
    """They belong to the same matrix, are unitary, and those of equal values and zeros suit the direction."""
    U, _, V_adjoint = np.linalg.svd(normal(*shape, dtype=dtype))
    s = np.array([2.0, 2.0, 0.0, 0.0])
    A, A_dot = U[:, :4] * s @ V_adjoint[:4], normal(*shape, dtype=dtype, seed=1)

    y = adapted_singular_vectors(A, A_dot, np.linalg.svd(A, full_matrices=full_matrices))

    U, _, V_adjoint = y
    P = np.conj(U[:, :4]).T @ A_dot @ np.conj(V_adjoint[:4]).T
    np.testing.assert_allclose(U[:, :4] * s @ V_adjoint[:4], A, atol=1e-14)
    for X in (U, np.conj(V_adjoint).T):
        np.testing.assert_allclose(np.conj(X).T @ X, np.eye(X.shape[1]), atol=1e-14)
    np.testing.assert_allclose(P[0, 1] + np.conj(P[1, 0]), 0, atol=1e-14)
    np.testing.assert_allclose(P[[2, 3], [3, 2]], 0, atol=1e-14)
    assert (P[[2, 3], [2, 3]].real >= 0).all()


def test_arrays_by_which_one_can_choose():
    """Decompositions of infinite numbers do not converge."""
    assert can_adapt(W, W)
    assert not can_adapt(W, np.array([np.inf]))
    assert not can_adapt(np.array([np.nan]))
