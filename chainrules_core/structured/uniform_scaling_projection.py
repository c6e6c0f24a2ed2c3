"""Projection onto the multiples of the identity."""

from dataclasses import dataclass
from typing import Any

from chainrules_core.structured.uniform_scaling import UniformScaling
from chainrules_core.tangent_spaces.projection import NoTangentProjector, Projector, ProjectTo
from chainrules_core.tangent_spaces.projection.parts import none_perturbable
from chainrules_core.tangents.abstract_zero import AbstractZero, ZeroTangent
from chainrules_core.tangents.structural_operations import primal_type as primal_type_of


@dataclass(slots=True, unsafe_hash=True)
class UniformScalingProjector(Projector):
    """Onto the multiples of the identity; `I` itself, whose number is a bool, has no tangent.

    A cotangent is a multiple of the identity, or a structural tangent, which becomes one. Matrices are
    refused: a rule has to say which multiple of the identity they stand for, since it knows their size.

    Parameters
    ----------
    factor
        The projector of the number.
    """

    primal_type = UniformScaling

    factor: Projector

    def __new__(cls, factor: Any = None) -> Any:
        """A `UniformScalingProjector`, or a `NoTangentProjector` if the number cannot be perturbed."""
        return NoTangentProjector() if none_perturbable([factor]) else object.__new__(cls)

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        if type(x_bar) is UniformScaling and self.factor(x_bar.factor) is x_bar.factor:
            return x_bar
        return Projector.__call__(self, x_bar)

    def project(self, x_bar: Any) -> Any:
        """The multiple of the identity with the projected number."""
        if not isinstance(x_bar, UniformScaling):
            raise self.refusal(x_bar)
        return UniformScaling(self.factor(x_bar.factor))

    def project_structural(self, x_bar: Any) -> Any:
        """The multiple of the identity that a ``Tangent[UniformScaling](factor=...)`` spells."""
        if not issubclass(primal_type_of(x_bar), UniformScaling):
            raise self.refusal(x_bar)
        factor = self.factor(x_bar.factor)
        return ZeroTangent() if isinstance(factor, AbstractZero) else UniformScaling(factor)


@ProjectTo.dispatch
def project_uniform_scaling(x: UniformScaling) -> Projector:
    """Multiples of the identity."""
    return UniformScalingProjector(ProjectTo(x.factor))
