"""Elements of plain arrays, taken by their method."""

from typing import Any

import numpy as np

from chainrules.operations.scatter import ScatterThunk, scattering_thunk
from chainrules_core import NO_TANGENT, unbroadcast
from chainrules_core.speed import is_cotangent_of

_FLOAT64, _INTP = np.dtype(np.float64), np.dtype(np.intp)
_FEW = 1000  # of so many elements the sums take no longer than adding in place


def take_from_array(x: Any, options: Any, named: Any) -> Any:
    """The elements that ``np.take(x, indices)`` takes from a plain array."""
    if named or x.__class__ is not np.ndarray or options[0].__class__ is not np.ndarray:
        return None
    return x.take(*options)


def take_from_vector(f: Any, x: Any, *options: Any, **named: Any) -> Any:
    """``np.take(x, indices)`` of plain vectors."""
    if named or len(options) != 1 or not (x.__class__ is options[0].__class__ is np.ndarray):
        return None
    (indices,) = options
    if not (x.ndim == indices.ndim == 1 and indices.dtype is _INTP):
        return None
    y = x.take(indices)

    def take_pullback(y_bar: Any) -> Any:
        if not is_cotangent_of(y, y_bar):
            return NO_TANGENT, scattering_thunk(unbroadcast(y, y_bar), x, indices), NO_TANGENT
        # (What is recorded is an array by its `__class__` only. Sums of nothing would be integers.)
        is_plain = type(y_bar) is type(indices) is np.ndarray and y_bar.dtype is _FLOAT64
        if is_plain and x.size <= _FEW and 0 < y_bar.size <= _FEW:
            try:
                return NO_TANGENT, np.bincount(indices, y_bar, x.size), NO_TANGENT
            except ValueError:  # an index counts from the end
                pass
        return NO_TANGENT, ScatterThunk(y_bar, x, indices), NO_TANGENT

    return y, take_pullback
