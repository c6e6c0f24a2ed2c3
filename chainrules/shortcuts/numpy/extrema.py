"""Extrema of pairs of plain real arrays, where everywhere one of the two wins, as it mostly does."""

from typing import Any

import numpy as np

from chainrules_core import Thunk, unbroadcast
from chainrules_core.speed import REAL_CLASSES, count_nonzero

# So few elements cost less than a thunk.
_FEW = 1000


def cotangents_of_few(extremum: Any, values: tuple[Any, Any, Any], z_bar: Any) -> tuple[Any, Any] | None:
    """Both cotangents by two comparisons; the cotangent of a number is put off."""
    z, x, y = values
    if not (_are_plain(z_bar, z, x, y) and z.size <= _FEW):
        return None
    x_wins, y_wins = extremum.is_beyond(x, y), extremum.is_beyond(y, x)
    if not _is_decided(x_wins, y_wins):
        return None
    x_bar = np.where(x_wins, z_bar, 0.0)
    if y.__class__ is np.ndarray and y.dtype is z.dtype and y.shape == z.shape:
        return x_bar, np.where(y_wins, z_bar, 0.0)
    return x_bar, Thunk(_cotangent_of_repeated, y, y_wins, z_bar)


def _cotangent_of_repeated(y: Any, y_wins: Any, z_bar: Any) -> Any:
    return unbroadcast(y, np.where(y_wins, z_bar, 0.0))


def cotangent_of_one(extremum: Any, values: tuple[Any, Any, Any], z_bar: Any) -> Any:
    """The cotangent of the first operand by two comparisons, and without a product."""
    z, x, y = values
    if not _are_plain(z_bar, z, x, y):
        return None
    x_wins, y_wins = extremum.is_beyond(x, y), extremum.is_beyond(y, x)
    return np.where(x_wins, z_bar, 0.0) if _is_decided(x_wins, y_wins) else None


def _are_plain(z_bar: Any, z: Any, x: Any, y: Any) -> bool:
    """Whether both operands are plain real arrays, or one and a number, and the result is like the first."""
    if not (x.__class__ is z.__class__ is z_bar.__class__ is np.ndarray and x.shape == z.shape):
        return False
    if not (y.__class__ is np.ndarray or y.__class__ in REAL_CLASSES):
        return False
    return x.dtype is z.dtype is z_bar.dtype and z.dtype.kind == "f" and z_bar.shape == z.shape


def _is_decided(x_wins: Any, y_wins: Any) -> bool:
    """Whether everywhere one wins: where both are equal, or one is NaN, none does."""
    # Recorded comparisons are arrays by their `__class__` only, and NumPy's own function has to be asked.
    count = count_nonzero if type(x_wins) is type(y_wins) is np.ndarray else np.count_nonzero
    return bool(count(x_wins) + count(y_wins) == x_wins.size)
