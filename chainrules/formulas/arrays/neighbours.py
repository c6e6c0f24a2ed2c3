"""Neighbours along an axis of an array: slices that leave out the ends, and the adjoints of differences."""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules_core import AbstractZero, primal_of


def differences_back(y_bar: Any, length: int, axis: int = -1, n: int = 1) -> Any:
    """The adjoint of `n` times taking differences of neighbours, along an axis of this length.

    Of one difference: each neighbour gets the cotangent, the first with a minus.
    """
    if isinstance(y_bar, AbstractZero):
        return y_bar
    if length <= n:  # no difference was left
        return zero_padded(y_bar, 0, length, axis)
    axis %= len(shape_of(y_bar))
    for _ in range(n):
        left, right = neighbours(y_bar, axis)
        y_bar = np.concatenate((-y_bar[_first_along(axis)], left - right, y_bar[_last_along(axis)]), axis)
    return y_bar


def zero_padded(x: Any, before: int, after: int, axis: int = -1) -> Any:
    """The array with zeros before and after it along an axis."""
    shape = list(shape_of(x))

    def zeros(length: int) -> tuple[Any, ...]:
        shape[axis] = length
        return (np.zeros_like(primal_of(x), shape=tuple(shape)),) if length else ()

    # Not `np.pad`, which is made for more, and takes longer for short arrays.
    parts = (*zeros(before), x, *zeros(after))
    return np.concatenate(parts, axis) if len(parts) > 1 else x


def neighbours(x: Any, axis: int = -1) -> tuple[Any, Any]:
    """All elements along an axis but the last, and all but the first."""
    before = (slice(None),) * (axis % len(shape_of(x)))
    return x[(*before, slice(None, -1))], x[(*before, slice(1, None))]


def neighbours_back(first_bar: Any, second_bar: Any, axis: int = -1) -> Any:
    """The adjoint of `neighbours`."""
    axis %= len(shape_of(first_bar))
    if not shape_of(first_bar)[axis]:  # the neighbour of none
        return zero_padded(first_bar, 0, 1, axis)
    _, first_after = neighbours(first_bar, axis)
    second_before, _ = neighbours(second_bar, axis)
    ends = first_bar[_first_along(axis)], second_bar[_last_along(axis)]
    return np.concatenate((ends[0], first_after + second_before, ends[1]), axis)


def _first_along(axis: int) -> tuple[slice, ...]:
    """The index of the first element along an axis, which is kept."""
    return (*(slice(None),) * axis, slice(1))


def _last_along(axis: int) -> tuple[slice, ...]:
    """Likewise of the last."""
    return (*(slice(None),) * axis, slice(-1, None))
