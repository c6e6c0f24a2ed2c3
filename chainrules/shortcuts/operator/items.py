"""Shorter ways for items of plain arrays."""

from typing import Any

import numpy as np

from chainrules.operations.scatter import ScatterThunk, scattering_thunk
from chainrules_core import NO_TANGENT, unbroadcast
from chainrules_core.speed import REAL_CLASSES, is_cotangent_of


def item_of_plain(f: Any, x: Any, index: Any) -> Any:
    """One element of a plain array of float64, or several elements of any plain array."""
    if x.__class__ is not np.ndarray:
        return None
    y = x[index]
    if y.__class__ is np.float64:

        def getitem_pullback(y_bar: Any) -> Any:
            if y_bar.__class__ in REAL_CLASSES:
                return NO_TANGENT, ScatterThunk(y_bar, x, index), NO_TANGENT
            return NO_TANGENT, scattering_thunk(unbroadcast(y, y_bar), x, index), NO_TANGENT

    elif y.__class__ is np.ndarray:

        def getitem_pullback(y_bar: Any) -> Any:
            if is_cotangent_of(y, y_bar):
                return NO_TANGENT, ScatterThunk(y_bar, x, index), NO_TANGENT
            return NO_TANGENT, scattering_thunk(unbroadcast(y, y_bar), x, index), NO_TANGENT

    else:
        return None
    return y, getitem_pullback
