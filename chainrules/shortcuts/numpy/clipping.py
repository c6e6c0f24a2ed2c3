"""Clipping of plain arrays between numbers."""

from math import inf
from typing import Any

import numpy as np

_BOUNDS: frozenset[Any] = frozenset({type(None), int, float, np.float64})


def cotangent_within_numbers(y_bar: Any, values: tuple[Any, Any, Any, Any]) -> Any:
    """The cotangent of the array by comparisons with the bounds; an element that is NaN is no exception."""
    y, x, low, high = values
    if not (
        x.__class__ is y.__class__ is y_bar.__class__ is np.ndarray and x.dtype is y.dtype is y_bar.dtype
    ):
        return None
    if not (y_bar.shape == x.shape and x.dtype.kind == "f" and _in_order(low, high)):
        return None
    if low is None:
        return np.where(x > high, 0.0, y_bar)
    if high is None:
        return np.where(x < low, 0.0, y_bar)
    return np.where((x < low) | (x > high), 0.0, y_bar)


def _in_order(low: Any, high: Any) -> bool:
    """Whether there are bounds, one real number or two, and none is NaN or on the wrong side of the other."""
    if low is high is None or not (low.__class__ in _BOUNDS and high.__class__ in _BOUNDS):
        return False
    return bool((-inf if low is None else low) <= (inf if high is None else high))
