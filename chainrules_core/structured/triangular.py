"""Triangular matrices, and those with ones on the diagonal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from chainrules_core.structured.determinants import slogdet_of
from chainrules_core.structured.field_checks import is_sparse, square
from chainrules_core.structured.parents import diagonal_of, elements_at, triangle
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.triangular_solve import solve_triangular


class Triangular(StructuredArray):
    """A triangle of the square matrix `data`; the rest of `data` is never looked at."""

    __slots__ = ()

    data: Any
    uplo: ClassVar[str]
    has_unit_diagonal: ClassVar[bool] = False

    def __post_init__(self) -> None:
        square(self, "data")

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n, n)``."""
        return tuple(self.data.shape)

    @property
    def extent(self) -> tuple[int, int]:
        """The lowest and the highest diagonal that may have elements other than zero."""
        beside = max(len(self) - 1, 2)  # the kind of a result does not depend on its size
        return (0, beside) if self.uplo == "U" else (-beside, 0)

    def full(self) -> Any:
        """The matrix with all its elements: dense, or sparse where it is made of a sparse array."""
        if not self.has_unit_diagonal:
            return triangle(self.data, self.uplo)
        ones = np.eye(len(self), dtype=self.dtype)
        strict = triangle(self.data, self.uplo, strictly=True)
        return strict + (type(self.data)(ones) if is_sparse(self.data) else ones)

    def to_dense(self) -> Any:
        """The matrix as an ordinary array of shape ``(n, n)``, in new memory."""
        full = self.full()
        return full.toarray() if is_sparse(full) else full

    def diagonal(self, offset: int = 0) -> Any:
        """The elements of a diagonal, shape ``(n - abs(offset),)``; above the main one for offsets > 0."""
        elements = diagonal_of(self.data, offset)
        if offset == 0:
            return np.ones_like(elements) if self.has_unit_diagonal else elements
        return elements if (offset > 0) is (self.uplo == "U") else np.zeros_like(elements)

    def entries(self, i: Any, j: Any) -> Any:
        """The elements at rows `i` and columns `j`, which are integer arrays that broadcast."""
        zero, elements = self.dtype.type(0), elements_at(self.data, i, j)
        if self.has_unit_diagonal:
            elements = np.where(np.equal(i, j), self.dtype.type(1), elements)
        is_stored = np.less_equal(i, j) if self.uplo == "U" else np.greater_equal(i, j)
        return np.where(is_stored, elements, zero)[()]

    def widened(self) -> "Triangular":
        """The matrix as one of the triangular kind whose diagonal is stored; itself if it is one already."""
        if not self.has_unit_diagonal:
            return self
        return (UpperTriangular if self.uplo == "U" else LowerTriangular)(self.full())

    def elementwise(self, function: Callable[[Any], Any]) -> "Triangular":
        """A function that keeps zeros, applied to each element."""
        # Not to the other triangle, about whose values the function might complain.
        wide = self.widened()
        return wide.map_arrays(lambda _: function(wide.full()))

    def stored_arrays(self) -> list[Any]:
        """The arrays, with zeros in the place of elements that the matrix does not look at."""
        return [triangle(self.data, self.uplo)]

    def solve_dense(self, b: Any) -> Any:
        """`solve` for an ordinary array `b`, by blockwise substitution."""
        if is_sparse(self.data) or len(b.shape) > 2:
            return np.linalg.solve(self.to_dense(), b)
        return solve_triangular(self, b)

    def like(self, full: Any) -> Self:
        """A matrix of the same kind that equals `full`."""
        return type(self)(full)

    def inv(self) -> Self:
        """The inverse, of the same kind."""
        return self.like(self.solve_dense(np.eye(len(self), dtype=self.dtype)))

    def det(self) -> Any:
        """The determinant."""
        return np.prod(self.diagonal())

    def slogdet(self) -> tuple[Any, Any]:
        """The sign of the determinant, of modulus one, and the logarithm of its modulus."""
        return slogdet_of(1, self.diagonal())

    def block(self, start: int, stop: int) -> Self:
        """The square block on the diagonal from row and column `start` to before `stop`."""
        return self.like(self.data[start:stop, start:stop])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UpperTriangular(Triangular):
    """The upper triangle of a square matrix.

    Parameters
    ----------
    data
        An array of shape ``(n, n)``, dense or sparse; the elements below the diagonal are never looked at.

    Raises
    ------
    DimensionMismatchError
        If `data` is not square.
    """

    data: Any
    uplo: ClassVar[str] = "U"

    @property
    def T(self) -> "LowerTriangular":
        """The transpose."""
        return LowerTriangular(self.data.T)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LowerTriangular(Triangular):
    """The lower triangle of a square matrix; see `UpperTriangular`."""

    data: Any
    uplo: ClassVar[str] = "L"

    @property
    def T(self) -> "UpperTriangular":
        """The transpose."""
        return UpperTriangular(self.data.T)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UnitUpperTriangular(Triangular):
    """The upper triangle of a square matrix with ones on the diagonal.

    The tangents of such a matrix are upper triangular with a diagonal of zeros.

    Parameters
    ----------
    data
        An array of shape ``(n, n)``; only the elements above the diagonal are looked at.

    Raises
    ------
    DimensionMismatchError
        If `data` is not square.
    """

    data: Any
    uplo: ClassVar[str] = "U"
    has_unit_diagonal: ClassVar[bool] = True

    @property
    def T(self) -> "UnitLowerTriangular":
        """The transpose."""
        return UnitLowerTriangular(self.data.T)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UnitLowerTriangular(Triangular):
    """The lower triangle of a square matrix with ones on the diagonal; see `UnitUpperTriangular`."""

    data: Any
    uplo: ClassVar[str] = "L"
    has_unit_diagonal: ClassVar[bool] = True

    @property
    def T(self) -> "UnitUpperTriangular":
        """The transpose."""
        return UnitUpperTriangular(self.data.T)
