"""Neighbours along an axis of an array: slices that leave out the ends, and the adjoints of differences."""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules_core import AbstractZero, primal_of


def differences_back(y_bar: Any, length: int, axis: int = -1, n: int = 1) -> Any:
    """The adjoint of `n` times taking differences of neighbours, along an axis of this length.

    Differences of what is zero beyond its ends are, up to the sign, their own adjoint.
    """
    if not n or isinstance(y_bar, AbstractZero):
        return y_bar
    if length < n:  # nothing was left
        return zero_padded(y_bar, 0, length, axis)
    if n == 1 and y_bar.__class__ is np.ndarray:
        x_bar = zero_padded(y_bar, 1, 0, axis)
        before, _ = neighbours(x_bar, axis)
        before -= y_bar  # a view
        return x_bar
    x_bar = zero_padded(y_bar, n, n, axis)
    for _ in range(n):
        before, after = neighbours(x_bar, axis)
        x_bar = before - after
    return x_bar


def zero_padded(x: Any, before: int, after: int, axis: int = -1) -> Any:
    """The array with zeros before and after it along an axis."""
    if x.__class__ is np.ndarray:
        axis %= x.ndim
        length = x.shape[axis]
        padded = np.zeros((*x.shape[:axis], before + length + after, *x.shape[axis + 1 :]), x.dtype)
        padded[(*(slice(None),) * axis, slice(before, before + length))] = x
        return padded
    shape = shape_of(x)
    axis %= len(shape)
    # Not `np.pad`, which is made for more, and takes several times as long for short arrays.
    ends = (
        np.zeros_like(primal_of(x), shape=(*shape[:axis], length, *shape[axis + 1 :]))
        for length in (before, after)
    )
    return np.concatenate((next(ends), x, next(ends)), axis)


def neighbours(x: Any, axis: int = -1) -> tuple[Any, Any]:
    """All elements along an axis but the last, and all but the first."""
    before = (slice(None),) * (axis % len(shape_of(x)))
    return x[(*before, slice(None, -1))], x[(*before, slice(1, None))]


def neighbours_back(first_bar: Any, second_bar: Any, axis: int = -1) -> Any:
    """The adjoint of `neighbours`."""
    return zero_padded(first_bar, 0, 1, axis) + zero_padded(second_bar, 1, 0, axis)
