"""Tests of `chainrules_core.structured.parents`."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core.structured import Tridiagonal
from chainrules_core.structured.parents import (
    banded_like,
    diagonal_matrix,
    diagonal_of,
    elements_at,
    triangle,
)

A = np.arange(9.0).reshape(3, 3)
PARENTS = [A, scipy.sparse.csr_array(A), scipy.sparse.csc_matrix(A), scipy.sparse.coo_array(A)]


def dense(x):
    """The elements of an array of any kind."""
    return x.toarray() if scipy.sparse.issparse(x) else x


@pytest.mark.parametrize("parent", PARENTS, ids=lambda x: type(x).__name__)
def test_parts(parent):
    """The parts of dense and sparse arrays are equal, and a part keeps its array's format."""
    for uplo, function, k in (("U", np.triu, 1), ("L", np.tril, -1)):
        np.testing.assert_array_equal(dense(triangle(parent, uplo)), function(A))
        np.testing.assert_array_equal(dense(triangle(parent, uplo, strictly=True)), function(A, k))
        assert type(triangle(parent, uplo)) is type(parent)
    np.testing.assert_array_equal(diagonal_of(parent, 1), [1.0, 5.0])
    np.testing.assert_array_equal(
        elements_at(parent, np.array([[0], [2]]), np.array([1, 2])), [[1, 2], [7, 8]]
    )
    np.testing.assert_array_equal(dense(diagonal_matrix(parent, np.ones(3))), np.eye(3))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_banded_matrices_as_sparse_ones(n):
    """A banded matrix becomes a sparse array beside arrays, a sparse matrix beside matrices."""
    T = Tridiagonal(np.ones(max(n - 1, 0)), np.ones(n), np.ones(max(n - 1, 0)))

    for like, kind in ((scipy.sparse.csr_array, "sparray"), (scipy.sparse.csr_matrix, "spmatrix")):
        result = banded_like(like((n, n)), T)
        assert isinstance(result, getattr(scipy.sparse, kind))
        np.testing.assert_array_equal(result.toarray(), T.to_dense())
