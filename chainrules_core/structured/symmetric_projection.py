"""Projection onto symmetric and Hermitian matrices: the mean of the cotangent and its mirror image.

That is the orthogonal projection. Merely looking at one triangle of the cotangent would lose the other one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.arrays.sparse_arrays import SparseArray
from chainrules_core.backends import backend_of
from chainrules_core.structured.banded import Banded
from chainrules_core.structured.cotangents import MatrixProjector
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.protocols import dense
from chainrules_core.structured.symmetric import Mirrored, Symmetric
from chainrules_core.structured.tridiagonal import SymTridiagonal
from chainrules_core.tangent_spaces.projection import Projector, ProjectTo
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangent_spaces.projection.projector import spelled
from chainrules_core.tangent_spaces.projection.sparse import SparseProjector
from chainrules_core.tangents.linear_operations import conjugate_tangent


@dataclass(slots=True, unsafe_hash=True)
class SymmetricProjector(MatrixProjector):
    """Onto symmetric or Hermitian matrices.

    Diagonal cotangents, and symmetric tridiagonal ones, are in the subspace already, if they are real or
    `matrix_type` is `Symmetric`, and stay what they are.

    Parameters
    ----------
    n
        The number of rows.
    data
        The projector of the array that the primal is stored in.
    matrix_type
        `Symmetric` or `Hermitian`.
    uplo
        The triangle that the primal is stored in.
    """

    n: int
    data: Projector
    matrix_type: type[Mirrored]
    uplo: str

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return self.matrix_type

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        fits = (
            type(x_bar) is self.matrix_type
            and x_bar.uplo == self.uplo
            and self.data(x_bar.data) is x_bar.data
        )
        return x_bar if fits else Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The nearest matrix to `x_bar` in the subspace."""
        x_bar = self.fitted(x_bar)
        if isinstance(self.data, SparseProjector):
            return self._wrapped(self._mean_of_entries(self.data, x_bar))
        if isinstance(x_bar, Diagonal) or (
            isinstance(x_bar, SymTridiagonal) and self.matrix_type is Symmetric
        ):
            projected = self._on_diagonal(self.data(x_bar))
            return projected if isinstance(projected, Banded) else self._wrapped(projected)
        x_bar = x_bar.toarray() if isinstance(x_bar, SparseArray) else dense(x_bar)
        return self._wrapped(self._mean(self.data(x_bar)))

    def _wrapped(self, data: Any) -> Any:
        return self.matrix_type(data, self.uplo)

    def _on_diagonal(self, x: Any) -> Any:
        """Real, for a Hermitian matrix."""
        is_real = self.matrix_type is Symmetric or not is_complex(x)
        return x if is_real or _has_zeros_only(x.imag) else x.real.astype(x.dtype)

    def _mirror_image(self, x: Any) -> Any:
        return x.T if self.matrix_type is Symmetric else conjugate_tangent(x.T)

    def _mean(self, x: Any) -> Any:
        mirror_image = self._mirror_image(x)
        if _has_zeros_only(x - mirror_image):
            return x
        return (x + mirror_image) / 2

    def _mean_of_entries(self, data: SparseProjector, x_bar: Any) -> Any:
        """On the stored pattern. Only one of its triangles counts, and the other one need not be stored."""
        entries, mirrored = data.entries_of(x_bar), data.entries_of(x_bar.T)
        return data.with_entries(
            (entries + (mirrored if self.matrix_type is Symmetric else conjugate_tangent(mirrored))) / 2
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n!r}, {self.data!r}, {spelled(self.matrix_type)}, {self.uplo!r})"


def _has_zeros_only(x: Any) -> bool:
    """Whether all elements are known to be zero; a traced array's are not known."""
    elements = x.diagonal() if isinstance(x, Banded) else x
    return backend_of(type(elements)) is None and not np.any(elements)


@ProjectTo.dispatch
def project_symmetric(x: Mirrored) -> Projector:
    """Symmetric and Hermitian matrices."""
    return SymmetricProjector(len(x), ProjectTo(x.data), type(x), x.uplo)
