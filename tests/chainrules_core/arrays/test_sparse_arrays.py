"""Tests of `chainrules_core.arrays.sparse_arrays`."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import AbstractArray
from chainrules_core.arrays.sparse_arrays import SparseArray, coordinates, entries_at, flat_position
from chainrules_core.structured import Diagonal

FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil", "dok")
CLASSES = [getattr(scipy.sparse, f"{name}_{kind}") for name in FORMATS for kind in ("array", "matrix")]
X = np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 3.0]])


@pytest.mark.parametrize("sparse_class", CLASSES)
def test_scipys_classes(sparse_class):
    """All of SciPy's sparse classes, and classes derived from them, are sparse arrays."""
    assert issubclass(sparse_class, SparseArray)
    assert issubclass(type("Mine", (sparse_class,), {}), SparseArray)
    assert issubclass(SparseArray, AbstractArray)


def test_other_classes():
    """Dense and structured arrays are not; another library's class may join."""

    class Foreign:
        shape, dtype = (1,), np.dtype(float)

        def tocoo(self):
            """A method by which a sparse array is known to be one."""

    for cls in (np.ndarray, Diagonal, Foreign, float):
        assert not issubclass(cls, SparseArray)
    SparseArray.register(Foreign)
    assert issubclass(Foreign, SparseArray)


@pytest.mark.parametrize("sparse_class", CLASSES)
def test_elements_at_positions(sparse_class):
    """In any order, several times, and where nothing is stored."""
    A, i, j = sparse_class(X), np.array([2, 0, 0, 2, 1]), np.array([1, 1, 0, 1, 0])

    np.testing.assert_array_equal(entries_at(A, (i, j)), X[i, j])
    np.testing.assert_array_equal(entries_at(A, (i[:, np.newaxis], [0, 1])), X[i])
    assert entries_at(A, (2, 1)) == 3.0
    assert entries_at(sparse_class((3, 2)), (i, j)).tolist() == [0.0] * 5
    assert entries_at(sparse_class(X[:2]), ([1, 1], [1, 0])).tolist() == [0.0, 2.0]
    np.testing.assert_array_equal(A.toarray()[coordinates(A)], A.tocoo().data)


def test_entries_with_one_position_add_up():
    """Entries with one position add up, as in SciPy's arithmetic."""
    A = scipy.sparse.coo_array(([1.0, 2.0, 4.0], ([1, 0, 1], [1, 0, 1])), shape=(2, 2))

    assert entries_at(A, ([0, 1, 0], [0, 1, 1])).tolist() == [2.0, 5.0, 0.0]


def test_positions_are_numbered_in_c_order():
    """Positions are numbered as the elements of a dense array are."""
    assert flat_position(([0, 1], [2, 0]), (2, 3)).tolist() == [2, 3]
    assert flat_position(([10**6 - 1], [10**6 - 1]), (10**6, 10**6)).tolist() == [10**12 - 1]


def test_a_class_below_is_no_test_of_structure():
    """A class derived from a sparse class is sparse too."""

    class Special(SparseArray):
        pass

    assert not issubclass(scipy.sparse.csr_array, Special)
    assert issubclass(Special, SparseArray)
