"""The projection of a matrix product onto a structured matrix, without the elements that it drops."""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import transposed
from chainrules_core import primal_of, unbroadcast
from chainrules_core.structured import Banded, diagonal_of_product, from_bands


def product_onto(A: Any, X: Any, Y: Any) -> Any:
    """The contribution of ``X @ Y`` to the cotangent of the structured matrix `A`.

    Parameters
    ----------
    A
        Shape ``(n, n)``. If it stores only diagonals, work and memory are as much as `X` takes.
    X, Y
        Shapes ``(..., n, m)`` and ``(..., m, n)``, structured or not; the products of stacks are added.
    """
    matrix = primal_of(A)
    if not isinstance(matrix, Banded):
        return unbroadcast(A, X @ Y)
    lowest, highest = matrix.extent
    return unbroadcast(A, from_bands({k: _diagonal_of_product(X, Y, k) for k in range(lowest, highest + 1)}))


def _diagonal_of_product(X: Any, Y: Any, offset: int) -> Any:
    """The elements ``(X @ Y)[i, i + offset]``, summed over stacks."""
    if isinstance(X, Banded) and isinstance(Y, Banded):
        diagonal = diagonal_of_product(X, Y, offset)
        length = max(X.shape[0] - abs(offset), 0)
        return np.zeros(length, np.result_type(X.dtype, Y.dtype)) if diagonal is None else diagonal
    below, above = max(0, -offset), max(0, offset)
    columns = transposed(Y)
    if offset:
        X, columns = _rows_from(X, below, above), _rows_from(columns, above, below)
    if len(shape_of(X)) == 2 and shape_of(X)[1] == 1:
        return X[:, 0] * columns[:, 0]
    products = X * columns
    stacks = tuple(range(len(shape_of(products)) - 2))
    return np.sum(products, axis=(*stacks, -1) if stacks else -1)


def _rows_from(X: Any, first: int, left_out: int) -> Any:
    """The rows of each matrix from `first` on, without the last `left_out`."""
    return X[..., first : primal_of(X).shape[-2] - left_out, :]
