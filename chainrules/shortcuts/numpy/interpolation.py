"""Cotangents of knots: the sums of plain vectors by place."""

from typing import Any

import numpy as np

_FLOAT64 = np.dtype(np.float64)


def sums_of_vector(places: Any, y_bar: Any, shape: Any) -> Any:
    """The sums of a vector's elements at places, for the cotangent of the values at the knots."""
    if y_bar.__class__ is not np.ndarray or y_bar.dtype is not _FLOAT64 or y_bar.ndim != 1 or not y_bar.size:
        return None
    return np.bincount(places, y_bar, *shape)
