"""The derivatives of eigenvalues and eigenvectors of general matrices, against finite differences."""

import numpy as np
import pytest

from chainrules.formulas.spectra.general_eigenvectors import (
    freed_of_normalization,
    length_and_phase,
    normalization,
    pull_eigenvalues,
    pull_eigenvectors,
    push_eigenvectors,
    refuse_defective,
)
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal

MATRICES = [np.diag([1.0, 2.0, 4.0]) + normal(3, 3) / 10, np.diag([1.0, 2.0, 4j]) + normal(3, 3) / 10]


@pytest.mark.parametrize("A", MATRICES)
def test_both_modes(A):
    """The tangents are those of central differences, and the cotangent their transpose."""
    A_dot, h = normal(3, 3, dtype=A.dtype, seed=1), 1e-6
    w, V = np.linalg.eig(A)

    _, dots = push_eigenvectors(w, V, np.linalg.solve(V, A_dot @ V))
    ahead, behind = np.linalg.eig(A + h * A_dot), np.linalg.eig(A - h * A_dot)
    for actual, high, low in zip(dots, ahead, behind, strict=True):
        np.testing.assert_allclose(actual, (high - low) / (2 * h), atol=1e-7)
    w_bar, V_bar = normal(3, dtype=w.dtype), normal(3, 3, dtype=V.dtype, seed=2)
    K_bar = pull_eigenvectors(w, V, w_bar, freed_of_normalization(None, V, V_bar))
    A_bar = np.linalg.solve(np.conj(V.T), K_bar @ np.conj(V.T))
    expected = np.vdot(w_bar, dots[0]) + np.vdot(V_bar, dots[1])
    assert np.vdot(A_bar, A_dot).real == pytest.approx(expected.real)


@pytest.mark.parametrize("A", MATRICES)
def test_parts(A):
    """Eigenvalues alone need no division by gaps, and vectors may be differentiated by alone."""
    w, V = np.linalg.eig(A)
    w_bar, V_bar = normal(3, dtype=w.dtype), normal(3, 3, dtype=V.dtype, seed=2)
    V_bar = freed_of_normalization(None, V, V_bar)

    of_vectors = pull_eigenvectors(w, V, ZeroTangent(), V_bar)
    np.testing.assert_allclose(of_vectors + np.diag(w_bar), pull_eigenvectors(w, V, w_bar, V_bar))
    expected = np.linalg.solve(np.conj(V.T), np.diag(w_bar) @ np.conj(V.T))
    np.testing.assert_allclose(pull_eigenvalues(V, w_bar), expected)


@pytest.mark.parametrize("dtype", [float, complex])
def test_equal_eigenvalues(dtype):
    """The vectors are those that suit the direction, of length one and LAPACK's phase."""
    basis, h = np.eye(3) + normal(3, 3, dtype=dtype) / 5, 1e-7
    A, w = basis @ np.diag([1.0, 1.0, 3.0]) @ np.linalg.inv(basis), np.array([1.0, 1.0, 3.0], dtype)
    V = basis / length_and_phase(basis)
    A_dot = basis @ np.diag([1.0, 2.0, 5.0]) @ np.linalg.inv(basis) + normal(3, 3, dtype=dtype, seed=1) / 5

    V, (w_dot, V_dot) = push_eigenvectors(w, V, np.linalg.solve(V, A_dot @ V))
    np.testing.assert_allclose(length_and_phase(V), 1.0, atol=1e-13)
    np.testing.assert_allclose(A @ V, V * w, atol=1e-12)
    ahead = np.linalg.eigvals(A + h * A_dot)
    np.testing.assert_allclose(np.sort_complex(w + h * w_dot), np.sort_complex(ahead), atol=1e-11)
    np.testing.assert_allclose(np.sum(np.conj(V) * V_dot, axis=0).real, 0.0, atol=1e-13)


def test_arbitrary_phase():
    """Then no vector turns along itself, and a cotangent that feels the phase is refused."""
    V, V_dot = np.linalg.eig(MATRICES[1])[1], normal(3, 3, dtype=complex)

    moved = V_dot + V * normalization(V, V_dot, has_phase=False)
    np.testing.assert_allclose(np.sum(np.conj(V) * moved, axis=0), 0, atol=1e-14)
    with pytest.raises(ValueError, match=r"^the call has no derivative by the phase"):
        freed_of_normalization("the call", V, V_dot)
    freed = freed_of_normalization("the call", V, moved)
    np.testing.assert_allclose(freed, moved, atol=1e-14)


@pytest.mark.parametrize("A", MATRICES)
def test_length_and_phase(A):
    """Divided by these numbers, vectors of any length are LAPACK's."""
    V = np.linalg.eig(A)[1]
    factors = np.array([2.0, 0.5, 3.0]) * (np.exp(1j * np.arange(3)) if np.iscomplexobj(V) else 1)

    W = V * factors / length_and_phase(V * factors)
    np.testing.assert_allclose(W * np.sign(np.real(np.sum(np.conj(W) * V, axis=0))), V)


def test_matrices_of_a_stack_are_defective_by_themselves():
    """One has equal eigenvalues and a basis, another one bad but different eigenvalues."""
    w, bad = np.array([[1.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 1.0], [0.0, 1e-15]])
    refuse_defective(w, np.stack([np.eye(2), bad]))
    with pytest.raises(np.linalg.LinAlgError, match="defective"):
        refuse_defective(w, np.stack([bad, np.eye(2)]))
