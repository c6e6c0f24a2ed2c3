"""Projection onto tuples and lists, item by item: the result is a ``Tangent[tuple]`` or ``Tangent[list]``."""

from dataclasses import dataclass
from typing import Any

from chainrules_core.backends import backend_of
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.tangent_spaces.projection.parts import (
    is_in_progress,
    none_perturbable,
    projectors_of_parts,
    tangent_with_parts,
    with_projected_parts,
)
from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import (
    IDENTITY_PROJECTOR,
    NoTangentProjector,
    Projector,
    spelled,
)
from chainrules_core.tangent_spaces.projection.structures import project_structure


@dataclass(slots=True, unsafe_hash=True)
class SequenceProjector(Projector):
    """Onto the structural tangents of a tuple or list: the cotangent of each item is projected.

    Cotangents are tuples, lists, structural tangents, and arrays whose first axis runs over the items. If
    none of the items can be perturbed, a `NoTangentProjector` is made instead.

    Parameters
    ----------
    sequence_type
        The primal's class.
    items
        The projectors of the primal's items.
    """

    sequence_type: type[Any]
    items: tuple[Projector, ...]

    def __new__(cls, sequence_type: Any = None, items: tuple[Projector, ...] = ()) -> Any:  # noqa: ARG004 - `__init__` takes them
        """A `SequenceProjector` or a `NoTangentProjector`."""
        return NoTangentProjector() if none_perturbable(items) else object.__new__(cls)

    def project(self, x_bar: Any) -> Any:
        """The structural tangent that holds the projected items."""
        has_axes = bool(getattr(x_bar, "shape", ()))
        if not (has_axes or isinstance(x_bar, tuple | list) or backend_of(type(x_bar)) is not None):
            raise self.refusal(x_bar)
        return tangent_with_parts(self.sequence_type, self._projected(x_bar))

    def project_structural(self, x_bar: Any) -> Any:
        """The structural tangent with its items projected: the same object if all of them fit."""
        given = x_bar.__tangent_backing__
        if type(given) is not tuple:
            raise self.refusal(x_bar)
        return with_projected_parts(self.sequence_type, x_bar, given, self._projected(given))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({spelled(self.sequence_type)}, {self.items!r})"

    def _projected(self, x_bar: Any) -> tuple[Any, ...]:
        # A traced array has a shape, but perhaps no length.
        length = x_bar.shape[0] if hasattr(x_bar, "shape") else len(x_bar)
        if length != len(self.items):
            raise DimensionMismatchError(
                f"A {self.sequence_type.__qualname__} of length {len(self.items)} cannot have a cotangent of "
                f"length {length}; an item without a derivative has ZeroTangent() or NoTangent()."
            )
        return tuple([project(x_bar[index]) for index, project in enumerate(self.items)])


@ProjectTo.dispatch
def project_tuple(x: tuple) -> Projector:  # type: ignore[type-arg] # unfaithful with parameters
    """Item by item; a NamedTuple field by field."""
    if hasattr(x, "_fields"):
        return project_structure(x)
    return SequenceProjector(type(x), tuple(map(ProjectTo, x)))


@ProjectTo.dispatch
def project_list(x: list) -> Projector:  # type: ignore[type-arg]  # faithful for plum
    """Item by item. The list itself, where it is an item of its own, is left as it is."""
    return IDENTITY_PROJECTOR if is_in_progress(x) else SequenceProjector(type(x), projectors_of_parts(x, x))
