"""Tests of `chainrules_core.structured.structured_array`: what all kinds have in common."""

import copy
import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainrules.ad import vjp
from chainrules_core import AbstractArray, NoTangent, Tangent, ZeroTangent, thunk
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    StructuredArray,
    Symmetric,
    Tridiagonal,
    UpperTriangular,
)
from tests.chainrules_core.boxes import Box, backend
from tests.chainrules_core.structured.matrices import (
    BANDED,
    DTYPES,
    MAKERS,
    Hankel,
    assert_same,
    matrices,
    matrix,
)
from tests.python_calls import functions_run_by


@given(matrices())
def test_attributes(A):
    """The attributes of a matrix equal those of the dense array."""
    dense = A.to_dense()

    assert (A.shape, A.ndim, A.size, A.dtype, len(A)) == (
        *(dense.shape, dense.ndim, dense.size, dense.dtype),
        len(dense),
    )


@given(matrices())
def test_functions_of_one_matrix(A):
    """Each function gives the same as for the dense array, dtype included."""
    dense = A.to_dense()

    assert_same(A.T, dense.T)
    assert_same(A.transpose(), dense.T)
    assert_same(A.mT, dense.T)
    assert_same(A.H, dense.conj().T)
    assert_same(A.conjugate(), dense.conj())
    for function in (np.conj, np.real, np.imag, np.negative, np.positive, np.abs, np.sin, np.exp, np.square):
        assert_same(function(A), function(dense))
    assert_same(A.astype("complex128"), dense.astype("complex128"))
    assert_same(A.copy(), dense)
    assert_same(A**2, dense**2)
    for axis in (None, 0, 1, -1):
        assert_same(A.sum(axis), dense.sum(axis), rtol=1e-3)
    assert_same(A.trace(), dense.trace())


@given(matrices(), st.integers(-6, 6))
def test_diagonals(A, offset):
    """Above and below, also those that are outside of the matrix."""
    assert_same(A.diagonal(offset), A.to_dense().diagonal(offset))


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize(
    "key",
    [
        *((1, 2), (2, 1), (-1, -1), 0, -2, slice(None), (slice(1, 3), 0), (0, slice(None, None, -1))),
        *((slice(1, 3), slice(2, 4)), ([0, 2], [1, 3]), ([0, 2], 1), (slice(None), [3, 0]), ([1, 1],)),
        *(
            (np.array([True, False, True, True]), 2),
            ...,
            (..., 0),
            (None, 1),
            np.eye(4, dtype=bool),
            [[0], [1]],
        ),
    ],
    ids=str,
)
def test_indexing(kind, key):
    """As NumPy indexes; the results are ordinary numbers and arrays."""
    A = matrix(kind, dtype="complex128")

    assert_same(A[key], A.to_dense()[key], rtol=1e-12)


@pytest.mark.parametrize("key", [4, (0, -5), (0, 0, 0)])
def test_indices_are_checked(key):
    """A wrong index raises the error that NumPy raises."""
    with pytest.raises(IndexError):
        Diagonal(np.ones(4))[key]


def test_iteration_goes_over_rows():
    """Iteration goes over rows, as NumPy's does."""
    np.testing.assert_array_equal(list(Diagonal([1.0, 2.0])), np.diag([1.0, 2.0]))


@pytest.mark.parametrize("kind", MAKERS)
def test_equality(kind):
    """Of whole matrices, of whatever kind; there is no hash."""
    A = matrix(kind)

    assert A == A.copy()
    assert A == A.to_dense()
    assert A == UpperTriangular(A.to_dense()) + UpperTriangular(
        A.to_dense().T,
    ).T - Diagonal(A.diagonal())
    assert A != A + Diagonal([0.0, 0.0, 0.0, 1.0])
    assert A != matrix(kind, 3)
    assert A != 3
    assert np.equal(A, A).shape == (4, 4)
    with pytest.raises(TypeError, match="unhashable"):
        hash(A)


def test_truth_is_ambiguous():
    """The truth of a matrix is ambiguous, as an array's is."""
    with pytest.raises(ValueError, match=r"np\.any"):
        bool(Diagonal(np.ones(2)))


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_copies_and_pickles(kind, dtype):
    """All of them are equal matrices of the same kind."""
    A = matrix(kind, dtype=dtype)

    for duplicate in (copy.copy(A), copy.deepcopy(A), pickle.loads(pickle.dumps(A)), A.copy()):
        assert type(duplicate) is type(A)
        assert duplicate == A
        assert duplicate.dtype == dtype
    assert not any(np.may_share_memory(x, y) for x, y in zip(A.arrays(), A.copy().arrays(), strict=True))


def test_repr():
    """The repr is the call of the constructor with its arguments."""
    assert repr(Diagonal([1.0, 2.0])) == "Diagonal(array([1., 2.]))"
    assert repr(Bidiagonal([1.0], [], "U")) == "Bidiagonal(array([1.]), array([], dtype=float64), 'U')"
    assert repr(Symmetric([[1.0]])) == "Symmetric(array([[1.]]), 'U')"


def test_fields_cannot_be_exchanged():
    """They were checked when the matrix was made."""
    with pytest.raises(AttributeError):
        Diagonal([1.0]).diag = np.ones(2)


@pytest.mark.parametrize("kind", MAKERS)
def test_dispatch_takes_them_for_arrays(kind):
    """A rule for `AbstractArray` serves them."""
    assert isinstance(matrix(kind), AbstractArray)


@pytest.mark.parametrize("kind", MAKERS)
def test_conversion_to_an_array(kind):
    """Conversion makes a new array; a view is impossible."""
    A = matrix(kind)

    assert np.asarray(A, dtype="float32").dtype == np.float32
    np.testing.assert_array_equal(np.array(A), A.to_dense())
    with pytest.raises(ValueError, match="share"):
        np.asarray(A, copy=False)


@pytest.mark.parametrize("kind", MAKERS)
def test_zeros_and_thunks(kind):
    """Zeros and thunks beside a matrix follow the table of tangent arithmetic."""
    A = matrix(kind)

    assert A + ZeroTangent() is A
    assert NoTangent() + A is A
    assert np.add(A, ZeroTangent()) is A
    assert A * ZeroTangent() is ZeroTangent()
    assert A + thunk(lambda: A) == A + A
    np.testing.assert_array_equal(A @ thunk(lambda: np.ones(4)), A @ np.ones(4))


def test_structural_tangents_are_added_field_by_field():
    """A primal and its structural tangent are a primal."""
    A = UpperTriangular(np.eye(2)) + Tangent[UpperTriangular](data=np.ones((2, 2)))

    assert A == UpperTriangular(np.eye(2) + 1)


# --- Types of one's own ------------------------------------------------------------------------------


HANKEL = Hankel(np.array([1.0, 2.0, 7.0, 4.0, 5.0]))


def test_two_members_are_asked_of_a_subclass():
    """A subclass has to define the shape and the elements; all other members have a body."""
    assert StructuredArray.__abstractmethods__ == {"shape", "entries"}


def test_members_that_a_subclass_leaves_out_agree_with_the_dense_array():
    """Elements, diagonals, the transpose, NumPy's functions and operators agree with the dense array."""
    dense = np.array([[1.0, 2.0, 7.0], [2.0, 7.0, 4.0], [7.0, 4.0, 5.0]])
    x = np.array([1.0, -1.0, 2.0])

    assert_same(HANKEL.to_dense(), dense)
    assert_same(HANKEL.diagonal(), dense.diagonal())
    for offset in range(-4, 5):
        assert_same(HANKEL.diagonal(offset), dense.diagonal(offset))
    for function in (np.transpose, np.sin, np.exp, np.triu, np.trace, np.linalg.inv, np.linalg.det, np.sum):
        assert_same(function(HANKEL), function(dense))
    for product in (HANKEL @ x, x @ HANKEL):
        assert_same(product, dense @ x)
    solution = np.linalg.solve(HANKEL, dense)
    for result, expected in (
        *((HANKEL + HANKEL, 2 * dense), (HANKEL * 2, 2 * dense), (HANKEL / 2, dense / 2), (-HANKEL, -dense)),
        *((HANKEL @ HANKEL, dense @ dense), (HANKEL * HANKEL, dense**2), (solution, np.eye(3))),
    ):
        assert_same(result, expected)
    assert HANKEL[1, 2] == 4.0
    assert np.array_equal(HANKEL[1:], dense[1:])
    assert type(HANKEL.copy()) is type(HANKEL.astype("float32")) is Hankel


@pytest.mark.parametrize("uplo", ["L", "U"])
def test_bands_that_only_one_has(uplo):
    """Matrices are equal if the bands that only one of them stores are zero."""
    D = np.array([1.0, 2.0, 3.0])
    zero, other = Bidiagonal(D, np.zeros(2), uplo), Bidiagonal(D, np.array([0.0, 4.0]), uplo)

    for A in (Diagonal(D), Tridiagonal(np.zeros(2), D, np.zeros(2))):
        assert A == zero
        assert zero == A
        assert A != other
        assert other != A


IN_PLACE = {
    "+=": (operator.iadd, operator.add),
    "-=": (operator.isub, operator.sub),
    "*=": (operator.imul, operator.mul),
    "@=": (operator.imatmul, operator.matmul),
    "/=": (operator.itruediv, operator.truediv),
}


@pytest.mark.parametrize("operators", IN_PLACE.values(), ids=IN_PLACE)
@pytest.mark.parametrize("kind", MAKERS)
def test_in_place_operators_are_the_binary_ones(kind, operators):
    """Whatever the other operand is; a matrix that cannot hold the result stays as it was."""
    in_place, binary = operators
    for other in (
        *(matrix(name, dtype=dtype, seed=1) for name in MAKERS for dtype in ("float64", "complex128")),
        *(2.0, 2j, np.float32(2.0), np.arange(1.0, 17.0).reshape(4, 4)),
    ):
        if np.ndim(other) == 0 and binary is operator.matmul:
            continue
        if np.ndim(other) == 2 and binary is operator.truediv:
            other = 1.0 + np.abs(np.asarray(other))  # noqa: PLW2901 - no zero to divide by
        A = B = matrix(kind)
        expected = binary(matrix(kind), other)

        B = in_place(B, other)

        assert_same(np.asarray(B), np.asarray(expected), rtol=1e-12)
        assert B is A or A == matrix(kind)


@pytest.mark.parametrize("kind", ["Diagonal", "Tridiagonal", "UpperTriangular", "LowerTriangular"])
def test_sums_in_place_stay_in_place(kind):
    """Where the memory holds all of the sum: of the same kind, size and a dtype that fits."""
    for dtype, other, stays in (
        ("complex128", "float64", True),
        ("float64", "float32", True),
        ("float64", "complex128", False),
        ("float64", "float64", True),
    ):
        A = B = matrix(kind, dtype=dtype)
        B += matrix(kind, dtype=other, seed=1)
        assert (B is A) is stays
    fixed = matrix(kind).map_arrays(lambda x: np.broadcast_to(x[:1], x.shape))
    total = fixed
    total += matrix(kind)
    assert total is not fixed
    with pytest.raises(ValueError, match="shapes"):
        A += matrix(kind, 3)


@pytest.mark.parametrize("kind", MAKERS)
def test_sums_along_an_axis_of_integers_and_objects(kind):
    """Integers are summed as integers, bools counted; other numbers as what they are."""
    A = matrix(kind).map_arrays(lambda x: np.round(4 * x).astype(int))
    objects = A.map_arrays(lambda x: x.astype(object))

    for axis in (None, 0, 1, -1, -2):
        assert_same(np.asarray(A.sum(axis)), np.asarray(A.to_dense().sum(axis)))
        np.testing.assert_array_equal(
            np.asarray(objects.sum(axis), float), np.asarray(A.to_dense().sum(axis), float)
        )


@pytest.mark.parametrize("kind", MAKERS)
def test_equality_with_what_is_no_matrix_of_its_size(kind):
    """Neither broadcasts, nor asks what a tangent is."""
    A = matrix(kind)

    assert A != A.to_dense()[:1]
    assert A != np.ones(4)
    assert (A == Tangent[type(A)]()) is False
    assert A.__eq__(3) is A.__ne__(3) is A.__eq__(ZeroTangent()) is NotImplemented
    assert A.__ne__(A.copy()) is False


def test_an_index_that_is_no_selection():
    """What NumPy would refuse, or make a stack of, is left to it."""
    A = matrix("Tridiagonal")
    dense = A.to_dense()

    for key in ((slice(None), None), (None, 0, 1), ((0, 1), (1, 2)), (np.array([[0, 1]]), 0), (0, 0, ...)):
        assert_same(np.asarray(A[key]), np.asarray(dense[key]))
    with pytest.raises(IndexError):
        A[0, 1.5]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5])
def test_the_extent_does_not_depend_on_the_size(size):
    """So neither does the kind of a result: small matrices reach beyond their elements."""
    beside = max(size - 1, 2)
    expected = {
        "UpperTriangular": (0, beside),
        "LowerTriangular": (-beside, 0),
        "Symmetric U": (-beside, beside),
    }

    for kind, extent in expected.items():
        assert matrix(kind, size).extent == extent
    if size:
        assert type(matrix("UpperTriangular", size) + matrix("Diagonal", size)) is UpperTriangular
        assert type(matrix("Symmetric U", size) @ matrix("Diagonal", size)) is np.ndarray


def test_the_fields_of_a_call_decide_whose_it_is():
    """A carrier among them, by position or by keyword, leaves the call to its system."""
    x = np.array([2.0, 3.0])
    for make in (
        lambda x: Bidiagonal(np.ones(2), x[:1], "U"),
        lambda x: Bidiagonal(np.ones(2), ev=x[:1], uplo="U"),
        lambda x: Bidiagonal(uplo="U", dv=np.ones(2), ev=x[:1]),
    ):
        y, pullback = vjp(lambda x, make=make: make(x) @ np.array([5.0, 7.0]), x)
        np.testing.assert_array_equal(y, [5.0 + 2.0 * 7.0, 7.0])
        np.testing.assert_array_equal(pullback(np.ones(2))[0], [7.0, 0.0])
    assert type(Bidiagonal(dv=np.ones(2), ev=np.ones(1), uplo="L")) is Bidiagonal
    d, e = np.ones(2), Box(np.ones(1))
    Bidiagonal(uplo="U", dv=d, ev=e)
    assert backend.calls[-1] == (Bidiagonal, (d, e, "U"), {})


def test_ordinary_fields_are_not_searched_for_carriers():
    """Their classes are known: making a matrix takes little time."""
    x = np.ones(2)
    assert "backend_for" not in functions_run_by(lambda: Diagonal(x))


def test_the_dtype_is_that_of_all_arrays():
    """Of two precisions it is the higher one."""
    for dtypes in (("float32", "float64"), ("float64", "float32"), ("complex64", "float64")):
        A = Bidiagonal(np.ones(2, dtypes[0]), np.ones(1, dtypes[1]), "U")
        assert A.dtype == np.result_type(*dtypes)


@pytest.mark.parametrize("kind", BANDED)
def test_what_needs_no_dense_array(kind):
    """Elements, rows, columns and blocks are read where they are stored, and so are diagonals to compare."""
    A = matrix(kind)
    for use in (
        *(lambda: A[1, 2], lambda: A[1], lambda: A[:, 1], lambda: A[1:3, 2:], lambda: A[[0, 2], 1]),
        lambda: A == A.copy(),
    ):
        assert "to_dense" not in {name.rpartition(".")[2] for name in functions_run_by(use)}
