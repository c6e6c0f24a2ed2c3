"""Tests of `chainrules_core.structured.sums`."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given

from chainrules_core.structured import Banded, Diagonal, StructuredArray, Tridiagonal, UpperTriangular
from tests.chainrules_core.structured.matrices import (
    BANDED,
    MAKERS,
    assert_same,
    elements,
    every_pair,
    matrices,
    matrix,
    pairs,
)


@given(pairs())
def test_sums_are_those_of_the_dense_matrices(pair):
    """The sum of all kinds, sizes and precisions equals that of the dense matrices."""
    A, B = pair

    assert_same(A + B, A.to_dense() + B.to_dense())
    assert_same(A - B, A.to_dense() - B.to_dense())


@given(matrices())
def test_sums_with_ordinary_arrays(A):
    """They broadcast as NumPy's do."""
    dense, rng = A.to_dense(), np.random.default_rng(0)

    for x in (elements(rng, A.dtype, *A.shape), elements(rng, A.dtype, len(A)), 2.0):
        assert_same(A + x, dense + x)
        assert_same(x + A, x + dense)
        assert_same(A - x, dense - x)
        assert_same(x - A, x - dense)


def test_unsigned_integers_are_subtracted_as_what_they_are_promoted_to():
    """Unsigned integers are promoted before they are subtracted: their negatives would wrap around."""
    small, large = Diagonal(np.array([1, 2], np.uint8)), Diagonal(np.array([2, 1], np.int16))

    np.testing.assert_array_equal((large - small).diag, [1, -1])
    np.testing.assert_array_equal((small - large).diag, [-1, 1])
    np.testing.assert_array_equal(large - np.ones((2, 2), np.uint8), [[1, -1], [-1, 0]])


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    "container", [scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array]
)
def test_sums_with_sparse_arrays(kind, container):
    """With banded matrices they are sparse."""
    A, B = matrix(kind), container(np.diag([1.0, 0.0, 2.0, 3.0], 1)[:4, :4])

    for result, dense in ((A + B, A.to_dense() + B.toarray()), (B - A, B.toarray() - A.to_dense())):
        assert scipy.sparse.issparse(result) is (kind in BANDED)
        assert type(result) is type(B) if kind in BANDED else type(result) is np.ndarray
        np.testing.assert_allclose(result.toarray() if kind in BANDED else result, dense)


def test_sums_of_sparse_parents():
    """A matrix that is made of a sparse array and a sparse array have a sparse sum."""
    A, B = (scipy.sparse.csr_array(np.arange(9.0).reshape(3, 3) % k) for k in (2, 3))

    for total in (UpperTriangular(A) + B, B + UpperTriangular(A)):
        assert scipy.sparse.issparse(total)
        np.testing.assert_array_equal(total.toarray(), np.triu(A.toarray()) + B.toarray())


def test_other_sizes_are_refused():
    """Structured matrices of two sizes do not broadcast."""
    with pytest.raises(ValueError, match=r"\(2, 2\) and \(3, 3\)"):
        Diagonal(np.ones(2)) + UpperTriangular(np.ones((3, 3)))


def test_in_place_sums_rebind_where_they_have_to():
    """``A += B`` is `A` if the sum is of its kind and dtype, and a new matrix otherwise."""
    D = Diagonal(np.ones(2))
    before = D

    D += Diagonal(np.ones(2))
    assert D is before
    assert D == 2 * np.eye(2)
    D += UpperTriangular(np.ones((2, 2)))
    assert isinstance(D, StructuredArray)
    assert D == np.array([[3.0, 1.0], [0.0, 3.0]])
    assert before == 2 * np.eye(2)


def test_sums_are_in_memory_of_their_own():
    """Also the diagonals that only one of two matrices has: adding in place changes no operand."""
    T = Tridiagonal(np.ones(2), np.ones(3), np.ones(2))
    total = Diagonal(np.ones(3)) + T
    total += T

    assert T == Tridiagonal(np.ones(2), np.ones(3), np.ones(2))
    assert total == Tridiagonal(2 * np.ones(2), 3 * np.ones(3), 2 * np.ones(2))


@pytest.mark.parametrize("kind", MAKERS)
def test_sums_with_every_kind(kind):
    """The elements are added; of two banded matrices the sum reaches as far as either."""
    for A, B in every_pair(kind):
        assert_same(A + B, A.to_dense() + B.to_dense())
        assert_same(A - B, A.to_dense() - B.to_dense())
        if isinstance(A, Banded) and isinstance(B, Banded):
            reach = zip(A.extent, B.extent, (min, max), strict=True)
            assert (A + B).extent == tuple(farther(a, b) for a, b, farther in reach)
        arrays = [A + B] if isinstance(A + B, np.ndarray) else (A + B).arrays()
        assert not any(np.may_share_memory(x, y) for x in arrays for y in (*A.arrays(), *B.arrays()))


def test_symmetry_of_sums():
    """Of two symmetric or two Hermitian matrices, also where one is banded or in the other triangle."""
    names = ("Symmetric U", "Symmetric L", "Hermitian U", "Hermitian L", "SymTridiagonal", "Diagonal")
    for first in names:
        for second in names:
            total = matrix(first) + matrix(second, seed=1)
            kinds = {first.split()[0], second.split()[0]}
            ranked = ("Hermitian", "Symmetric", "SymTridiagonal", "Diagonal")
            expected = next(name for name in ranked if name in kinds)
            assert type(total).__name__ == expected
            complex_one = matrix(first, dtype="complex128") + matrix(second, dtype="complex128", seed=1)
            is_mixed = "Hermitian" in kinds and kinds != {"Hermitian"}
            assert type(complex_one).__name__ == ("ndarray" if is_mixed else expected)
