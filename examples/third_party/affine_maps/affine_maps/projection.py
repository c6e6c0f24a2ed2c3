"""The projection onto the tangents of affine maps.

It is imported with the package: `ProjectTo` loads no rulesets.
"""

from dataclasses import dataclass
from typing import Any

from affine_maps.maps import AffineMap
from chainrules_core import Projector, ProjectTo, Tangent


@dataclass(slots=True, unsafe_hash=True)
class AffineMapProjector(Projector):
    """Onto tangents of the matrix and of the vector."""

    A: Projector
    b: Projector

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return AffineMap

    def project_structural(self, x_bar: Tangent[AffineMap]) -> Tangent[AffineMap]:
        """Each field onto its own space."""
        return Tangent[AffineMap](A=self.A(x_bar.A), b=self.b(x_bar.b))


@ProjectTo.dispatch
def project_affine_map(x: AffineMap) -> Projector:
    """The projector of each field."""
    return AffineMapProjector(ProjectTo(x.A), ProjectTo(x.b))
