"""Indices into one axis of a structured array, as NumPy understands them."""

from typing import Any

import numpy as np


def is_position(key: Any) -> bool:
    """Whether `key` is an integer, a slice, or a one-dimensional selection by integers or a mask."""
    if isinstance(key, bool):
        return False
    return isinstance(key, slice | int | np.integer) or (
        isinstance(key, list | np.ndarray) and np.ndim(key) == 1 and np.asarray(key).dtype.kind in "iub"
    )


def positions(key: Any, n: int) -> Any:
    """The positions among ``0, ..., n - 1`` that `key` selects: one, or an array of them."""
    if isinstance(key, slice):
        return np.arange(*key.indices(n))
    if isinstance(key, int | np.integer):
        try:
            return range(n)[key]
        except IndexError:
            raise IndexError(f"index {key} is out of bounds for an axis of length {n}.") from None
    return np.arange(n)[key]
