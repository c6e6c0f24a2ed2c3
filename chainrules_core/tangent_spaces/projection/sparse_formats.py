"""How each of SciPy's sparse formats stores its pattern: which arrays, the positions they mean, and back.

https://docs.scipy.org/doc/scipy/reference/sparse.html
"""

import operator
import sys
from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import coordinates, flat_position

Arrays = tuple[Any, ...]


class Coordinates:
    """``coo``: the coordinates of each entry."""

    def canonical(self, A: Any) -> Any:
        """`A`, or a copy in which no position has two entries."""
        flat = flat_position(coordinates(A), A.shape)
        return A if np.unique(flat).size == flat.size else _without_duplicates(A)

    def pattern(self, A: Any) -> Arrays:
        """The arrays that say where the entries are."""
        return coordinates(A)

    def has_same_arrays(self, A: Any, pattern: Arrays) -> bool:
        """Whether the places of the entries of `A` are in the very arrays of a pattern."""
        return hasattr(A, "coords") and all(map(operator.is_, A.coords, pattern))

    def entries(self, A: Any) -> Any:
        """The stored entries, as a vector."""
        return A.data

    def position(self, pattern: Arrays, shape: tuple[int, ...]) -> Arrays:
        """The position of each entry, an array for each axis."""
        return pattern

    def assembled(self, sparse_type: Any, entries: Any, pattern: Arrays, shape: tuple[int, ...]) -> Any:
        """The sparse array with these entries."""
        return sparse_type((entries, pattern), shape=shape)


class Listed(Coordinates):
    """``lil``, ``dok``: Python lists or dicts; the coordinates are computed from them."""

    def has_same_arrays(self, A: Any, pattern: Arrays) -> bool:
        """Never: there are none."""
        return False

    def canonical(self, A: Any) -> Any:
        """`A`: there is one place for each entry."""
        return A

    def entries(self, A: Any) -> Any:
        """The stored entries, as a vector."""
        return A.tocoo().data

    def assembled(self, sparse_type: Any, entries: Any, pattern: Arrays, shape: tuple[int, ...]) -> Any:
        """The sparse array with these entries."""
        coordinate_type = sys.modules["scipy.sparse"].coo_array
        return sparse_type(coordinate_type((entries, pattern), shape=shape))


class Compressed(Coordinates):
    """``csr``, ``csc``: the positions along one axis, and where each row or column begins."""

    def __init__(self, *, by_columns: bool = False) -> None:
        self._by_columns = by_columns

    def canonical(self, A: Any) -> Any:
        """`A`, or a copy in which no position has two entries."""
        return A if A.has_canonical_format else _without_duplicates(A)

    def pattern(self, A: Any) -> Arrays:
        """The arrays that say where the entries are."""
        return A.indices, A.indptr

    def has_same_arrays(self, A: Any, pattern: Arrays) -> bool:
        """Whether the places of the entries of `A` are in the very arrays of a pattern."""
        return A.indices is pattern[0] and A.indptr is pattern[1]

    def position(self, pattern: Arrays, shape: tuple[int, ...]) -> Arrays:
        """The position of each entry, an array for each axis."""
        indices, indptr = pattern
        if len(shape) == 1:
            return (indices,)
        compressed = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
        return (indices, compressed) if self._by_columns else (compressed, indices)

    def assembled(self, sparse_type: Any, entries: Any, pattern: Arrays, shape: tuple[int, ...]) -> Any:
        """The sparse array with these entries."""
        A = sparse_type(shape, dtype=entries.dtype)
        # The constructor would look through the indices, and convert them if a shorter type can hold them.
        A.data, (A.indices, A.indptr) = entries, pattern
        return A


class Blocks(Compressed):
    """``bsr``: blocks, compressed by rows; the third part of the pattern is the shape of a block."""

    def pattern(self, A: Any) -> Arrays:
        """The arrays that say where the entries are."""
        return A.indices, A.indptr, A.blocksize

    def has_same_arrays(self, A: Any, pattern: Arrays) -> bool:
        """Whether the places of the entries of `A` are in the very arrays of a pattern."""
        return Compressed.has_same_arrays(self, A, pattern) and A.data.shape[1:] == pattern[2]

    def entries(self, A: Any) -> Any:
        """The stored entries, as a vector."""
        return A.data.ravel()

    def position(self, pattern: Arrays, shape: tuple[int, ...]) -> Arrays:
        """The position of each entry, an array for each axis."""
        indices, indptr, (height, width) = pattern
        block_rows = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
        i = (block_rows * height)[:, np.newaxis, np.newaxis] + np.arange(height)[:, np.newaxis]
        j = (indices * width)[:, np.newaxis, np.newaxis] + np.arange(width)
        i, j = np.broadcast_arrays(i, j)
        return i.ravel(), j.ravel()

    def assembled(self, sparse_type: Any, entries: Any, pattern: Arrays, shape: tuple[int, ...]) -> Any:
        """The sparse array with these entries."""
        indices, indptr, (height, width) = pattern
        return sparse_type((entries.reshape(-1, height, width), indices, indptr), shape=shape)


class StoredDiagonals(Coordinates):
    """``dia``: whole diagonals by their offsets; the second part of the pattern is the stored length."""

    def canonical(self, A: Any) -> Any:
        """`A`: an offset is stored once."""
        return A

    def pattern(self, A: Any) -> Arrays:
        """The arrays that say where the entries are."""
        return A.offsets, A.data.shape[1]

    def has_same_arrays(self, A: Any, pattern: Arrays) -> bool:
        """Whether the places of the entries of `A` are in the very arrays of a pattern."""
        return A.offsets is pattern[0] and A.data.shape[1] == pattern[1]

    def entries(self, A: Any) -> Any:
        """The stored entries, as a vector."""
        _, _, is_inside = self._grid(self.pattern(A), A.shape)
        return A.data[is_inside]

    def position(self, pattern: Arrays, shape: tuple[int, ...]) -> Arrays:
        """The position of each entry, an array for each axis."""
        i, j, is_inside = self._grid(pattern, shape)
        return i[is_inside], j[is_inside]

    def assembled(self, sparse_type: Any, entries: Any, pattern: Arrays, shape: tuple[int, ...]) -> Any:
        """The sparse array with these entries."""
        _, _, is_inside = self._grid(pattern, shape)
        data = np.zeros(is_inside.shape, entries.dtype)
        data[is_inside] = entries
        return sparse_type((data, pattern[0]), shape=shape)

    def is_inside(self, pattern: Arrays, shape: tuple[int, ...]) -> Any:
        """Whether each stored number is inside of the matrix."""
        return self._grid(pattern, shape)[2]

    def _grid(self, pattern: Arrays, shape: tuple[int, ...]) -> Arrays:
        """The row and the column of each stored number, and whether it is inside of the matrix."""
        offsets, length = pattern
        j = np.broadcast_to(np.arange(length), (offsets.size, length))
        i = j - offsets[:, np.newaxis]
        return i, j, (i >= 0) & (i < shape[0]) & (j < shape[1])


def _without_duplicates(A: Any) -> Any:
    A = A.copy()
    A.sum_duplicates()
    return A


SPARSE_FORMATS: dict[str, Coordinates] = {
    "coo": Coordinates(),
    "lil": Listed(),
    "dok": Listed(),
    "csr": Compressed(),
    "csc": Compressed(by_columns=True),
    "bsr": Blocks(),
    "dia": StoredDiagonals(),
}
