"""Sums: of two structured matrices one of the narrowest kind that both fit into."""

from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import SparseArray
from chainrules_core.structured.banded import Banded
from chainrules_core.structured.kinds import (
    are_hermitian,
    are_symmetric,
    as_array,
    check_same_shape,
    from_bands,
    from_full,
)
from chainrules_core.structured.operations import add
from chainrules_core.structured.parents import banded_like
from chainrules_core.structured.protocols import dense
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.symmetric import Hermitian, Mirrored, Symmetric
from chainrules_core.structured.tridiagonal import SymTridiagonal


@add.dispatch
def add_objects(x: object, y: object) -> Any:
    """Whatever has no better method: NumPy's sum, which broadcasts."""
    return np.add(dense(as_array(x)), dense(as_array(y)))


@add.dispatch
def add_structured(x: StructuredArray, y: StructuredArray) -> Any:
    """A matrix that reaches as far as either, and is symmetric or Hermitian if both are."""
    check_same_shape("add", x, y)
    lo, hi = min(x.extent[0], y.extent[0]), max(x.extent[1], y.extent[1])
    if isinstance(x, Banded) and isinstance(y, Banded):
        if are_symmetric(x, y) and hi > 0:
            return SymTridiagonal(x.diagonal() + y.diagonal(), x.diagonal(1) + y.diagonal(1))
        return from_bands({k: _sum_of_diagonals(x, y, k) for k in range(lo, hi + 1)})
    if are_symmetric(x, y):
        return _sum_of_mirrored(Symmetric, x, y)
    if are_hermitian(x, y):
        return _sum_of_mirrored(Hermitian, x, y)
    return from_full(_sum_of_elements(x, y), lo, hi)


@add.dispatch
def add_sparse_to_banded(x: Banded, y: SparseArray) -> Any:
    """A sparse matrix."""
    check_same_shape("add", x, y)
    return (y + banded_like(y, x)).asformat(y.format)


@add.dispatch
def add_banded_to_sparse(x: SparseArray, y: Banded) -> Any:
    """A sparse matrix."""
    return add(y, x)


@add.dispatch
def add_sparse_to_structured(x: StructuredArray, y: SparseArray) -> Any:
    """The sum of all elements, which is sparse if both are."""
    check_same_shape("add", x, y)
    full = x.full()
    return np.asarray(full + y) if isinstance(full, np.ndarray) else full + y


@add.dispatch
def add_structured_to_sparse(x: SparseArray, y: StructuredArray) -> Any:
    """The sum of all elements, which is sparse if both are."""
    return add(y, x)


def _sum_of_diagonals(x: Banded, y: Banded, k: int) -> Any:
    # Copies, since a sum is in memory of its own: it may be added to in place.
    if k not in x.bands():
        return y.diagonal(k).copy()
    return x.diagonal(k) + y.diagonal(k) if k in y.bands() else x.diagonal(k).copy()


def _sum_of_mirrored(kind: Any, x: Any, y: Any) -> Any:
    uplo = x.uplo if isinstance(x, Mirrored) else y.uplo
    return kind(add(_data(x, uplo), _data(y, uplo)), uplo)


def _data(x: Any, uplo: str) -> Any:
    """An array, or a banded matrix, that has the elements of `x` in its triangle `uplo`."""
    if isinstance(x, Banded):
        return x
    return x.data if x.uplo == uplo else x.full()


def _sum_of_elements(x: Any, y: Any) -> Any:
    full = [A if isinstance(A, Banded) else A.full() for A in (x, y)]
    return add(*full)
