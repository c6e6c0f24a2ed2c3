"""Transposes of plain arrays: by their methods, which take a fraction of the time of NumPy's functions."""

from typing import Any

import numpy as np

from chainrules.values.permutations import inverse_permutation
from chainrules_core import NO_TANGENT, ProjectTo


def transpose_of_array(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """``np.transpose(x)`` of a plain array."""
    if len(options) > 1 or named or x.__class__ is not np.ndarray or x.dtype.kind not in "fc":
        return None
    axes = None
    if options:
        (order,) = options
        if order.__class__ is not tuple:
            return None
        axes = inverse_permutation(order)
    y = x.transpose(*options)
    dtype, shape = x.dtype, y.shape
    without_tangents = (NO_TANGENT,) * len(options)

    def transpose_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape:
            return NO_TANGENT, y_bar.transpose(axes), *without_tangents
        return NO_TANGENT, ProjectTo(x)(np.transpose(y_bar, axes)), *without_tangents

    return y, transpose_pullback


def swapaxes_of_array(f: Any, x: Any, *axes: Any, **named: Any) -> Any:
    """``np.swapaxes(x, 0, 1)`` of a plain array."""
    if named or x.__class__ is not np.ndarray or x.dtype.kind not in "fc":
        return None
    y = x.swapaxes(*axes)
    dtype, shape = x.dtype, y.shape

    def swapaxes_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape:
            return NO_TANGENT, y_bar.swapaxes(*axes), NO_TANGENT, NO_TANGENT
        return NO_TANGENT, ProjectTo(x)(np.swapaxes(y_bar, *axes)), NO_TANGENT, NO_TANGENT

    return y, swapaxes_pullback
