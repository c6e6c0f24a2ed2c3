"""Decompositions of lazy matrices: NumPy's conventions."""

import numpy as np
import pytest

from chainrules.numerics import lazy_matrices
from tests.chainrules.lazy_checks import lazily, nothing_computed
from tests.python_calls import functions_run_by

RNG = np.random.default_rng(0)
A = RNG.normal(size=(8, 3))
S = A.T @ A + np.eye(3)
P = np.diag(np.arange(1.0, 5.0)) + np.ones((4, 4))
H = P + 1j * (np.eye(4, k=1) - np.eye(4, k=-1)) / 2


def test_arrays_in_memory():
    """NumPy's own functions are called."""
    np.testing.assert_array_equal(lazy_matrices.cholesky(S, upper=True), np.linalg.cholesky(S, upper=True))
    np.testing.assert_array_equal(
        lazy_matrices.solve(P, np.ones((4, 2))), np.linalg.solve(P, np.ones((4, 2)))
    )
    assert not functions_run_by(lambda: lazy_matrices.solve(P, np.ones((4, 2))))["in_one_block"]
    for mine, own in (
        (lazy_matrices.qr(A, "complete"), np.linalg.qr(A, "complete")),
        (lazy_matrices.svd(A, True, False), np.linalg.svd(A)),
        (lazy_matrices.svd(S, False, True), np.linalg.svd(S, hermitian=True)),
    ):
        for part, own_part in zip(mine, own, strict=True):
            np.testing.assert_array_equal(part, own_part)


@pytest.mark.parametrize("matrix", [P, H], ids=["real", "complex"])
@pytest.mark.parametrize("named", [{}, {"upper": False}, {"upper": True}], ids=str)
def test_cholesky(matrix, named):
    """The lower factor, unless the upper one is asked for."""
    pytest.importorskip("dask.array")
    with nothing_computed():
        factor = lazy_matrices.cholesky(lazily(matrix, chunks=2), **named)
    np.testing.assert_allclose(
        factor.compute(scheduler="synchronous"), np.linalg.cholesky(matrix, **named), atol=1e-13
    )


@pytest.mark.parametrize("chunks", [(4, 3), (8, 3)], ids=["tall", "one chunk"])
def test_factors_multiply_to_the_matrix(chunks):
    """Results are NumPy's named tuples."""
    pytest.importorskip("dask.array")
    lazy = lazily(A, chunks)
    with nothing_computed():
        y, z = lazy_matrices.qr(lazy, "reduced"), lazy_matrices.svd(lazy, False, False)
    np.testing.assert_allclose((y.Q @ y.R).compute(scheduler="synchronous"), A, atol=1e-13)
    np.testing.assert_allclose((z.U * z.S @ z.Vh).compute(scheduler="synchronous"), A, atol=1e-13)
    np.testing.assert_allclose(z.S.compute(scheduler="synchronous"), np.linalg.svd(A)[1])


def test_lazy_columns():
    """They are solved for by a matrix in memory."""
    pytest.importorskip("dask.array")
    with nothing_computed():
        X = lazy_matrices.solve(P, lazily(np.ones((4, 2))))
    np.testing.assert_allclose(X.compute(scheduler="synchronous"), np.linalg.solve(P, np.ones((4, 2))))


def test_refusals():
    """What Dask does not have."""
    pytest.importorskip("dask.array")
    with pytest.raises(TypeError, match="complete"):
        lazy_matrices.qr(lazily(A), "complete")
    with pytest.raises(TypeError, match="full_matrices=False"):
        lazy_matrices.svd(lazily(A), True, False)
    with pytest.raises(TypeError, match="full_matrices=False"):
        lazy_matrices.svd(lazily(S), False, True)
    assert lazy_matrices.svd(lazily(S), True, False).U.shape == (3, 3)  # of a square matrix both are the same


def test_solve():
    """A matrix in memory, and columns that may be lazy."""
    np.testing.assert_array_equal(lazy_matrices.solve(S, A.T), np.linalg.solve(S, A.T))
    pytest.importorskip("dask.array")
    with nothing_computed():
        X, Y = (
            lazy_matrices.solve(S, lazily(A.T)),
            lazy_matrices.solve(lazily(P, chunks=2), lazily(P, chunks=2)),
        )
    np.testing.assert_allclose(X.compute(scheduler="synchronous"), np.linalg.solve(S, A.T))
    np.testing.assert_allclose(Y.compute(scheduler="synchronous"), np.eye(4), atol=1e-12)
