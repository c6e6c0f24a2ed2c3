"""Tests of `chainrules_core.structured.banded`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core.structured import Tridiagonal
from tests.chainrules_core.structured.matrices import BANDED, assert_same, matrices, matrix


@given(matrices(*BANDED))
def test_bands_are_diagonals_of_the_dense_matrix(A):
    """The bands are the diagonals that `extent` spans; all others are zero."""
    dense = A.to_dense()
    lo, hi = A.extent

    assert list(A.bands()) == list(range(lo, hi + 1))
    for offset, band in A.bands().items():
        np.testing.assert_array_equal(band, dense.diagonal(offset)[: len(band)])
    np.testing.assert_array_equal(dense, np.triu(np.tril(dense, hi), lo))


@given(matrices(*BANDED), st.data())
def test_entries_broadcast(A, data):
    """Rows and columns are arrays of any shapes that fit."""
    n = len(A)
    index = st.lists(st.integers(0, n - 1), max_size=4) if n else st.just([])
    i, j = (np.asarray(data.draw(index), dtype=int) for _ in range(2))

    assert_same(A.entries(i[:, np.newaxis], j), A.to_dense()[i[:, np.newaxis], j])


@pytest.mark.parametrize("n", [1, 2, 3])
def test_products_of_small_matrices(n):
    """All diagonals count, however few elements they have."""
    A = Tridiagonal(np.full(n - 1, 2.0), np.full(n, 3.0), np.full(n - 1, 5.0))

    np.testing.assert_array_equal(A.times_dense(np.ones(n)), A.to_dense().sum(axis=1))
    np.testing.assert_array_equal(A.times_dense(np.ones((n, 1)))[:, 0], A.to_dense().sum(axis=1))


def test_the_precision_is_that_of_all_diagonals():
    """Diagonals of two precisions make a matrix of the higher one."""
    A = Tridiagonal(np.ones(1, np.float32), np.ones(2), np.ones(1, np.complex64))

    assert A.dtype == np.complex128
    assert A.to_dense().dtype == np.complex128


@pytest.mark.parametrize("kind", BANDED)
def test_integers(kind):
    """Elements may be integers; solutions are floats."""
    A = matrix(kind, 3).astype(int) + 5 * np.eye(3, dtype=int)[0, 0] * matrix("Diagonal", 3).astype(int)
    A = A + matrix("Diagonal", 3).map_arrays(lambda _: np.full(3, 7))

    assert A.dtype == int
    assert A.solve(np.ones(3, int)).dtype == np.float64
    np.testing.assert_allclose(A.solve(np.ones(3, int)), np.linalg.solve(A.to_dense(), np.ones(3)))


@pytest.mark.parametrize("kind", BANDED)
@pytest.mark.parametrize("shape", [(4,), (4, 1), (4, 4), (2, 4, 3)])
def test_products_with_dense_arrays(kind, shape):
    """With vectors, matrices and stacks of matrices, square ones too."""
    A, y = matrix(kind, 4), np.random.default_rng(0).normal(size=shape)

    np.testing.assert_allclose(A.times_dense(y), A.to_dense() @ y, rtol=1e-12)


@pytest.mark.parametrize("kind", BANDED)
def test_elements_one_by_one(kind):
    """Those that are stored, and zeros of the dtype elsewhere."""
    for dtype in ("float32", "complex128"):
        A = matrix(kind, dtype=dtype)
        dense = A.to_dense()
        for i in range(4):
            for j in range(4):
                assert A.entries(i, j) == dense[i, j]
                assert A.entries(i, j).dtype == dtype
        for offset in range(-5, 6):
            np.testing.assert_array_equal(A.diagonal(offset), np.diagonal(dense, offset))
            assert A.diagonal(offset).dtype == dtype
