"""The projection onto the tangents of affine maps.

It is imported with the package: `ProjectTo` loads no rulesets.
"""

from dataclasses import dataclass

from affine_maps.maps import AffineMap
from chainrules_core import Projector, ProjectTo, Tangent


@dataclass(slots=True, unsafe_hash=True)
class AffineMapProjector(Projector):
    """Onto tangents of the matrix and of the vector."""

    primal_type = AffineMap

    A: Projector
    b: Projector

    def project_structural(self, x_bar: Tangent[AffineMap]) -> Tangent[AffineMap]:
        """Each field onto its own space."""
        return Tangent[AffineMap](A=self.A(x_bar.A), b=self.b(x_bar.b))


@ProjectTo.dispatch
def project_affine_map(x: AffineMap) -> Projector:
    """The projector of each field."""
    return AffineMapProjector(ProjectTo(x.A), ProjectTo(x.b))
