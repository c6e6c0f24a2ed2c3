"""Magnitudes of plain arrays of real numbers."""

from typing import Any

import numpy as np

from chainrules_core import contains_nan
from chainrules_core.speed import has_no_zero


def cotangent_by_sign(z: Any, _r: Any, r_bar: Any) -> Any:
    """The cotangent of an array from one like it, unless an element is undefined."""
    if not (z.__class__ is r_bar.__class__ is np.ndarray and z.dtype is r_bar.dtype):
        return None
    if z.dtype.kind != "f" or r_bar.shape != z.shape:
        return None
    z_bar = np.sign(z) * r_bar  # NumPy multiplies in place
    return z_bar if has_no_zero(r_bar) or not contains_nan(z_bar) else None
