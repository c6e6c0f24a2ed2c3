"""The projection onto the tangents of positive-definite matrices.

It is imported with the package: `ProjectTo` loads no rulesets.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core import Projector, ProjectTo, Tangent, unthunk
from pdmats.matrix import PDMat


@dataclass(slots=True, unsafe_hash=True)
class PDMatProjector(Projector):
    """Onto tangents of the Cholesky factor: lower triangles."""

    factor: Projector

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return PDMat

    def project_structural(self, x_bar: Any) -> Any:
        """The lower triangle of the cotangent of the factor."""
        x_bar = Projector.project_structural(self, x_bar)
        return (
            Tangent[PDMat](L=self.factor(np.tril(unthunk(x_bar.L)))) if hasattr(x_bar.L, "shape") else x_bar
        )

    def project(self, x_bar: Any) -> Any:
        """A cotangent in the form of a matrix of this class: the cotangent of its factor."""
        if isinstance(x_bar, PDMat):
            return Tangent[PDMat](L=self.factor(np.tril(x_bar.L)))
        raise self.refusal(x_bar)


@ProjectTo.dispatch
def project_pdmat(x: PDMat):
    """The projector of the factor, and lower triangles."""
    return PDMatProjector(ProjectTo(x.L))
