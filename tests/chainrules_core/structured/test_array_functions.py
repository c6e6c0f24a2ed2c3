"""Tests of `chainrules_core.structured.array_functions`."""

import numpy as np
import pytest
from hypothesis import given

from chainrules_core.structured import Diagonal, Symmetric, UniformScaling
from tests.chainrules_core.structured.matrices import MAKERS, assert_same, matrices, matrix, pairs


@given(matrices())
def test_functions_of_one_matrix(A):
    """Each function gives the same as for the dense array."""
    dense = A.to_dense()

    for function in (
        *(np.trace, np.linalg.trace, np.transpose, np.matrix_transpose, np.copy, np.diag, np.diagonal),
        *(np.real, np.imag, np.sum, np.zeros_like, np.ones_like, np.linalg.diagonal),
        *(np.linalg.norm, np.any, np.all, np.count_nonzero),
        lambda x: np.swapaxes(x, 0, 1),
        lambda x: np.swapaxes(x, -1, 0),
        lambda x: np.swapaxes(x, 1, 1),
        lambda x: np.transpose(x, (1, 0)),
        lambda x: np.transpose(x, (0, 1)),
        lambda x: np.diag(x, 1),
        lambda x: np.diagonal(x, offset=-1),
        lambda x: np.trace(x, offset=1),
        lambda x: np.trace(x, -1),
        lambda x: np.linalg.trace(x, offset=1),
        lambda x: np.trace(x, dtype="complex128"),
        *(np.tril, np.triu, lambda x: np.tril(x, -1), lambda x: np.tril(x, 1), lambda x: np.triu(x, -2)),
        *(lambda x: np.triu(x, 1), lambda x: np.triu(x, k=2), lambda x: np.tril(x, -9)),
        lambda x: np.sum(x, axis=0),
        lambda x: np.sum(x, axis=1, keepdims=True),
        lambda x: np.sum(x, keepdims=True),
        lambda x: np.sum(x, axis=(0, 1)),
        lambda x: np.sum(x, dtype="complex128"),
        lambda x: np.zeros_like(x, dtype="float32"),
        lambda x: np.linalg.norm(x, axis=0),
        lambda x: np.any(x, axis=0),
    ):
        assert_same(np.asarray(function(A)), np.asarray(function(dense)), rtol=1e-3)


@given(matrices().filter(len))
def test_means(A):
    """The mean counts zeros, and equals the dense array's, of all elements and along an axis."""
    dense = A.to_dense()

    for options in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": (0, 1)}, {"keepdims": True}):
        assert_same(np.asarray(np.mean(A, **options)), np.asarray(np.mean(dense, **options)), rtol=1e-3)
    np.testing.assert_allclose(np.mean(A, dtype="complex128"), np.mean(dense, dtype="complex128"))


@pytest.mark.parametrize("kind", MAKERS)
def test_sizes(kind):
    """Nothing is computed for them."""
    A = matrix(kind)

    assert (np.shape(A), np.ndim(A), np.size(A), np.size(A, 0)) == ((4, 4), 2, 16, 4)


@given(pairs())
def test_functions_of_two_matrices(pair):
    """Each function gives the same as for the dense arrays."""
    A, B = pair
    a, b = A.to_dense(), B.to_dense()

    for x, y, p, q in ((A, B, a, b), (A, b, a, b), (a, B, a, b)):
        assert_same(np.asarray(np.vdot(x, y)), np.asarray(np.vdot(p, q)), rtol=1e-3)
        assert_same(np.dot(x, y), np.dot(p, q))
    assert np.array_equal(A, B) is np.array_equal(a, b)
    assert bool(np.allclose(A, B)) is bool(np.allclose(a, b))
    assert np.allclose(A, A.copy(), rtol=0.0)
    assert np.array_equal(A, a)


def test_equality_of_structured_and_plain_arrays():
    """With NaN equal to itself if that is asked for, whichever of both has structure."""
    A = Diagonal([1.0, np.nan])

    assert np.array_equal(A, A, equal_nan=True)
    assert not np.array_equal(A, A)
    assert np.array_equal(A, A.to_dense(), equal_nan=True)
    assert np.array_equal(np.eye(2), Diagonal([1.0, 1.0]))


def test_diagonals_along_named_axes():
    """Of the dense matrix, with all of NumPy's arguments."""
    A = Diagonal([1.0, 2.0])

    np.testing.assert_array_equal(np.diagonal(A, 0, 0, 1), [1.0, 2.0])
    np.testing.assert_array_equal(np.diagonal(A, 1), [0.0])
    np.testing.assert_array_equal(np.diagonal(A, offset=1, axis1=0, axis2=1), [0.0])


def test_products_with_numbers():
    """`np.dot` scales where one of the operands is a number."""
    assert type(np.dot(Diagonal([1.0, 2.0]), np.ones(2))) is np.ndarray
    np.testing.assert_array_equal(np.dot(Diagonal([1.0, 2.0]), 2.0), np.diag([2.0, 4.0]))
    assert np.dot(np.ones((3, 2, 2)), Diagonal([1.0, 2.0])).shape == (3, 2, 2)


def test_the_kind_of_a_transpose():
    """Transposes and zeros keep the kind."""
    A = Symmetric(np.eye(2))

    assert np.transpose(A) is A
    assert type(np.zeros_like(A)) is Symmetric
    assert type(np.linalg.inv(A)) is Symmetric


def test_a_determinant_has_its_names():
    """NumPy's result is a named tuple."""
    assert np.linalg.slogdet(Diagonal([-1.0, 1.0])).sign == -1.0


@pytest.mark.parametrize("function", [np.trace, np.linalg.det, np.sum, np.vdot, np.diagonal, np.zeros_like])
def test_what_has_no_size_has_no_such_functions(function):
    """Functions that need a size refuse a multiple of the identity, and say what to write."""
    args = (UniformScaling(2.0),) * (2 if function is np.vdot else 1)

    with pytest.raises(TypeError, match=r"UniformScaling\(2\.0\)\(n\)"):
        function(*args)


def test_inner_products_of_flat_arrays():
    """`np.vdot` takes arrays of other shapes, if they have as many elements."""
    A, b = Diagonal(np.arange(1.0, 4.0)), np.arange(9.0)

    assert np.vdot(A, A) == 14.0
    assert np.vdot(A, b) == np.vdot(b, A) == 32.0
