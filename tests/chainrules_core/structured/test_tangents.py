"""Tests of `chainrules_core.structured.tangents`: zeros, and sums in place."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import (
    InplaceableThunk,
    NoTangent,
    Tangent,
    add_inplace,
    is_inplaceable_destination,
    thunk,
    zero_tangent,
)
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    I,
    LowerTriangular,
    SymTridiagonal,
    Tridiagonal,
    UpperTriangular,
)
from tests.chainrules_core.structured.matrices import BANDED, DTYPES, MAKERS, matrix

INPLACEABLE = (*BANDED, "UpperTriangular", "LowerTriangular")


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_zeros(kind, dtype):
    """The zero is of the kind and precision of its primal; of a unit triangular matrix it is triangular."""
    A = matrix(kind, dtype=dtype)
    zero = zero_tangent(A)

    assert zero.dtype == dtype
    assert zero == np.zeros((4, 4))
    assert type(zero).__name__ == type(A).__name__.removeprefix("Unit")
    assert zero_tangent(zero) == zero


def test_zeros_of_other_numbers():
    """Integers have floats for tangents, bools none."""
    assert zero_tangent(Diagonal([1, 2])).dtype == np.float64
    assert zero_tangent(Diagonal([True])) is NoTangent()
    assert zero_tangent(I) is NoTangent()
    assert zero_tangent(2 * I) == 0.0 * I


def test_zeros_alias_as_primals_do():
    """A matrix that occurs twice in a value has one zero, which occurs twice."""
    D = Diagonal([1.0])

    zero = zero_tangent([D, D])

    assert zero == Tangent[list](Diagonal([0.0]), Diagonal([0.0]))
    assert zero[0] is zero[1]


@pytest.mark.parametrize("kind", MAKERS)
def test_which_matrices_can_be_written_into(kind):
    """Matrices whose stored numbers are elements, each in one place, can be written into."""
    assert is_inplaceable_destination(matrix(kind)) is (kind in INPLACEABLE)
    assert not is_inplaceable_destination(matrix(kind).astype(int))


@pytest.mark.parametrize("kind", MAKERS)
def test_sums_in_place(kind):
    """A matrix of the same kind is added in the same memory where that is possible."""
    A, B = matrix(kind, seed=0), matrix(kind, seed=1)
    expected = A.to_dense() + B.to_dense()

    total = add_inplace(A, B)

    np.testing.assert_allclose(total.to_dense(), expected)
    assert (total is A) is (kind in INPLACEABLE)


@pytest.mark.parametrize("kind", INPLACEABLE)
def test_sums_that_do_not_fit(kind):
    """Complex numbers into real ones, or a matrix that reaches further: a new matrix, the old unchanged."""
    A = matrix(kind)
    before = A.to_dense()

    for B in (1j * matrix(kind, seed=1), matrix("Tridiagonal"), np.ones((4, 4))):
        if type(B) is type(A) and B.dtype == A.dtype:
            continue
        np.testing.assert_allclose(np.asarray(add_inplace(A, B)), before + np.asarray(B))
        np.testing.assert_array_equal(A.to_dense(), before)


def test_shared_memory():
    """Diagonals that are one array would be added to twice."""
    e = np.ones(1)
    A = Tridiagonal(e, np.ones(2), e)

    assert not is_inplaceable_destination(A)
    assert add_inplace(A, A.copy()) == np.array([[2.0, 2.0], [2.0, 2.0]])
    assert not is_inplaceable_destination(Diagonal(np.broadcast_to(1.0, 3)))


def test_only_the_triangle_is_written_into():
    """The other one may be another matrix: LAPACK packs two factors into one array."""
    packed = np.ones((2, 2))

    add_inplace(UpperTriangular(packed), UpperTriangular(np.full((2, 2), 5.0)))

    np.testing.assert_array_equal(packed, [[6.0, 6.0], [1.0, 6.0]])


@pytest.mark.parametrize("kind", MAKERS)
def test_sums_in_a_dense_array(kind):
    """Only the stored diagonals are touched; complex numbers do not go into real arrays."""
    x, A = np.ones((4, 4)), matrix(kind)

    assert add_inplace(x, A) is x
    np.testing.assert_allclose(x, 1.0 + A.to_dense())
    total = add_inplace(x, C := matrix(kind, dtype="complex128"))
    assert total is not x
    np.testing.assert_allclose(total, x + C.to_dense())


def test_multiples_of_the_identity_in_a_dense_array():
    """The number goes to the diagonal of a square array."""
    x = np.ones((2, 2))

    assert add_inplace(x, 2.0 * I) is x
    np.testing.assert_array_equal(x, [[3.0, 1.0], [1.0, 3.0]])
    with pytest.raises(ValueError, match="square"):
        add_inplace(np.ones((2, 3)), I)


def test_inplaceable_thunks():
    """They add themselves to a matrix that can be written into."""

    def add(D):
        D += Diagonal([1.0, 1.0])
        return D

    D = Diagonal([1.0, 2.0])

    assert add_inplace(D, InplaceableThunk(add=add, val=thunk(lambda: Diagonal([1.0, 1.0])))) is D
    np.testing.assert_array_equal(D.diag, [2.0, 3.0])


def test_other_shapes_are_refused():
    """Sums of tangents do not broadcast."""
    for x in (np.ones((3, 3)), Diagonal(np.ones(3)), LowerTriangular(np.ones((3, 3)))):
        with pytest.raises(ValueError, match="shapes"):
            add_inplace(x, Diagonal(np.ones(2)))


def test_a_bidiagonal_matrix_on_the_other_side():
    """The sum is tridiagonal, so it is a new matrix."""
    total = add_inplace(Bidiagonal([1.0, 1.0], [1.0], "U"), Bidiagonal([1.0, 1.0], [1.0], "L"))

    assert total == SymTridiagonal([2.0, 2.0], [1.0])


def test_sparse_parents():
    """The zero of a matrix that is made of a sparse array stores nothing."""
    zero = zero_tangent(UpperTriangular(scipy.sparse.eye_array(3, format="csr")))

    assert zero.data.nnz == 0
