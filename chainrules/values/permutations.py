"""Orders of axes, and the orders that undo them."""

import functools
from typing import Any

import numpy as np

from chainrules_core import primal_of


@functools.lru_cache(maxsize=256)  # a program permutes axes in few orders, and many times
def inverse_permutation(order: tuple[int, ...]) -> tuple[int, ...]:
    """The order that undoes an order of axes; negative ones count from the end."""
    ndim = len(order)
    return tuple(sorted(range(ndim), key=lambda place: order[place] % ndim))


def in_memory_like(x: Any, y: Any) -> Any:
    """`y` with its elements in such an order in memory as NumPy gives results that are like `x`.

    A program sees the order: by ``y.ravel("K")``, `numpy.nditer`, ``y.flags``.
    """
    x = primal_of(x)
    if not isinstance(x, np.ndarray) or x.ndim < 2 or x.flags.c_contiguous:
        return y
    strides = np.empty_like(x).strides
    order = tuple(sorted(range(x.ndim), key=lambda axis: -strides[axis]))
    return np.transpose(np.copy(np.transpose(y, order), order="C"), inverse_permutation(order))
