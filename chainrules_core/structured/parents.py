"""Parts of the matrices that triangular and symmetric ones are views of; these may be dense or sparse."""

import sys
from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import entries_at
from chainrules_core.structured.field_checks import is_sparse


def triangle(A: Any, uplo: str, *, strictly: bool = False) -> Any:
    """The upper or lower triangle of `A`, with zeros elsewhere, and on the diagonal if `strictly`."""
    functions = sys.modules["scipy.sparse"] if is_sparse(A) else np
    part = functions.triu if uplo == "U" else functions.tril
    result = part(A, (1 if uplo == "U" else -1) if strictly else 0)
    return result.asformat(A.format) if is_sparse(A) else result


def elements_at(A: Any, i: Any, j: Any) -> Any:
    """The elements at rows `i` and columns `j`, which are integer arrays that broadcast."""
    return entries_at(A, (i, j)) if is_sparse(A) else A[i, j]


def diagonal_of(A: Any, offset: int = 0) -> Any:
    """The elements of a diagonal of an array of any kind."""
    return A.diagonal(offset) if is_sparse(A) else np.diagonal(A, offset)


def diagonal_matrix(A: Any, diagonal: Any) -> Any:
    """The diagonal matrix with these elements, sparse if `A` is."""
    if not is_sparse(A):
        return np.diag(diagonal)
    return sys.modules["scipy.sparse"].diags(diagonal, format=A.format)


def banded_like(A: Any, banded: Any) -> Any:
    """A banded matrix as one of SciPy's sparse arrays of the kind of `A`."""
    sparse = sys.modules["scipy.sparse"]
    make = sparse.diags_array if isinstance(A, sparse.sparray) else sparse.diags
    bands = {k: band for k, band in banded.bands().items() if k == 0 or band.shape[0]}
    return make(list(bands.values()), offsets=list(bands), shape=banded.shape)
