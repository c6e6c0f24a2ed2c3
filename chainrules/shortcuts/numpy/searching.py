"""Choices between plain arrays of one shape: their cotangents need no projection."""

from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, Thunk, unbroadcast

_FLOAT64 = np.dtype(np.float64)
_ZERO = np.zeros(())  # NumPy would make such an array of a number at each call
_FEW = 100  # of so many elements a thunk takes longer than the choice


def where_between_arrays(f: Any, condition: Any, x: Any, y: Any) -> Any:
    """``np.where(condition, x, y)`` of plain arrays."""
    if not (x.__class__ is y.__class__ is np.ndarray and x.dtype is y.dtype is _FLOAT64):
        return None
    if x.shape != y.shape:
        return None
    z = np.where(condition, x, y)
    shape = x.shape
    if z.__class__ is not np.ndarray or z.shape != shape:
        return None

    def where_pullback(z_bar: Any) -> Any:
        if not (z_bar.__class__ is np.ndarray and z_bar.dtype is _FLOAT64 and z_bar.shape == shape):
            bars: Any = (
                Thunk(_choice, x, condition, z_bar, _ZERO),
                Thunk(_choice, x, condition, _ZERO, z_bar),
            )
        elif z_bar.size <= _FEW:
            bars = np.where(condition, z_bar, _ZERO), np.where(condition, _ZERO, z_bar)
        else:
            bars = Thunk(np.where, condition, z_bar, _ZERO), Thunk(np.where, condition, _ZERO, z_bar)
        return NO_TANGENT, NO_TANGENT, *bars

    return z, where_pullback


def _choice(x: Any, condition: Any, if_true: Any, if_false: Any) -> Any:
    return unbroadcast(x, np.where(condition, if_true, if_false))  # both operands are like `x`
