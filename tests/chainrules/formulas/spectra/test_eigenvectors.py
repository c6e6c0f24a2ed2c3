"""The derivatives of eigenvalues and eigenvectors of Hermitian matrices, against finite differences."""

import numpy as np
import pytest

from chainrules.formulas.spectra.eigenvectors import other_eigenvectors, pull_eigh, push_eigh
from chainrules_core import ZeroTangent
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
    zero = ZeroTangent()
    for bars, part in (((y_bar[0], zero), 0), ((zero, y_bar[1]), 1)):
        expected = np.vdot(y_bar[part], pushed[part]).real
        assert np.vdot(pull_eigh(y, bars), np.tril(A_dot)).real == pytest.approx(expected)


@pytest.mark.parametrize("is_lower", [True, False])
def test_phases_of_vectors_that_a_direction_chooses(is_lower):
    """The component that LAPACK keeps real is real; where it is zero, the vector still has length one."""
    real = 0 if is_lower else -1
    A_dot = np.zeros((3, 3), complex)
    A_dot[:2, :2] = [[1.0, 1j], [-1j, 4.0]]  # at equal eigenvalues the vectors are those of the direction
    A_dot = A_dot[::-1, ::-1] if is_lower else A_dot

    (_, V), _ = push_eigh((np.zeros(3), np.eye(3, dtype=complex)), A_dot, is_lower)
    np.testing.assert_allclose(np.conj(V.T) @ V, np.eye(3), atol=1e-14)
    A_dot = hermitian(complex)
    (_, V), (w_dot, V_dot) = push_eigh((np.zeros(3), np.eye(3, dtype=complex)), A_dot, is_lower)
    np.testing.assert_allclose(np.conj(V.T) @ V, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(np.sort(w_dot), np.linalg.eigvalsh(A_dot))
    np.testing.assert_allclose(np.conj(V.T) @ V_dot + np.conj(V_dot.T) @ V, 0, atol=1e-14)
    np.testing.assert_allclose(np.imag(V[real]), 0, atol=1e-14)
    assert np.abs(np.imag(V)).max() > 0.1


@pytest.mark.parametrize("dtype", [float, complex])
def test_some_of_the_vectors(dtype):
    """They are differentiated as they are among all."""
    A, A_dot = hermitian(dtype), hermitian(dtype, 1)
    w, V = np.linalg.eigh(A)
    y, others = (w[:2], V[:, :2]), (w[2:], V[:, 2:])
    bars = normal(2, seed=2), normal(3, 2, dtype=dtype, seed=3)

    _, (w_dot, V_dot) = push_eigh((w, V), A_dot)
    _, pushed = push_eigh(y, A_dot, others=others)
    np.testing.assert_allclose(pushed[0], w_dot[:2])
    np.testing.assert_allclose(pushed[1], V_dot[:, :2])
    whole_bars = np.append(bars[0], 0), np.concatenate([bars[1], np.zeros((3, 1))], axis=1)
    np.testing.assert_allclose(pull_eigh(y, bars, others=others), pull_eigh((w, V), whole_bars))


def test_one_of_two_vectors_of_an_eigenvalue():
    """It is arbitrary, and has no derivative."""
    y, others = (np.ones(1), np.eye(2)[:, :1]), (np.ones(1), np.eye(2)[:, 1:])

    assert np.isnan(push_eigh(y, np.array([[0.0, 1.0], [1.0, 0.0]]), others=others)[1][1]).any()
    assert np.isnan(pull_eigh(y, (np.ones(1), np.ones((2, 1))), others=others)).any()


@pytest.mark.parametrize("first", [0, 1, 3])
def test_others_of_a_subset(first):
    """All but two that follow each other, of each matrix of a stack, by their places or by a bound."""
    H = normal(2, 5, 5)
    H = H + np.swapaxes(H, -1, -2)
    w, V = np.linalg.eigh(H)
    others = [k for k in range(5) if k not in (first, first + 1)]
    w2, V2 = other_eigenvectors(H, 2, (first, first + 1), None)
    np.testing.assert_array_equal(w2, w[:, others])
    np.testing.assert_array_equal(V2, V[:, :, others])
    # The bound itself does not belong to the subset.
    bound = -np.inf if first == 0 else w[0, first - 1]
    np.testing.assert_array_equal(other_eigenvectors(H[0], 2, None, (bound, np.inf))[0], w[0, others])
    assert other_eigenvectors(H, 5, None, None) is None
