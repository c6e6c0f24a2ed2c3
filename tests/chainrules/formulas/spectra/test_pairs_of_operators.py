"""The derivatives of eigenpairs and singular triplets of operators, by products alone."""

import numpy as np
import pytest
import scipy.linalg
from scipy.sparse.linalg import aslinearoperator

from chainrules.ad import ADConfig
from chainrules.formulas.spectra import partial_spectra
from chainrules.formulas.spectra.pairs_of_operators import (
    Deflated,
    Dilation,
    InRealParts,
    pull_pair_of_operator,
    pull_triplet_of_operator,
    push_pair_of_operator,
    push_triplet_of_operator,
)
from chainrules_core import NO_TANGENT, Tangent, unthunk
from tests.chainrules.rule_checks import normal

CONFIG = ADConfig()


def hermitian(dtype, seed=0):
    """A random Hermitian matrix."""
    A = normal(5, 5, seed=seed, dtype=dtype)
    return A + A.conj().T


@pytest.mark.parametrize("dtype", [float, complex])
def test_pairs(dtype):
    """As of the matrix, entry by entry."""
    A, A_dot = hermitian(dtype), hermitian(dtype, seed=1)
    w, V = scipy.linalg.eigh(A)
    pair = w[2], V[:, 2]
    operator = aslinearoperator(A)

    dots = push_pair_of_operator(CONFIG, pair, operator, Tangent[type(operator)](A=A_dot))
    for dot, expected in zip(
        dots, partial_spectra.push_pair(pair, (A, None), (A_dot, NO_TANGENT), True), strict=True
    ):
        np.testing.assert_allclose(dot, expected, rtol=1e-9, atol=1e-10)

    v_bar = normal(5, dtype=dtype)
    v_bar = v_bar - 1j * pair[1] * np.vdot(pair[1], v_bar).imag if dtype is complex else v_bar
    for bars in ((0.7, v_bar), (0.7, NO_TANGENT), (NO_TANGENT, v_bar)):
        expected, _ = partial_spectra.pull_pair(pair, (A, None), bars, True)
        A_bar = unthunk(pull_pair_of_operator(CONFIG, pair, operator, bars).A)
        np.testing.assert_allclose(A_bar + A_bar.conj().T, 2 * expected, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("dtype", [float, complex])
def test_triplets(dtype):
    """As of the matrix, entry by entry."""
    A, A_dot = normal(5, 3, dtype=dtype), normal(5, 3, seed=1, dtype=dtype)
    U, s, Vh = np.linalg.svd(A, full_matrices=False)
    triplet = U[:, 1], s[1], Vh[1].conj()
    operator = aslinearoperator(A)

    dots = push_triplet_of_operator(CONFIG, triplet, operator, Tangent[type(operator)](A=A_dot))
    for dot, expected in zip(dots, partial_spectra.push_triplet(triplet, A, A_dot), strict=True):
        np.testing.assert_allclose(dot, expected, rtol=1e-9, atol=1e-10)

    u_bar = normal(5, dtype=dtype)
    u_bar = u_bar - 1j * triplet[0] * np.vdot(triplet[0], u_bar).imag if dtype is complex else u_bar
    for bars in ((u_bar, 0.7, NO_TANGENT), (NO_TANGENT, 0.7, NO_TANGENT)):
        expected = partial_spectra.pull_triplet(triplet, A, bars)
        A_bar = pull_triplet_of_operator(CONFIG, triplet, operator, bars).A
        np.testing.assert_allclose(unthunk(A_bar), expected, rtol=1e-9, atol=1e-10)


def test_phases_are_refused():
    """A derivative by the phase of a vector has no meaning."""
    A = hermitian(complex)
    w, V = scipy.linalg.eigh(A)
    with pytest.raises(ValueError, match="arbitrary"):
        pull_pair_of_operator(CONFIG, (w[0], V[:, 0]), aslinearoperator(A), (0.0, 1j * V[:, 0]))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # MINRES divides by what is nearly zero
def test_what_does_not_converge_is_refused(monkeypatch):
    """Rather than a vector that solves nothing."""
    A = hermitian(float)
    w, V = scipy.linalg.eigh(A)
    not_converged = lambda system, r, **options: (r, 1)  # noqa: E731 - one expression
    monkeypatch.setattr("chainrules.formulas.spectra.pairs_of_operators._minres", not_converged)
    with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
        pull_pair_of_operator(CONFIG, (w[0], V[:, 0]), aslinearoperator(A), (0.0, normal(5)))


@pytest.mark.parametrize("dtype", [float, complex])
def test_the_operators_in_between(dtype):
    """They are the matrices that they stand for, and Hermitian."""
    A, B = hermitian(dtype), normal(4, 3, dtype=dtype)
    w, V = scipy.linalg.eigh(A)
    v = V[:, 1:2]
    v = v + 0.1 * V[:, 2:3]  # nearly an eigenvector only, as they are computed
    v = v / np.linalg.norm(v)
    P = np.eye(5) - v @ v.conj().T
    deflated = Deflated(aslinearoperator(A), w[1], v[:, 0])
    dilation = np.block([[np.zeros((4, 4)), B], [B.conj().T, np.zeros((3, 3))]])
    in_parts = np.block([[A.real, -A.imag], [A.imag, A.real]])
    for operator, matrix in (
        (deflated, P @ (A - w[1] * np.eye(5)) @ P + v @ v.conj().T),
        (Dilation(aslinearoperator(B)), dilation),
        (InRealParts(aslinearoperator(A.astype(complex))), in_parts),
    ):
        assert operator.shape == matrix.shape
        assert operator.dtype == matrix.dtype
        identity = np.eye(len(matrix))
        np.testing.assert_allclose(operator @ identity, matrix, atol=1e-12)
        np.testing.assert_allclose(operator.H @ identity, matrix, atol=1e-12)
