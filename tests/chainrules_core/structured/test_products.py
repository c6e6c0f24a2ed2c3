"""Tests of `chainrules_core.structured.products`."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core.structured import (
    Banded,
    Bidiagonal,
    Diagonal,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UpperTriangular,
)
from chainrules_core.structured.triangular import Triangular
from tests.chainrules_core.structured.matrices import (
    MAKERS,
    assert_same,
    elements,
    every_pair,
    matrices,
    matrix,
    pairs,
)


@given(pairs())
def test_products_are_those_of_the_dense_matrices(pair):
    """The elementwise product of all kinds, sizes and precisions equals that of the dense matrices."""
    A, B = pair

    assert_same(A * B, A.to_dense() * B.to_dense())


@given(matrices(), st.sampled_from([2, 0.5, 1 + 2j, np.float32(3), np.asarray(2.0)]))
def test_products_with_numbers(A, factor):
    """Products with numbers on either side, and quotients, keep the kind and equal the dense ones."""
    dense = A.to_dense()

    assert_same(A * factor, dense * factor)
    assert_same(factor * A, factor * dense)
    assert_same(A / factor, dense / factor)


@given(matrices())
def test_products_with_ordinary_arrays(A):
    """They broadcast as NumPy's do."""
    dense, rng = A.to_dense(), np.random.default_rng(0)
    n = len(A)

    for shape in ((n, n), (n,), (n, 1), (1, n), (1, 1), (2, n, n)):
        x = elements(rng, A.dtype, *shape)
        assert_same(A * x, dense * x)
        assert_same(x * A, x * dense)


def test_zeros_stay():
    """A product has the zeros of both factors, even where the other factor is infinite."""
    x = np.where(np.eye(3) == 1, 2.0, np.inf)
    D, U = Diagonal(np.ones(3)), UpperTriangular(np.ones((3, 3)))

    assert D * x == 2 * np.eye(3)
    np.testing.assert_array_equal(np.asarray(U * np.tril(x)), 2 * np.eye(3))
    assert type(D * x) is type(U * D) is Diagonal
    assert type(U * np.ones((3, 3))) is UpperTriangular
    assert type(Tridiagonal([1.0], [1.0, 2.0], [3.0]) * UpperTriangular(np.ones((2, 2)))) is Bidiagonal
    assert type(Symmetric(np.eye(3)) * np.ones((3, 3))) is np.ndarray


@pytest.mark.parametrize("kind", MAKERS)
def test_products_with_sparse_arrays(kind):
    """`np.multiply` takes them in any order; SciPy's own `*` does not ask us."""
    A, B = matrix(kind), scipy.sparse.csr_array(np.arange(16.0).reshape(4, 4) % 3)

    for result in (np.multiply(A, B), np.multiply(B, A)):
        elements_of = result.toarray() if scipy.sparse.issparse(result) else np.asarray(result)
        np.testing.assert_allclose(elements_of, A.to_dense() * B.toarray())


@pytest.mark.parametrize("kind", MAKERS)
def test_products_with_every_kind(kind):
    """The elements are multiplied; where one is banded the product reaches as far as both."""
    for A, B in every_pair(kind):
        assert_same(A * B, A.to_dense() * B.to_dense())
        lo, hi = max(A.extent[0], B.extent[0]), min(A.extent[1], B.extent[1])
        if isinstance(A, Banded) or isinstance(B, Banded):
            assert isinstance(A * B, Banded)
            assert (A * B).extent == (min(lo, 0), max(hi, 0))
            both = {type(A), type(B)}
            if SymTridiagonal in both and both <= {SymTridiagonal, Symmetric}:
                assert type(A * B) is SymTridiagonal
        elif lo == hi:
            assert type(A * B) is Diagonal
        elif type(A) is type(B) and isinstance(A, Triangular):
            assert type(A * B) is type(A)


@pytest.mark.parametrize("kind", MAKERS)
def test_factors_of_every_kind(kind):
    """Real and complex, on either side; a quotient, too."""
    for dtype in ("float64", "complex128"):
        A = matrix(kind, dtype=dtype)
        for factor in (3.0, 2, 1.0 + 2.0j, np.float32(0.5), np.array(3.0), np.complex64(1j)):
            assert_same(np.asarray(A * factor), A.to_dense() * factor)
            assert_same(np.asarray(factor * A), factor * A.to_dense())
            assert_same(np.asarray(A / factor), A.to_dense() / factor)
            assert type(A * factor) is type(A / factor)
        for shape in ((4,), (4, 1), (1, 4), (1, 1), (1,)):
            y = 2.0 + np.arange(float(np.prod(shape))).reshape(shape)
            assert_same(np.asarray(A * y), A.to_dense() * y)
            assert isinstance(A * y, Banded) is isinstance(A, Banded)
        with pytest.raises(ValueError, match="broadcast"):
            A * np.ones(3)
