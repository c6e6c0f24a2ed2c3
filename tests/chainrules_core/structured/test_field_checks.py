"""Tests of `chainrules_core.structured.field_checks`."""

import re

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import DimensionMismatchError, NoTangent, ZeroTangent, thunk
from chainrules_core.structured import Bidiagonal, Diagonal, Symmetric, UpperTriangular
from chainrules_core.structured.field_checks import is_sparse


def test_lists_become_arrays():
    """A field that is a list becomes an array, so that a matrix can be written down."""
    assert type(Diagonal([1, 2]).diag) is np.ndarray
    assert type(Symmetric([[1.0, 2.0], [3.0, 4.0]]).data) is np.ndarray


def test_arrays_stay_what_they_are():
    """Dense, sparse and traced ones: whatever has a shape and a dtype."""
    A = scipy.sparse.eye_array(2, format="csr")

    assert UpperTriangular(A).data is A


def test_other_containers_are_unpacked():
    """A thunk is computed, a structured matrix made dense, an `np.matrix` an array."""
    assert type(Diagonal(thunk(lambda: np.ones(2))).diag) is np.ndarray
    assert type(Diagonal(memoryview(np.ones(2))).diag) is np.ndarray
    assert type(Symmetric(Diagonal([1.0, 2.0])).data) is np.ndarray
    assert type(Symmetric(np.ones((1, 1)).view(np.matrix)).data) is np.ndarray


@pytest.mark.parametrize("x", [ZeroTangent(), NoTangent(), np.ma.ones(2)])
def test_what_is_no_array_is_refused(x):
    """Zeros have no length, masked arrays unknown elements."""
    with pytest.raises(TypeError, match=f"diag is a {type(x).__name__}"):
        Diagonal(x)


@pytest.mark.parametrize("x", [["a", "b"], np.array(["2020-01-01"], dtype="datetime64[D]")])
def test_elements_are_numbers(x):
    """Strings and dates are refused as elements: they have no products."""
    with pytest.raises(TypeError, match="elements are numbers"):
        Diagonal(x)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (3, 2), (2, 2, 2)])
@pytest.mark.parametrize("kind", [Symmetric, UpperTriangular])
def test_squares(kind, shape):
    """A matrix is made of as many rows as columns, and the error says the shape that it was given."""
    with pytest.raises(DimensionMismatchError, match=re.escape(f"data has shape {shape}, but")):
        kind(np.ones(shape))
    assert kind(np.ones((3, 3))).shape == (3, 3)


@pytest.mark.parametrize("length", [0, 1, 3, 4])
def test_lengths(length):
    """Diagonals beside the main one are one shorter."""
    with pytest.raises(DimensionMismatchError, match=f"ev has length {length}, but 2 fits the main diagonal"):
        Bidiagonal(np.ones(3), np.ones(length), "U")
    assert Bidiagonal(np.ones(3), np.ones(2), "U").shape == (3, 3)


def test_is_sparse():
    """SciPy's arrays and matrices are."""
    assert is_sparse(scipy.sparse.eye_array(2))
    assert is_sparse(scipy.sparse.eye(2))
    assert not is_sparse(np.eye(2))
    assert not is_sparse(ZeroTangent())
