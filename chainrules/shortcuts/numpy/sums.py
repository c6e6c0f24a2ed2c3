"""Shorter ways for sums of plain arrays."""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.running_sums import sums_from_the_end
from chainrules.shortcuts.plain_reductions import OF_ALL, add_up, plain_reduction, repeated, repeated_along
from chainrules.values.reductions import Reduction
from chainrules_core import NO_TANGENT, ProjectTo, primal_of


def sum_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The sum of a plain array.

    Also the sum of all elements of a traced array, which second derivatives of nearly all programs need.
    """
    if f is not np.sum:
        return None
    value = x if x.__class__ is np.ndarray else primal_of(x)
    reduction = plain_reduction(value, options, named)
    if reduction is OF_ALL:
        y = add_up(x, None) if value is x else np.sum(x)
        return y, lambda y_bar: (NO_TANGENT, repeated(y_bar, value))
    return _sum_over_axes(x, reduction, len(options)) if reduction and value is x else None


def _sum_over_axes(x: Any, reduction: Reduction, number_of_options: int) -> Any:
    def sum_pullback(y_bar: Any) -> Any:
        x_bar = repeated_along(y_bar, x, reduction)
        return (NO_TANGENT, x_bar, NO_TANGENT) if number_of_options else (NO_TANGENT, x_bar)

    return add_up(x, reduction.axis, None, None, reduction.keepdims), sum_pullback


def push_sum_of_plain(tangents: Any, f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The sums of a plain array and of its tangent."""
    reduction = plain_reduction(x, options, named) if f is np.sum else None
    x_dot = tangents[1]
    if reduction is None or x_dot.__class__ is not np.ndarray:
        return None
    if x_dot.dtype is not x.dtype or x_dot.shape != x.shape:
        return None
    if reduction is OF_ALL:
        return add_up(x, None), add_up(x_dot, None)
    y, y_dot = (add_up(value, reduction.axis, None, None, reduction.keepdims) for value in (x, x_dot))
    return y, y_dot


def cumsum_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The running sum of a plain vector."""
    if f is not np.cumsum or plain_reduction(x, options, named) is not OF_ALL or x.ndim != 1:
        return None
    dtype, shape = x.dtype, x.shape

    def cumsum_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape:
            return NO_TANGENT, np.add.accumulate(y_bar[::-1])[::-1]
        return NO_TANGENT, ProjectTo(x)(np.reshape(sums_from_the_end(y_bar, None), shape))

    return np.add.accumulate(x), cumsum_pullback
