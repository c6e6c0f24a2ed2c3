"""Choices between few elements of plain arrays: their cotangents need neither thunks nor projections."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, unbroadcast, unthunk

_FLOAT64 = np.dtype(np.float64)
_ZERO = np.zeros(())  # NumPy would make such an array of a number at each call
_FEW = 100  # of more elements, both ways take the same time


def where_between_few(f: Any, condition: Any, x: Any, y: Any) -> Any:
    """1.5 times as fast, for ``np.where(condition, x, y)`` of 10 elements."""
    if not (
        x.__class__ is y.__class__ is np.ndarray and x.dtype is y.dtype is _FLOAT64 and x.shape == y.shape
    ):
        return None
    if x.size > _FEW:
        return None
    z = np.where(condition, x, y)
    if z.__class__ is not np.ndarray or z.shape != x.shape:
        return None

    def where_pullback(z_bar: Any) -> Any:
        z_bar = unthunk(z_bar)
        x_bar, y_bar = np.where(condition, z_bar, _ZERO), np.where(condition, _ZERO, z_bar)
        if not (x_bar.__class__ is np.ndarray and x_bar.dtype is _FLOAT64 and x_bar.shape == x.shape):
            x_bar, y_bar = unbroadcast(x, x_bar), unbroadcast(y, y_bar)
        return NO_TANGENT, NO_TANGENT, x_bar, y_bar

    return z, where_pullback
