"""Plain arrays in another shape: by their methods, which take a fraction of the time of NumPy's functions."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, ProjectTo


def reshape_of_array(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """``np.reshape(x, shape)`` of a plain array."""
    if len(options) != 1 or named or x.__class__ is not np.ndarray or x.dtype.kind not in "fc":
        return None
    y = x.reshape(*options)
    shape, dtype, shape_of_y = x.shape, x.dtype, y.shape

    def reshape_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape_of_y:
            return NO_TANGENT, y_bar.reshape(shape), NO_TANGENT
        return NO_TANGENT, ProjectTo(x)(np.reshape(y_bar, shape)), NO_TANGENT

    return y, reshape_pullback


def ravel_of_array(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """``np.ravel(x)`` of a plain array."""
    if options or named or x.__class__ is not np.ndarray or x.dtype.kind not in "fc":
        return None
    y = x.ravel()
    shape, dtype, shape_of_y = x.shape, x.dtype, y.shape

    def ravel_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape_of_y:
            return NO_TANGENT, y_bar.reshape(shape)
        return NO_TANGENT, ProjectTo(x)(np.reshape(y_bar, shape))

    return y, ravel_pullback
