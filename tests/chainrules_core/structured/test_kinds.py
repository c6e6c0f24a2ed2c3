"""Tests of `chainrules_core.structured.kinds`."""

import numpy as np
import pytest

from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    LowerTriangular,
    SymTridiagonal,
    Tridiagonal,
    UpperTriangular,
)
from chainrules_core.structured.kinds import (
    are_hermitian,
    are_symmetric,
    as_array,
    between,
    check_same_shape,
    from_bands,
    from_full,
    is_narrow,
)
from tests.chainrules_core.structured.matrices import MAKERS, matrix

SYMMETRIC = {"Diagonal", "SymTridiagonal", "Symmetric U", "Symmetric L"}
HERMITIAN = {"Hermitian U", "Hermitian L"}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_symmetry_is_known_by_the_kind(kind, dtype):
    """What a kind says is true of its matrices; real symmetric matrices are Hermitian."""
    A = matrix(kind, dtype=dtype)
    dense = A.to_dense()

    assert are_symmetric(A) is (kind in SYMMETRIC)
    assert are_hermitian(A) is (kind in HERMITIAN or (kind in SYMMETRIC and dtype == "float64"))
    assert not are_symmetric(A) or np.array_equal(dense, dense.T)
    assert not are_hermitian(A) or np.array_equal(dense, dense.conj().T)
    assert not are_symmetric(matrix("Diagonal"), matrix("Tridiagonal"))


def test_the_narrowest_kind_for_some_diagonals():
    """One diagonal makes a diagonal matrix, two a bidiagonal one of either side, three a tridiagonal one."""
    d, e = np.ones(3), np.ones(2)

    assert type(from_bands({0: d})) is Diagonal
    assert from_bands({0: d, 1: e}) == Bidiagonal(d, e, "U")
    assert from_bands({-1: e, 0: d}) == Bidiagonal(d, e, "L")
    assert from_bands({-1: e, 0: d, 1: 2 * e}) == Tridiagonal(e, d, 2 * e)


def test_the_kind_of_a_full_matrix():
    """Triangular if one side is zero."""
    A = np.ones((2, 2))

    assert type(from_full(A, 0, 2)) is UpperTriangular
    assert type(from_full(A, -2, 0)) is LowerTriangular
    assert from_full(A, -1, 1) is A


def test_narrow_and_wide():
    """Three diagonals are narrow."""
    assert is_narrow(-1, 1)
    assert not is_narrow(0, 2)
    assert not is_narrow(-2, 0)


def test_arguments():
    """Lists are arrays; shapes have to agree."""
    assert type(as_array([1.0])) is np.ndarray
    assert type(as_array((1.0, 2.0))) is np.ndarray
    assert as_array(2.0) == 2.0
    check_same_shape("add", np.ones(2), np.ones(2))
    with pytest.raises(ValueError, match="add: the operands"):
        check_same_shape("add", np.ones(2), np.ones(3))


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(("lo", "hi"), [(-9, 0), (0, 9), (-1, 1), (0, 0), (1, 2), (-9, -1), (2, 9), (-9, 9)])
def test_elements_between_two_diagonals(kind, lo, hi):
    """The others are zero; the result is in memory of its own."""
    A = matrix(kind)
    part = between(A, lo, hi)

    np.testing.assert_array_equal(np.asarray(part), np.triu(np.tril(A.to_dense(), hi), lo))
    arrays = [part] if isinstance(part, np.ndarray) else part.arrays()
    assert not any(np.may_share_memory(x, y) for x in arrays for y in A.arrays())


def test_the_kind_of_a_part():
    """As narrow as the part is; symmetric if it is all that there is."""
    e, d = np.ones(2), np.ones(3)
    A = np.ones((3, 3))

    assert type(between(Tridiagonal(e, d, e), 0, 9)) is Bidiagonal
    assert type(between(SymTridiagonal(d, e), -1, 1)) is SymTridiagonal
    assert type(between(Diagonal(d), -9, 9)) is Diagonal
    assert type(between(UpperTriangular(A), -9, 0)) is Diagonal
    assert type(between(UpperTriangular(A), 0, 9)) is UpperTriangular
    assert type(between(LowerTriangular(A), -1, 0)) is Bidiagonal
