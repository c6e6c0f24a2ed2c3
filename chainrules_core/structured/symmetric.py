"""Symmetric and Hermitian matrices, stored by one of their triangles."""

import operator
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from chainrules_core.structured.field_checks import check_uplo, is_sparse, square
from chainrules_core.structured.parents import diagonal_matrix, diagonal_of, elements_at, triangle
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.tangent_spaces.projection.numbers import is_complex


class Mirrored(StructuredArray):
    """A matrix that looks at one triangle of `data`; its other triangle is the mirror image."""

    __slots__ = ()

    data: Any
    uplo: str

    def __post_init__(self) -> None:
        square(self, "data")
        check_uplo(self)

    @staticmethod
    @abstractmethod
    def mirrored(elements: Any) -> Any:
        """The mirror images of elements: their values on the other side of the diagonal."""

    @staticmethod
    @abstractmethod
    def on_diagonal(elements: Any) -> Any:
        """The values that elements of `data` have on the diagonal."""

    @property
    def shape(self) -> tuple[int, ...]:
        """``(n, n)``."""
        return tuple(self.data.shape)

    def full(self) -> Any:
        """The matrix with all its elements: dense, or sparse where it is made of a sparse array."""
        strict = triangle(self.data, self.uplo, strictly=True)
        diagonal = diagonal_matrix(self.data, self.diagonal())
        full = strict + diagonal + self.mirrored(strict).T
        return full.asformat(self.data.format) if is_sparse(full) else full

    def to_dense(self) -> Any:
        """The matrix as an ordinary array of shape ``(n, n)``, in new memory."""
        full = self.full()
        return full.toarray() if is_sparse(full) else full

    def diagonal(self, offset: int = 0) -> Any:
        """The elements of a diagonal, shape ``(n - abs(offset),)``; above the main one for offsets > 0."""
        if offset == 0:
            return self.on_diagonal(diagonal_of(self.data))
        stored = abs(offset) if self.uplo == "U" else -abs(offset)
        elements = diagonal_of(self.data, stored)
        return elements if offset == stored else self.mirrored(elements)

    def entries(self, i: Any, j: Any) -> Any:
        """The elements at rows `i` and columns `j`, which are integer arrays that broadcast."""
        least, greatest = np.minimum(i, j), np.maximum(i, j)
        first, second = (least, greatest) if self.uplo == "U" else (greatest, least)
        elements = elements_at(self.data, first, second)
        stored_or_mirrored = np.where(np.equal(i, first), elements, self.mirrored(elements))
        return np.where(np.equal(i, j), self.on_diagonal(elements), stored_or_mirrored)[()]

    @property
    def T(self) -> Any:
        """The transpose."""
        return self.map_arrays(self.mirrored)

    def like(self, full: Any) -> Self:
        """A matrix of the same kind and `uplo` that equals `full`."""
        return type(self)(full, self.uplo)

    def inv(self) -> Self:
        """The inverse, of the same kind."""
        return self.like(np.linalg.inv(self.to_dense()))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Symmetric(Mirrored):
    """A matrix that equals its transpose; complex elements are not conjugated.

    Parameters
    ----------
    data
        An array of shape ``(n, n)``, dense or sparse.
    uplo
        The triangle of `data` that counts: ``"U"`` for the upper, ``"L"`` for the lower one.

    Raises
    ------
    DimensionMismatchError
        If `data` is not square.
    ValueError
        If `uplo` is neither.

    Examples
    --------
    >>> from chainrules_core.structured import Symmetric
    >>> Symmetric([[1.0, 2.0], [0.0, 3.0]]).to_dense()
    array([[1., 2.],
           [2., 3.]])
    """

    data: Any
    uplo: str = "U"

    @staticmethod
    def mirrored(elements: Any) -> Any:
        """The mirror images of elements: their values on the other side of the diagonal."""
        return elements

    @staticmethod
    def on_diagonal(elements: Any) -> Any:
        """The values that elements of `data` have on the diagonal."""
        return elements

    @property
    def T(self) -> Self:
        """The matrix itself."""
        return self

    def elementwise(self, function: Callable[[Any], Any]) -> Self:
        """A function that keeps zeros, applied to each element."""
        # Not to the other triangle, about whose values the function might complain.
        return self.like(function(triangle(self.data, self.uplo)))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hermitian(Mirrored):
    """A matrix that equals its conjugate transpose: of the elements on the diagonal the real part counts.

    See `Symmetric` for the parameters and the errors. Sums, products with real numbers, the inverse, the
    transpose and the conjugate are Hermitian again.
    """

    data: Any
    uplo: str = "U"

    @staticmethod
    def mirrored(elements: Any) -> Any:
        """The mirror images of elements: their values on the other side of the diagonal."""
        return elements.conj()

    @staticmethod
    def on_diagonal(elements: Any) -> Any:
        """The values that elements of `data` have on the diagonal."""
        return elements.real.astype(elements.dtype)

    @property
    def real(self) -> Symmetric:
        """The real parts, which are symmetric."""
        return Symmetric(self.data.real, self.uplo)

    def elementwise(self, function: Callable[[Any], Any]) -> Any:
        """A function of each element; dense, since few functions treat an element's conjugate like it."""
        return function(self.to_dense())

    def scale(self, factor: Any) -> Any:
        """The product with a number, which is Hermitian if the number is real."""
        if is_complex(factor):
            return self.full() * factor
        return self.map_arrays(lambda elements: elements * factor)

    def divide(self, divisor: Any) -> Any:
        """The quotient by a number, which is Hermitian if the number is real."""
        if is_complex(divisor):
            return self.full() / divisor
        return self.map_arrays(lambda elements: elements / divisor)

    def negative(self) -> Self:
        """Every element with the opposite sign."""
        return self.map_arrays(operator.neg)
