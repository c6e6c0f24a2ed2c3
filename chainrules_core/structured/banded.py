"""Matrices that store only the main diagonal and its neighbours: work and memory are linear in n."""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from chainrules_core.structured.determinants import slogdet_of
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.tridiagonal_elimination import eliminated


class Banded(StructuredArray):
    """A square matrix that stores only its main diagonal and the neighbours of that."""

    __slots__ = ()

    @abstractmethod
    def bands(self) -> dict[int, Any]:
        """The stored diagonals by their offset, which is 0, 1 or -1, in ascending order."""

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n, n)``."""
        n = self.bands()[0].shape[0]
        return (n, n)

    @property
    def extent(self) -> tuple[int, int]:
        """The lowest and the highest diagonal that may have elements other than zero."""
        offsets = self.bands()
        return min(offsets), max(offsets)

    def diagonal(self, offset: int = 0) -> Any:
        """The elements of a diagonal, shape ``(n - abs(offset),)``; above the main one for offsets > 0."""
        bands = self.bands()
        if offset in bands:
            return bands[offset]
        return np.zeros_like(bands[0][abs(offset) :], dtype=self.dtype)

    def to_dense(self) -> Any:
        """The matrix as an ordinary array of shape ``(n, n)``, in new memory."""
        # `np.diag` of no elements and an offset is a matrix with one.
        parts = [np.diag(band, offset) for offset, band in self.bands().items() if offset == 0 or len(self)]
        return sum(parts[1:], start=parts[0])

    def entries(self, i: Any, j: Any) -> Any:
        """The elements at rows `i` and columns `j`, which are integer arrays that broadcast."""
        offset = np.subtract(j, i)
        i, j = np.broadcast_arrays(i, j)
        if offset.ndim == 0:
            band = self.bands().get(int(offset))
            return self.dtype.type(0) if band is None else band[min(int(i), int(j))]
        total = np.zeros(offset.shape, self.dtype)
        for k, band in self.bands().items():
            is_here = offset == k
            total[is_here] = band[np.minimum(i, j)[is_here]]
        return total

    def elementwise(self, function: Callable[[Any], Any]) -> Self:
        """A function that keeps zeros, applied to each element."""
        return self.map_arrays(function)

    def times_dense(self, y: Any) -> Any:
        """``self @ y`` for an ordinary array `y`."""
        n, bands = len(self), self.bands()
        # The vectors of a stack are its columns.
        axis, column = (0, (...,)) if len(y.shape) == 1 else (-2, (..., np.newaxis))
        product = bands[0][column] * y
        for k, band in bands.items():
            if k != 0 and n > 1:
                rows = slice(1, None) if k == 1 else slice(None, -1)
                term = band[column] * (y[rows] if axis == 0 else y[..., rows, :])
                product = product + _padded_band(term, k, axis)
        return product

    def solve_dense(self, b: Any) -> Any:
        """`solve` for an ordinary array `b`; Gaussian elimination in a Python loop over the rows."""
        _, pivots, x = eliminated(self, b)
        if not np.all(pivots):
            raise np.linalg.LinAlgError("Singular matrix")
        return x

    def det(self) -> Any:
        """The determinant."""
        sign, pivots, _ = eliminated(self)
        return sign * np.prod(pivots)

    def slogdet(self) -> tuple[Any, Any]:
        """The sign of the determinant, of modulus one, and the logarithm of its modulus."""
        sign, pivots, _ = eliminated(self)
        return slogdet_of(sign, pivots)


def _padded_band(term: Any, offset: int, axis: int) -> Any:
    """`term` with the row of zeros that a band beside the main diagonal does not reach."""
    row = slice(0, 1)
    zeros = np.zeros_like(term[row] if axis == 0 else term[..., row, :])
    return np.concatenate([term, zeros] if offset == 1 else [zeros, term], axis)
