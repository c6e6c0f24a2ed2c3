"""The derivatives of eigenvalues and eigenvectors of Hermitian matrices, against finite differences."""

import numpy as np
import pytest

from chainrules.formulas.eigenvectors import pull_eigh, push_eigh
from tests.chainrules.rule_checks import normal


def hermitian(dtype, seed=0):
    """A Hermitian matrix with distinct eigenvalues."""
    A = normal(3, 3, dtype=dtype, seed=seed)
    return A + np.conj(A.T)


@pytest.mark.parametrize("dtype", [float, complex])
def test_tangents(dtype):
    """The tangents agree with central differences of LAPACK's results."""
    A, A_dot, h = hermitian(dtype), hermitian(dtype, 1), 1e-6

    _, pushed = push_eigh(np.linalg.eigh(A), A_dot)
    ahead, behind = np.linalg.eigh(A + h * A_dot), np.linalg.eigh(A - h * A_dot)
    for actual, high, low in zip(pushed, ahead, behind, strict=True):
        np.testing.assert_allclose(actual, (high - low) / (2 * h), atol=1e-7)


@pytest.mark.parametrize("dtype", [float, complex])
def test_modes_are_transposed(dtype):
    """``⟨y_bar, y_dot⟩ = ⟨A_bar, A_dot⟩``, on the triangle that is read."""
    A, A_dot = hermitian(dtype), hermitian(dtype, 1)
    y = np.linalg.eigh(A)
    y_bar = normal(3, seed=2), normal(3, 3, dtype=dtype, seed=3)

    _, pushed = push_eigh(y, A_dot)
    A_bar = pull_eigh(y, y_bar)
    expected = sum(np.vdot(bar, dot).real for bar, dot in zip(y_bar, pushed, strict=True))
    assert np.vdot(A_bar, np.tril(A_dot)).real == pytest.approx(expected)


def test_components_of_zero_have_no_phase():
    """A vector whose component that LAPACK keeps real is zero is not turned, nor made longer."""
    A, A_dot = np.zeros((3, 3), complex), np.zeros((3, 3), complex)
    A_dot[1:, 1:] = [[1.0, 1j], [-1j, 4.0]]  # of equal eigenvalues, to which the direction belongs

    (w, V), _ = push_eigh((np.zeros(3), np.eye(3, dtype=complex)), A_dot)

    np.testing.assert_allclose(np.conj(V.T) @ V, np.eye(3), atol=1e-14)
    np.testing.assert_array_equal(w, 0)
    assert A.shape == V.shape
