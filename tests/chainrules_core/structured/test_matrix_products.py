"""Tests of `chainrules_core.structured.matrix_products`."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given

from chainrules_core.structured import Banded, Bidiagonal, Diagonal, diagonal_of_product
from tests.chainrules_core.structured.matrices import (
    BANDED,
    MAKERS,
    Hankel,
    assert_same,
    elements,
    every_pair,
    matrices,
    matrix,
    pairs,
)


@given(pairs())
def test_products_are_those_of_the_dense_matrices(pair):
    """The product of matrices of all kinds, sizes and precisions equals the product of the dense matrices."""
    A, B = pair

    assert_same(A @ B, A.to_dense() @ B.to_dense())


@given(matrices())
def test_products_with_ordinary_arrays(A):
    """Products with vectors, matrices and stacks, on both sides, equal those of the dense matrix."""
    dense, rng, n = A.to_dense(), np.random.default_rng(0), len(A)

    for shape in ((n,), (n, 3), (2, n, 3)):
        x = elements(rng, A.dtype, *shape)
        assert_same(A @ x, dense @ x)
    for shape in ((n,), (3, n), (2, 3, n)):
        x = elements(rng, A.dtype, *shape)
        assert_same(x @ A, x @ dense)
    np.testing.assert_array_equal(A @ ([1.0] * n), A @ np.ones(n))


def test_products_with_a_kind_of_ones_own():
    """Whose transpose may be an ordinary array."""
    A = Hankel(np.array([1.0, 2.0, 7.0, 4.0, 5.0]))
    for x in (np.arange(3.0), np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(2, 2, 3)):
        assert_same(x @ A, x @ A.to_dense())


@pytest.mark.parametrize("kind", MAKERS)
def test_products_with_sparse_arrays(kind):
    """With banded matrices they are sparse."""
    A, B = matrix(kind), scipy.sparse.csr_array(np.arange(16.0).reshape(4, 4) % 3)

    for result, dense in ((A @ B, A.to_dense() @ B.toarray()), (np.matmul(B, A), B.toarray() @ A.to_dense())):
        assert scipy.sparse.issparse(result) is (kind in BANDED)
        np.testing.assert_allclose(result.toarray() if kind in BANDED else result, dense)


@pytest.mark.parametrize("x", [np.ones(3), np.ones((3, 2)), np.float64(1.0), Diagonal(np.ones(3))])
def test_sizes_are_checked(x):
    """The message names both shapes."""
    with pytest.raises(ValueError, match=r"\(2, 2\)"):
        Diagonal(np.ones(2)) @ x


def test_numbers_are_refused():
    """A matrix product with a number is an error, as in NumPy."""
    with pytest.raises(TypeError):
        Diagonal(np.ones(2)) @ 2


def test_products_of_banded_matrices_are_linear():
    """In memory and time: the dense matrix would take eight terabytes."""
    n = 10**6
    lower, upper = (Bidiagonal(np.ones(n), np.full(n - 1, 2.0), uplo) for uplo in "LU")

    product = lower @ upper

    np.testing.assert_array_equal(product.d[:3], [1.0, 5.0, 5.0])
    np.testing.assert_array_equal(product.du, np.full(n - 1, 2.0))


def test_products_with_what_is_no_array():
    """A product with something that is no array is left to the other operand, and Python refuses."""
    with pytest.raises(TypeError, match="operand type"):
        None @ Diagonal(np.ones(2))


@pytest.mark.parametrize("kind", MAKERS)
def test_products_with_every_kind(kind):
    """Those of the dense matrices; of two banded matrices banded, where it reaches no farther."""
    for A, B in every_pair(kind):
        assert_same(A @ B, A.to_dense() @ B.to_dense())
        lo, hi = A.extent[0] + B.extent[0], A.extent[1] + B.extent[1]
        are_banded = isinstance(A, Banded) and isinstance(B, Banded)
        if lo >= 0 or hi <= 0:
            assert not isinstance(A @ B, np.ndarray)
        assert isinstance(A @ B, Banded) is (are_banded and lo >= -1 and hi <= 1)
        if type(A) is type(B) and type(A).__name__.endswith("Triangular"):
            assert type(A @ B) is type(A)


@pytest.mark.parametrize("kind", MAKERS)
def test_products_that_do_not_fit(kind):
    """With vectors, matrices and numbers, from both sides."""
    A = matrix(kind)
    for x in (np.ones(3), np.ones((3, 2)), np.ones((2, 3, 2)), np.float64(1.0), scipy.sparse.eye_array(3)):
        with pytest.raises(ValueError, match=r"matmul: shapes \(4, 4\) and"):
            np.matmul(A, x)
    for x in (np.ones(3), np.ones((2, 3)), np.float64(1.0), scipy.sparse.eye_array(3)):
        with pytest.raises(ValueError, match=r"matmul: shapes .* and \(4, 4\)"):
            np.matmul(x, A)


@pytest.mark.parametrize("n", range(1, 5))
def test_diagonals_of_products(n):
    """Of every two banded matrices, those that reach outside of the matrix too."""
    for first in BANDED:
        for second in BANDED:
            A, B = matrix(first, n), matrix(second, n, seed=1)
            dense = A.to_dense() @ B.to_dense()
            for k in range(A.extent[0] + B.extent[0], A.extent[1] + B.extent[1] + 1):
                np.testing.assert_allclose(diagonal_of_product(A, B, k), np.diagonal(dense, k), atol=1e-15)


@pytest.mark.parametrize("kind", BANDED)
@pytest.mark.parametrize("other", ["UpperTriangular", "Symmetric L"])
def test_banded_factors_stay_narrow(monkeypatch, kind, other):
    """Beside a full matrix they are not made dense: the product takes work that is linear in its elements."""
    A, B = matrix(kind), matrix(other)
    expected = A.to_dense() @ B.to_dense()

    monkeypatch.setattr(type(A), "to_dense", None)
    np.testing.assert_allclose(np.asarray(A @ B), expected)


@pytest.mark.parametrize("kind", BANDED)
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4)])
def test_banded_factors_of_ordinary_arrays_stay_narrow(monkeypatch, kind, shape):
    """From either side, beside vectors, matrices and stacks."""
    A, x = matrix(kind), np.arange(float(np.prod(shape))).reshape(shape)
    expected = x @ A.to_dense()

    monkeypatch.setattr(type(A), "to_dense", None)
    np.testing.assert_allclose(x @ A, expected)
    np.testing.assert_allclose(A.T @ (x if x.ndim == 1 else x.mT), expected if x.ndim == 1 else expected.mT)
