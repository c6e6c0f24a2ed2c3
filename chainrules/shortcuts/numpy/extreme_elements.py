"""Shorter ways for the greatest and the least element of plain arrays of floats."""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.extreme_shares import pull_shares, shares_in
from chainrules.shortcuts.plain_reductions import OF_ALL, add_up, is_real, plain_reduction
from chainrules.values.reductions import Reduction, beside, shape_of
from chainrules_core import NO_TANGENT, ProjectTo, unbroadcast
from chainrules_core.speed import REAL_CLASSES

# The functions that these call for plain arrays, without the way there.
_REDUCE: dict[Any, Any] = {
    np.max: np.maximum.reduce,
    np.amax: np.maximum.reduce,
    np.min: np.minimum.reduce,
    np.amin: np.minimum.reduce,
}


def extremum_of_plain(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """The greatest or least element of a plain array."""
    reduce = _REDUCE.get(f)
    if reduce is None:
        return None
    reduction = plain_reduction(x, options, named)
    if reduction is None or not is_real(x):
        return None
    if reduction is OF_ALL:
        return _extremum_of_all(reduce, x)
    return _extrema_over_axes(reduce, x, reduction, len(options))


def _extremum_of_all(reduce: Any, x: Any) -> Any:
    y = reduce(x, None)

    def extremum_pullback(y_bar: Any) -> Any:
        is_extreme = x == y
        number = np.count_nonzero(is_extreme)
        if y_bar.__class__ not in REAL_CLASSES or not number:  # y is a NaN
            return NO_TANGENT, _pull_extremum(y_bar, y, x, OF_ALL)
        x_bar = np.zeros(x.shape, x.dtype)
        x_bar[is_extreme] = y_bar / number
        return NO_TANGENT, x_bar

    return y, extremum_pullback


def _extrema_over_axes(reduce: Any, x: Any, reduction: Reduction, number_of_options: int) -> Any:
    y = reduce(x, reduction.axis, None, None, reduction.keepdims)
    kept = shape_of(beside(y, x, reduction))
    without_tangents = (NO_TANGENT,) * number_of_options

    def extremum_pullback(y_bar: Any) -> Any:
        is_extreme = x == y.reshape(kept)
        number = add_up(is_extreme, reduction.axis, None, None, reduction.keepdims)
        if y_bar.__class__ is y.__class__ and np.count_nonzero(number) == number.size:
            x_bar = unbroadcast(x, np.where(is_extreme, (y_bar / number).reshape(kept), 0.0))
        else:  # traced, or for extrema that are NaN
            x_bar = _pull_extremum(y_bar, y, x, reduction)
        return NO_TANGENT, x_bar, *without_tangents

    return y, extremum_pullback


def _pull_extremum(y_bar: Any, y: Any, x: Any, reduction: Reduction) -> Any:
    return ProjectTo(x)(pull_shares(shares_in(y, x, reduction), y_bar, x)[0])
