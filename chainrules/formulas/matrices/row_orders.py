"""The rows or columns of matrices in another order, as decompositions with pivots have them."""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import transposed


def permutation_by(pivots: Any, rows: int) -> Any:
    """Which row comes to each place when row `i` changes places with row ``pivots[i]``, one after another."""
    pivots = np.asarray(pivots)
    order = np.broadcast_to(np.arange(rows), (*pivots.shape[:-1], rows)).copy()
    for place in np.ndindex(pivots.shape[:-1]):
        moved = order[place]
        for i, k in enumerate(pivots[place]):
            moved[i], moved[k] = moved[k], moved[i]
    return order


def inverse_order(order: Any) -> Any:
    """The order that puts rows back."""
    return np.argsort(order, axis=-1)


def rows_in_order(X: Any, order: Any) -> Any:
    """The rows of each matrix in another order: one for all matrices, or one for each."""
    if order.ndim == 1:
        return X[..., order, :]
    shape = np.broadcast_shapes(order.shape[:-1], shape_of(X)[:-2])
    index = np.broadcast_to(order[..., None], (*shape, order.shape[-1], shape_of(X)[-1]))
    return np.take_along_axis(np.broadcast_to(X, (*shape, *shape_of(X)[-2:])), index, axis=-2)


def columns_in_order(X: Any, order: Any) -> Any:
    """The columns of each matrix, likewise."""
    return transposed(rows_in_order(transposed(X), order))
