"""Differences of neighbours in plain arrays, without NumPy's function and the options that it has."""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.neighbours import differences_back, neighbours
from chainrules_core import NO_TANGENT, ProjectTo

_WITHOUT_ENDS = frozenset({"n", "axis"})


def diff_of_array(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """``np.diff(x)`` of a plain array."""
    if x.__class__ is not np.ndarray or x.dtype.kind != "f" or not x.ndim:
        return None
    if options or named:
        return _with_options(x, options, named)
    y = x[..., 1:] - x[..., :-1]
    shape, shape_of_y, dtype = x.shape, y.shape, x.dtype

    def diff_pullback(y_bar: Any) -> Any:
        if not (y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape_of_y):
            return NO_TANGENT, ProjectTo(x)(differences_back(y_bar, shape[-1]))
        x_bar = np.zeros(shape, dtype)
        x_bar[..., 1:] = y_bar
        x_bar[..., :-1] -= y_bar
        return NO_TANGENT, x_bar

    return y, diff_pullback


def _with_options(x: np.ndarray, options: tuple[Any, ...], named: dict[str, Any]) -> Any:
    if len(options) > 2 or not named.keys() <= _WITHOUT_ENDS:
        return None
    n, axis = _read(*options, **named)
    shape, dtype = x.shape, x.dtype
    if not (n.__class__ is axis.__class__ is int and -len(shape) <= axis < len(shape)):
        return None
    if not 0 < n < shape[axis]:
        return None
    y = np.diff(x, n, axis)
    shape_of_y = y.shape
    without_tangents = (NO_TANGENT,) * len(options)

    def diff_pullback(y_bar: Any) -> Any:
        if not (y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == shape_of_y):
            x_bar = ProjectTo(x)(differences_back(y_bar, shape[axis], axis, n))
            return NO_TANGENT, x_bar, *without_tangents
        for _ in range(n):
            y_bar = _one_difference_back(y_bar, axis)
        return NO_TANGENT, y_bar, *without_tangents

    return y, diff_pullback


def _read(n: Any = 1, axis: Any = -1) -> tuple[Any, Any]:
    return n, axis


def _one_difference_back(y_bar: np.ndarray, axis: int) -> np.ndarray:
    shape = list(y_bar.shape)
    shape[axis] += 1
    x_bar = np.zeros(shape, y_bar.dtype)
    first, second = neighbours(x_bar, axis)
    second += y_bar  # both are views
    first -= y_bar
    return x_bar
