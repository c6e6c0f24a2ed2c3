"""SciPy's sparse arrays and matrices, without importing SciPy: a type to dispatch on, elements."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core.arrays.abstract_array import AbstractArray


class SparseArray(AbstractArray):
    """SciPy's sparse arrays and matrices, of every format, known by the module of their class.

    A class of another library that has SciPy's methods joins by ``SparseArray.register(cls)``.
    """

    __slots__ = ()

    # SciPy's, for type checkers.
    format: str
    tocoo: Callable[..., Any]
    toarray: Callable[..., Any]
    multiply: Callable[..., Any]

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        if cls is not SparseArray:
            return NotImplemented
        is_scipys = any(str(base.__module__).startswith("scipy.sparse.") for base in other.__mro__)
        return (is_scipys and hasattr(other, "tocoo")) or NotImplemented


def coordinates(A: Any) -> tuple[Any, ...]:
    """The positions of the stored entries, one array for each axis, in the order of ``A.tocoo().data``."""
    entries = A.tocoo()
    return tuple(entries.coords) if hasattr(entries, "coords") else (entries.row, entries.col)


def entries_at(A: Any, position: tuple[Any, ...]) -> Any:
    """The elements at a position, which is an integer array for each axis; they broadcast.

    Memory and time grow with the stored entries and the positions: indexing by SciPy would return a
    sparse array, of a shape and class that depends on the format.
    """
    wanted = flat_position(position, A.shape)
    entries = A.tocoo()
    stored, values = flat_position(coordinates(entries), A.shape), entries.data
    order = np.argsort(stored, kind="stable")
    stored, values = stored[order], values[order]
    if not stored.size:
        return np.zeros(wanted.shape, A.dtype)
    # Entries with one position add up.
    is_first = np.concatenate([[True], stored[1:] != stored[:-1]])
    values = np.add.reduceat(values, np.flatnonzero(is_first))
    stored = stored[is_first]
    place = np.minimum(np.searchsorted(stored, wanted), stored.size - 1)
    return np.where(stored[place] == wanted, values[place], A.dtype.type(0))


def flat_position(position: tuple[Any, ...], shape: tuple[int, ...]) -> Any:
    """A position as one integer for each element, in C order."""
    return np.ravel_multi_index(np.broadcast_arrays(*map(np.asarray, position)), shape)
