"""The projection onto the tangents of Hankel matrices.

It is imported with the package: `ProjectTo` loads no rulesets.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core import DimensionMismatchError, Projector, ProjectTo, Tangent
from hankel_matrices.matrix import Hankel


@dataclass(slots=True, unsafe_hash=True)
class HankelProjector(Projector):
    """Onto cotangents of the vector: an element of it stands for a whole antidiagonal."""

    vector: Projector
    n: int

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return Hankel

    def project_structural(self, x_bar: Any) -> Any:
        """The cotangent of the vector, in its space."""
        x_bar = Projector.project_structural(self, x_bar)
        return Tangent[Hankel](v=self.vector(x_bar.v)) if isinstance(x_bar, Tangent) else x_bar

    def project(self, x_bar: Any) -> Any:
        """The sum of each antidiagonal of a dense cotangent."""
        if np.shape(x_bar) != (self.n, self.n):
            raise DimensionMismatchError(f"{self!r} cannot project a cotangent of shape {np.shape(x_bar)}.")
        flipped = np.fliplr(x_bar)
        return Tangent[Hankel](
            v=self.vector(np.array([np.trace(flipped, k) for k in range(self.n - 1, -self.n, -1)]))
        )


@ProjectTo.dispatch
def project_hankel(x: Hankel) -> Projector:
    """The projector of the vector, and the size."""
    return HankelProjector(ProjectTo(x.v), x.n)
