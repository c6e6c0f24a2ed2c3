"""Undoing broadcasting: sums over the axes along which an argument was repeated."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core.backends import primal_of


def sum_over_repeats(x_bar: Any, shape: tuple[int, ...], add: Callable[..., Any] = np.sum) -> Any:
    """Sum a cotangent over the axes along which an argument of this shape was repeated.

    Parameters
    ----------
    x_bar
        The cotangent, in the shape of the result.
    shape
        The shape of the argument.
    add
        The function that sums over axes.
    """
    longer = np.shape(primal_of(x_bar))
    if longer == shape:
        return x_bar
    repeated = len(longer) - len(shape)
    if repeated > 0:
        x_bar = add(x_bar, axis=tuple(range(repeated)))
    lengths = zip(shape, longer[max(repeated, 0) :], strict=False)
    stretched = tuple([axis for axis, (n, m) in enumerate(lengths) if n == 1 != m])
    return add(x_bar, axis=stretched, keepdims=True) if stretched else x_bar
