"""Tests of `chainrules_core.tangent_spaces.projection.sparse_formats`."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core.tangent_spaces.projection.sparse_formats import SPARSE_FORMATS

X = np.array([[0.0, 1.0, 0.0, 2.0], [3.0, 0.0, 0.0, 0.0], [0.0, 4.0, 5.0, 0.0], [6.0, 0.0, 0.0, 7.0]])


def test_every_format_of_scipy_is_known():
    """Each of SciPy's seven sparse formats is known."""
    assert set(SPARSE_FORMATS) == {"bsr", "coo", "csc", "csr", "dia", "dok", "lil"}


@pytest.mark.parametrize("name", SPARSE_FORMATS)
def test_an_array_is_its_entries_and_its_pattern(name):
    """Taken apart and put together it is what it was; the positions are where the entries are."""
    A, storage = scipy.sparse.csr_array(X).asformat(name), SPARSE_FORMATS[name]

    entries, pattern = storage.entries(A), storage.pattern(A)
    again = storage.assembled(type(A), entries, pattern, A.shape)

    assert type(again) is type(A)
    np.testing.assert_array_equal(again.toarray(), X)
    np.testing.assert_array_equal(X[storage.position(pattern, A.shape)], entries)
    assert storage.canonical(A) is A


@pytest.mark.parametrize("blocksize", [(1, 1), (2, 2), (2, 4), (4, 1)])
def test_blocks(blocksize):
    """Blocks need not be square; all their elements are stored."""
    A, storage = scipy.sparse.bsr_array(X, blocksize=blocksize), SPARSE_FORMATS["bsr"]

    again = storage.assembled(type(A), storage.entries(A), storage.pattern(A), A.shape)

    assert again.blocksize == blocksize
    np.testing.assert_array_equal(X[storage.position(storage.pattern(A), A.shape)], storage.entries(A))
    np.testing.assert_array_equal(again.toarray(), X)


@pytest.mark.parametrize("length", [0, 1])
@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4)])
def test_diagonals_that_reach_outside(shape, length):
    """What a diagonal stores outside of the matrix is no entry, however much that is."""
    offsets = np.array([-2, 0, 1, 2])
    stored = np.arange(1.0, 4 * (shape[1] + length) + 1).reshape(4, -1)
    A = scipy.sparse.dia_array((stored, offsets), shape=shape)
    storage = SPARSE_FORMATS["dia"]

    position = storage.position(storage.pattern(A), shape)

    np.testing.assert_array_equal(A.toarray()[position], storage.entries(A))
    np.testing.assert_array_equal(stored[storage.is_inside(storage.pattern(A), shape)], storage.entries(A))
    again = storage.assembled(type(A), storage.entries(A), storage.pattern(A), shape)
    np.testing.assert_array_equal(again.toarray(), A.toarray())


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("name", ["csr", "csc"])
def test_index_arrays_are_shared(name, index):
    """A primal and its cotangents share index arrays, so that comparing their patterns takes no time."""
    A, storage = scipy.sparse.csr_array(X).asformat(name), SPARSE_FORMATS[name]
    A.indices, A.indptr = A.indices.astype(index), A.indptr.astype(index)

    again = storage.assembled(type(A), A.data, storage.pattern(A), A.shape)

    assert again.indices is A.indices
    assert again.indptr is A.indptr


@pytest.mark.parametrize("name", ["bsr", "coo", "csc", "csr", "dia"])
def test_the_very_arrays_of_a_pattern(name):
    """Those of the array itself, and not those of an equal one."""
    storage, A = SPARSE_FORMATS[name], scipy.sparse.coo_array(X).asformat(name)

    assert storage.has_same_arrays(A, storage.pattern(A))
    assert not storage.has_same_arrays(A.copy(), storage.pattern(A))
