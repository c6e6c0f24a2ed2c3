"""Flips of plain arrays: a cotangent in their dtype needs no projection."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, ProjectTo


def flip_of_array(f: Any, x: Any, *axis: Any, **named: Any) -> Any:
    """``np.flip(x)`` of a plain array."""
    if named or len(axis) > 1 or x.__class__ is not np.ndarray or x.dtype.kind not in "fc":
        return None
    y = np.flip(x, *axis)
    dtype, shape = x.dtype, x.shape
    without_tangents = (NO_TANGENT,) * len(axis)

    def flip_pullback(y_bar: Any) -> Any:
        x_bar = np.flip(y_bar, *axis)
        if not (x_bar.__class__ is np.ndarray and x_bar.dtype is dtype and x_bar.shape == shape):
            x_bar = ProjectTo(x)(x_bar)
        return NO_TANGENT, x_bar, *without_tangents

    return y, flip_pullback
