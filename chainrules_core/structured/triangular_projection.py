"""Projection onto triangular matrices: the triangle of the cotangent.

The difference of two matrices with ones on the diagonal has zeros there: the cotangent of a unit triangular
matrix is a triangular one with a diagonal of zeros.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.bidiagonal import Bidiagonal
from chainrules_core.structured.cotangents import MatrixProjector
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.parents import triangle
from chainrules_core.structured.protocols import dense
from chainrules_core.structured.triangular import LowerTriangular, Triangular, UpperTriangular
from chainrules_core.tangent_spaces.projection import Projector, ProjectTo
from chainrules_core.tangent_spaces.projection.projector import spelled
from chainrules_core.tangent_spaces.projection.sparse import SparseProjector


@dataclass(slots=True, unsafe_hash=True)
class TriangularProjector(MatrixProjector):
    """Onto the tangents of triangular matrices.

    Diagonal cotangents, and bidiagonal ones of the same side, are in the subspace already, and stay what they
    are.

    Parameters
    ----------
    n
        The number of rows.
    data
        The projector of the array that the primal is a triangle of.
    matrix_type
        The primal's class.
    """

    n: int
    data: Projector
    matrix_type: type[Triangular]
    _tangent_type: Any = field(init=False)
    _is_strict: bool = field(init=False)

    def __post_init__(self) -> None:
        self._tangent_type = UpperTriangular if self.matrix_type.uplo == "U" else LowerTriangular
        self._is_strict = self.matrix_type.has_unit_diagonal

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return self.matrix_type

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        fits = type(x_bar) is self._tangent_type and self.data(x_bar.data) is x_bar.data
        return x_bar if fits and not self._has_diagonal(x_bar.data) else Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The triangular matrix with the triangle of `x_bar`."""
        x_bar = self.fitted(x_bar)
        uplo, strictly, kind = self.matrix_type.uplo, self._is_strict, self._tangent_type
        if isinstance(self.data, SparseProjector):
            data = self.data(x_bar)
            return kind(triangle(data, uplo, strictly=True) if strictly else data)
        if isinstance(x_bar, Diagonal) or (isinstance(x_bar, Bidiagonal) and x_bar.uplo == uplo):
            projected = self.data(_without_diagonal(x_bar) if strictly else x_bar)
            return projected if isinstance(projected, Banded) else kind(projected)
        if type(x_bar) is kind and not self._has_diagonal(x_bar.data):
            return kind(self.data(x_bar.data))
        return kind(self.data(triangle(dense(x_bar), uplo, strictly=strictly)))

    def _has_diagonal(self, data: Any) -> bool:
        """Whether the diagonal of a cotangent is not zero, where the primal's diagonal is constant."""
        return self._is_strict and bool(np.count_nonzero(data.diagonal()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n!r}, {self.data!r}, {spelled(self.matrix_type)})"


def _without_diagonal(x: Any) -> Any:
    zeros = np.zeros_like(x.diagonal())
    return Diagonal(zeros) if isinstance(x, Diagonal) else Bidiagonal(zeros, x.ev, x.uplo)


@ProjectTo.dispatch
def project_triangular(x: Triangular) -> Projector:
    """Triangular matrices, with and without ones on the diagonal."""
    return TriangularProjector(len(x), ProjectTo(x.data), type(x))
