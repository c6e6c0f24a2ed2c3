"""What the rules of reductions share: from the result's shape back to that of the argument."""

import operator
from typing import Any

import numpy as np
from chainrules_core import primal_of


def spread(y_bar: Any, x: Any, axis: Any, *, keepdims: bool) -> Any:
    """Repeat the cotangent of a reduction's result along the axes that it reduced.

    Parameters
    ----------
    y_bar
        In the shape of the reduction's result.
    x
        The argument of the reduction.
    axis, keepdims
        What the reduction was called with.

    Returns
    -------
    array
        In the shape of `x`; a view of `y_bar`.
    """
    shape = shape_of(x)
    if not keepdims and shape:
        axes = reduced_axes(axis, len(shape))
        y_bar = np.reshape(y_bar, tuple(1 if a in axes else n for a, n in enumerate(shape)))
    return np.broadcast_to(y_bar, shape) if shape else y_bar


def reduced_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that `axis` means for an array with `ndim` axes, as numbers from zero; `None` means all."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    return tuple(operator.index(a) % ndim for a in axes)


def number_reduced(x: Any, axis: Any, where: Any, *, keepdims: bool) -> Any:
    """How many elements each element of a reduction's result is made of: a number, or an array with `where`."""
    shape = shape_of(x)
    if where is not True:
        return np.sum(np.broadcast_to(where, shape), axis=axis, keepdims=keepdims)
    sizes = [shape[a] for a in reduced_axes(axis, len(shape))]
    return int(np.prod(sizes, dtype=np.intp))


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an array or a number, or of what a carrier carries."""
    return np.shape(primal_of(x))
