"""Functions that are a power series near a point and a closed formula elsewhere."""

from collections.abc import Callable
from typing import Any

import numpy as np


def series_where(is_near: Any, series: Callable[[Any], Any], x: Any, elsewhere: Any) -> Any:
    """``series(x)`` where the numbers are near the point, and `elsewhere` in all other places.

    Parameters
    ----------
    is_near
        Where they are: a truth value, or an array of them.
    series
        A function of each number for itself.
    x, elsewhere
        Numbers or arrays of one shape. An array `elsewhere` is written into: a series of twenty terms takes
        longer than the function whose derivative it is, and is computed where it is used.
    """
    if isinstance(x, np.ndarray) and isinstance(elsewhere, np.ndarray) and x.shape == elsewhere.shape:
        elsewhere[is_near] = series(x[is_near])
        return elsewhere
    return np.where(is_near, series(x), elsewhere)
