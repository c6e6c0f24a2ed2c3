"""Shorter ways for variances and standard deviations of plain arrays of floats."""

import math
from typing import Any

import numpy as np

from chainrules.shortcuts.plain_reductions import add_up, is_real, plain_reduction
from chainrules.values.reductions import beside, number_reduced
from chainrules_core import NO_TANGENT, unbroadcast
from chainrules_core.speed import REAL_CLASSES


def var_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The variance of a plain array."""
    reduction = plain_reduction(x, options, named) if f is np.var else None
    if reduction is None or not is_real(x):
        return None
    y = np.var(x, axis=reduction.axis, keepdims=reduction.keepdims)
    if not _are_finite(y):
        return None
    number = number_reduced(x, reduction)
    without_tangents = (NO_TANGENT,) * len(options)

    def var_pullback(y_bar: Any) -> Any:
        scale = 2 / number * y_bar
        return NO_TANGENT, _deviations_times(scale, x, number, reduction), *without_tangents

    return y, var_pullback


def std_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The standard deviation of a plain array."""
    reduction = plain_reduction(x, options, named) if f is np.std else None
    if reduction is None or not is_real(x):
        return None
    y = np.std(x, axis=reduction.axis, keepdims=reduction.keepdims)
    if not _are_finite(y):
        return None
    number = number_reduced(x, reduction)
    without_tangents = (NO_TANGENT,) * len(options)

    def std_pullback(y_bar: Any) -> Any:
        scale = y_bar / (number * (y + (y == 0)))  # of a constant the deviations are zero
        return NO_TANGENT, _deviations_times(scale, x, number, reduction), *without_tangents

    return y, std_pullback


def _are_finite(y: Any) -> bool:
    return math.isfinite(y) if y.__class__ in REAL_CLASSES else bool(np.isfinite(y).all())


def _deviations_times(scale: Any, x: Any, number: Any, reduction: Any) -> Any:
    mean = add_up(x, reduction.axis, None, None, True) / number
    # One expression, so that NumPy multiplies in place.
    return unbroadcast(x, (x - mean) * beside(scale, x, reduction))
