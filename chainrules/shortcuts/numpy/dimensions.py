"""Plain arrays with more or fewer axes of length 1: their cotangents are reshaped by the method."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, ProjectTo


def expand_dims_of_array(f: Any, x: Any, *axis: Any, **named: Any) -> Any:
    """``np.expand_dims(x, 0)`` of a plain array."""
    return None if named else _with_other_axes(np.expand_dims, x, axis)


def squeeze_of_array(f: Any, x: Any, *axis: Any, **named: Any) -> Any:
    """``np.squeeze(x)`` of a plain array."""
    return None if named else _with_other_axes(np.squeeze, x, axis)


def _with_other_axes(f: Any, x: Any, axis: Any) -> Any:
    if x.__class__ is not np.ndarray or x.dtype.kind not in "fc":
        return None
    y = f(x, *axis)
    shape, dtype, shape_of_y = x.shape, x.dtype, y.shape
    without_tangents = (NO_TANGENT,) * len(axis)

    def pullback(y_bar: Any) -> Any:
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape_of_y:
            return NO_TANGENT, y_bar.reshape(shape), *without_tangents
        return NO_TANGENT, ProjectTo(x)(np.reshape(y_bar, shape)), *without_tangents

    return y, pullback
