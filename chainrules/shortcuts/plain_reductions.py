"""Reductions of plain arrays of floats or complex numbers: which ones are plain; cotangents of sums."""

from typing import Any

import numpy as np

from chainrules.values.reductions import Reduction, spread
from chainrules_core import ProjectTo
from chainrules_core.speed import REAL_CLASSES

# The function that `np.sum` of an array calls, without the way there.
add_up: Any = np.add.reduce

OF_ALL = Reduction(None, False, True)

_FLOAT64 = np.dtype(np.float64)
_LETTERS = "fdFD"  # NumPy's for single and double precision, real and complex

_OF_AXES = frozenset({"axis", "keepdims"})

# An array of so few elements is written in less time than NumPy takes to make a view that repeats elements.
_FEW = 4096


def plain_reduction(x: Any, options: tuple[Any, ...], named: dict[str, Any]) -> Reduction | None:
    """The reduction that was asked for, if it is one of a plain array over axes; `None` of other calls.

    Parameters
    ----------
    x
        An array in memory, of floats or complex numbers, and not empty; or anything else.
    options, named
        The arguments after it: nothing but `axis`, by position or by keyword, and `keepdims`.

    Returns
    -------
    reduction
        `OF_ALL` itself where there are no arguments after the array, as in most calls.
    """
    if x.__class__ is not np.ndarray or not (x.dtype is _FLOAT64 or x.dtype.char in _LETTERS) or not x.size:
        return None
    if not options and not named:
        return OF_ALL
    if len(options) > 1 or not named.keys() <= _OF_AXES or (options and "axis" in named):
        return None
    return Reduction(options[0] if options else named.get("axis"), named.get("keepdims", False), True)


def is_real(x: Any) -> bool:
    """Whether a plain array is one of floats."""
    return bool(x.dtype.kind == "f")


def repeated(y_bar: Any, x: np.ndarray) -> Any:
    """The cotangent of the sum of all elements of a plain array, for each of them, in its precision."""
    cls = y_bar.__class__
    if cls not in REAL_CLASSES and cls is not x.dtype.type:
        return ProjectTo(x)(spread(y_bar, x, OF_ALL))
    if x.size > _FEW:
        x_bar = np.broadcast_to(y_bar, x.shape)
        return x_bar if x_bar.dtype is x.dtype else ProjectTo(x)(x_bar)
    x_bar = np.empty(x.shape, x.dtype)
    x_bar.fill(y_bar)
    return x_bar


def repeated_along(y_bar: Any, x: np.ndarray, reduction: Reduction) -> Any:
    """The cotangents of the sums over axes of a plain array, for each of its elements, in its precision."""
    is_along_one = reduction.axis.__class__ is int and not reduction.keepdims
    if is_along_one and x.ndim == 1:
        return repeated(y_bar, x)
    if not is_along_one or y_bar.__class__ is not np.ndarray or y_bar.dtype is not x.dtype:
        return ProjectTo(x)(spread(y_bar, x, reduction))
    shape = x.shape
    axis = reduction.axis % len(shape)
    y_bar = y_bar.reshape((*shape[:axis], 1, *shape[axis + 1 :]))
    if x.size > _FEW:
        return np.broadcast_to(y_bar, shape)
    x_bar = np.empty(shape, x.dtype)
    x_bar[...] = y_bar
    return x_bar
