"""Matrix products: of two banded matrices by their diagonals, with triangular ones triangular."""

from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import SparseArray
from chainrules_core.structured.banded import Banded
from chainrules_core.structured.kinds import as_array, from_bands, from_full, is_narrow
from chainrules_core.structured.operations import matmul
from chainrules_core.structured.parents import banded_like
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.triangular import Triangular


@matmul.dispatch
def matmul_structured(x: StructuredArray, y: StructuredArray) -> Any:
    """A matrix that reaches as far as both together."""
    _check_inner(x, y)
    lo, hi = x.extent[0] + y.extent[0], x.extent[1] + y.extent[1]
    if isinstance(x, Banded) and isinstance(y, Banded) and is_narrow(lo, hi):
        return from_bands({k: diagonal_of_product(x, y, k) for k in range(lo, hi + 1)})
    product = x.full() @ y.full() if not isinstance(x, Banded) else x.times_dense(y.to_dense())
    if type(x) is type(y) and isinstance(x, Triangular):
        return x.like(product)
    return from_full(product, lo, hi)


@matmul.dispatch
def matmul_structured_with_object(x: StructuredArray, y: object) -> Any:
    """With an ordinary array: a vector, a matrix or a stack of matrices."""
    array: Any = as_array(y)
    if not hasattr(array, "shape"):
        return NotImplemented
    _check_inner(x, array)
    return x.times_dense(array)


@matmul.dispatch
def matmul_object_with_structured(x: object, y: StructuredArray) -> Any:
    """By the transpose of the product of the transposes."""
    array: Any = as_array(x)
    if not hasattr(array, "shape"):
        return NotImplemented
    _check_inner(array, y)
    if len(array.shape) == 1:
        transpose = y.T
        return transpose.times_dense(array) if isinstance(transpose, StructuredArray) else transpose @ array
    if not isinstance(y, Banded):
        return array @ y.full()
    return np.swapaxes(y.T.times_dense(np.swapaxes(array, -1, -2)), -1, -2)


@matmul.dispatch
def matmul_structured_with_sparse(x: StructuredArray, y: SparseArray) -> Any:
    """With a sparse array: sparse, if `x` is banded or made of a sparse array."""
    _check_inner(x, y)
    if isinstance(x, Banded) and len(y.shape) == 2:
        return (banded_like(y, x) @ y).asformat(y.format)
    return x.full() @ y


@matmul.dispatch
def matmul_sparse_with_structured(x: SparseArray, y: StructuredArray) -> Any:
    """With a sparse array: sparse, if `y` is banded or made of a sparse array."""
    _check_inner(x, y)
    if isinstance(y, Banded) and len(x.shape) == 2:
        return (x @ banded_like(x, y)).asformat(x.format)
    return x @ y.full()


def _check_inner(x: Any, y: Any) -> None:
    if not (x.shape and y.shape) or x.shape[-1] != y.shape[-2:][0]:
        raise ValueError(
            f"matmul: shapes {tuple(x.shape)} and {tuple(y.shape)} do not fit: the length of the last axis"
            f" of the first operand has to be the number of rows of the second."
        )


def diagonal_of_product(x: Banded, y: Banded, k: int) -> Any:
    """The elements ``(x @ y)[r, r + k]``: the sum over `i` of ``x[r, r + i] * y[r + i, r + k]``."""
    n, of_x, of_y = len(x), x.bands(), y.bands()
    length = max(n - abs(k), 0)
    total: Any = None
    for i in of_x:
        j = k - i
        if j not in of_y:
            continue
        start, stop = max(0, -k, -i), n - max(0, k, i)  # the rows in which both factors have elements
        stop = max(start, stop)
        a = of_x[i][start - max(0, -i) : stop - max(0, -i)]
        b = of_y[j][start + i - max(0, -j) : stop + i - max(0, -j)]
        # Only of the main diagonal there may be fewer rows, and that begins with the first one.
        term = _placed(a * b, start, length)
        total = term if total is None else total + term
    return total


def _placed(term: Any, start: int, length: int) -> Any:
    """`term` among zeros, from `start` on."""
    missing = length - term.shape[0]
    if missing == 0:
        return term
    zeros = np.zeros(missing, term.dtype)
    return np.concatenate([zeros[:start], term, zeros[start:]])
