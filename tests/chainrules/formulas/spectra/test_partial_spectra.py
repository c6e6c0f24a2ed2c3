"""The derivatives of one eigenpair, or one singular triplet, without the others."""

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse

from chainrules.formulas.spectra.partial_spectra import pull_pair, pull_triplet, push_pair, push_triplet
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

N = 5
METRIC = np.eye(N) + 0.2 * np.eye(N, k=1) + 0.2 * np.eye(N, k=-1)


def hermitian(dtype=float, *, seed=0):
    """A random Hermitian matrix."""
    A = normal(N, N, dtype=dtype, seed=seed)
    return A + A.conj().T


def pair(A, M, i=1):
    """An eigenvalue and its vector, of which the first component is positive."""
    w, V = scipy.linalg.eigh(A, M)
    return w[i], V[:, i] * np.sign(V[0, i])


def test_pairs():
    """The tangents are those of differences, and the cotangents of both matrices their transpose."""
    A, A_dot, M_dot = hermitian(), hermitian(seed=1), hermitian(seed=2) / 10
    y, h = pair(A, METRIC), 1e-6
    ahead, behind = (pair(A + t * A_dot, METRIC + t * M_dot) for t in (h, -h))
    value_dot, v_dot = push_pair(y, (A, METRIC), (A_dot, M_dot), True)
    np.testing.assert_allclose(value_dot, (ahead[0] - behind[0]) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(v_dot, (ahead[1] - behind[1]) / (2 * h), atol=1e-7)

    bars = (0.7, normal(N, seed=3))
    A_bar, M_bar = pull_pair(y, (A, METRIC), bars, True)
    felt = np.sum(A_bar * A_dot) + np.sum(M_bar * M_dot)
    assert felt == pytest.approx(bars[0] * value_dot + bars[1] @ v_dot)
    np.testing.assert_allclose(A_bar, A_bar.T)


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csc_array])
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("has_metric", [True, False])
def test_equations_of_pairs(has_metric, dtype, form):
    """The derivatives of ``A v = w M v`` and ``vᴴ M v = 1`` hold, and both modes are transposed."""
    A, A_dot, M, M_dot = (hermitian(dtype, seed=seed) for seed in (1, 2, 3, 4))
    M, M_dot = (np.eye(N) + M / 20, M_dot) if has_metric else (np.eye(N), np.zeros((N, N)))
    w, V = scipy.linalg.eigh(A, M)
    w, v = w[1], V[:, 1]
    matrices = form(A), form(M) if has_metric else None
    tangents = form(A_dot), form(M_dot) if has_metric else ZeroTangent()

    w_dot, v_dot = push_pair((w, v), matrices, tangents, True)
    moved = A_dot @ v + A @ v_dot - w_dot * M @ v - w * (M_dot @ v + M @ v_dot)
    np.testing.assert_allclose(moved, 0, atol=1e-12)
    np.testing.assert_allclose(v.conj() @ M @ v_dot, -0.5 * v.conj() @ M_dot @ v, atol=1e-13)

    v_bar = normal(N, dtype=dtype, seed=5)
    v_bar = v_bar - 1j * v * np.vdot(v, v_bar).imag / np.vdot(v, v) if dtype is complex else v_bar
    A_bar, M_bar = pull_pair((w, v), matrices, (0.7, v_bar), True)
    felt = sum(_felt(X_bar, X_dot) for X_bar, X_dot in ((A_bar, A_dot), (M_bar, M_dot)) if X_bar is not None)
    assert felt == pytest.approx(0.7 * w_dot + np.vdot(v_bar, v_dot).real)


def _felt(X_bar, X_dot):
    X_bar = X_bar.toarray() if scipy.sparse.issparse(X_bar) else X_bar
    return np.vdot(X_bar, X_dot).real


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csc_array])
@pytest.mark.parametrize("dtype", [float, complex])
def test_equations_of_triplets(dtype, form):
    """The derivatives of ``A v = s u`` and ``Aᴴ u = s v`` hold, and both modes are transposed."""
    A, A_dot = normal(N, 4, dtype=dtype), normal(N, 4, dtype=dtype, seed=1)
    U, s, Vh = np.linalg.svd(A, full_matrices=False)
    u, s, v = triplet = U[:, 1], s[1], Vh[1].conj()

    u_dot, s_dot, v_dot = push_triplet(triplet, form(A), form(A_dot))
    np.testing.assert_allclose(A_dot @ v + A @ v_dot, s_dot * u + s * u_dot, atol=1e-12)
    left = A_dot.conj().T @ u + A.conj().T @ u_dot
    np.testing.assert_allclose(left, s_dot * v + s * v_dot, atol=1e-12)

    bars = normal(N, dtype=dtype, seed=2), 0.3, normal(4, dtype=dtype, seed=3)
    if dtype is complex:
        turn = 0.5j * (np.vdot(u, bars[0]) + np.vdot(v, bars[2])).imag
        bars = bars[0] - turn * u, 0.3, bars[2] - turn * v
    felt = _felt(pull_triplet(triplet, form(A), bars), A_dot)
    dots = u_dot, s_dot, v_dot
    assert felt == pytest.approx(sum(np.vdot(bar, dot).real for bar, dot in zip(bars, dots, strict=True)))


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csc_array])
def test_way_of_solving(form):
    """Sparse systems are solved by SciPy, and so are dense ones that are nearly all zeros."""
    tridiagonal = np.diag(np.arange(100.0)) + np.eye(100, k=1) + np.eye(100, k=-1)
    for A, is_sparse in ((hermitian(), form is not np.asarray), (tridiagonal, True)):
        y, tangents = pair(A, None), (form(A), ZeroTangent())
        calls = functions_run_by(lambda A=A, y=y, dots=tangents: push_pair(y, (form(A), None), dots, True))
        assert bool(calls["spsolve"]) == is_sparse


def test_zeros_of_pairs():
    """A matrix that does not move, and results that nothing depends on."""
    A = hermitian()
    y = pair(A, METRIC)
    value_dot, _ = push_pair(y, (A, METRIC), (ZeroTangent(), METRIC), True)
    np.testing.assert_allclose(value_dot, -y[0])
    by_value = pull_pair(y, (A, None), (1.0, ZeroTangent()), False)
    assert by_value[1] is None
    by_nothing = pull_pair(pair(A, None), (A, None), (ZeroTangent(), ZeroTangent()), False)
    np.testing.assert_allclose(by_nothing[0], 0, atol=1e-12)


def test_triplets():
    """The tangents are those of differences, and the cotangent their transpose."""
    A, A_dot, h = normal(N, 4), normal(N, 4, seed=1), 1e-6

    def triplet(A):
        U, s, Vh = np.linalg.svd(A, full_matrices=False)
        sign = np.sign(U[0, 1])
        return U[:, 1] * sign, s[1], Vh[1] * sign

    y = triplet(A)
    dots = push_triplet(y, A, A_dot)
    for dot, ahead, behind in zip(dots, triplet(A + h * A_dot), triplet(A - h * A_dot), strict=True):
        np.testing.assert_allclose(dot, (ahead - behind) / (2 * h), atol=1e-7)
    bars = normal(N, seed=2), 0.3, normal(4, seed=3)
    felt = sum(np.sum(bar * dot) for bar, dot in zip(bars, dots, strict=True))
    assert np.sum(pull_triplet(y, A, bars) * A_dot) == pytest.approx(felt)


def test_phases_are_refused():
    """A cotangent that turns a vector depends on its phase."""
    A = np.diag(np.arange(1.0, 4)).astype(complex)
    v = np.eye(3, dtype=complex)[0]
    with pytest.raises(ValueError, match="arbitrary"):
        pull_pair((1.0, v), (A, None), (0.0, 1j * v), True)
    with pytest.raises(ValueError, match="arbitrary"):
        pull_triplet((v, 1.0, v), A, (1j * v, 0.0, 0 * v))
