"""Projection onto values with named parts, field by field; the result is a structural tangent.

These are dataclasses and attrs classes, NamedTuples, dicts, closures, partials and bound methods.
"""

import functools
import types
from dataclasses import dataclass
from typing import Any

from chainrules_core.backends import backend_of
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.fields import backing, has_field_constructor, listed
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
    NO_TANGENT_PROJECTOR,
    NoTangentProjector,
    Projector,
    spelled,
)
from chainrules_core.tangents.structural_operations import NAMES_IN_TYPES


@dataclass(slots=True)
class StructureProjector(Projector):
    """Onto the structural tangents of a value with fields: the cotangent of each field is projected.

    Cotangents are structural tangents and values like the primal itself, of some or all of the fields. If
    none of the fields can be perturbed, a `NoTangentProjector` is made instead.

    Parameters
    ----------
    structure_type
        The primal's class.
    fields
        The projectors of the primal's fields.
    """

    structure_type: type[Any]
    fields: dict[Any, Projector]

    def __new__(cls, structure_type: Any = None, fields: Any = types.MappingProxyType({})) -> Any:  # noqa: ARG004 - `__init__` takes them
        """A `StructureProjector` or a `NoTangentProjector`."""
        return NoTangentProjector() if none_perturbable(fields.values()) else object.__new__(cls)

    def __hash__(self) -> int:
        return hash((self.structure_type, frozenset(self.fields.items())))

    def __reduce__(self) -> Any:
        name = NAMES_IN_TYPES.get(self.structure_type)
        return (_restored, (name, self.fields)) if name else (type(self), (self.structure_type, self.fields))

    def __repr__(self) -> str:
        name = NAMES_IN_TYPES.get(self.structure_type)
        structure_type = f"types.{name}" if name else spelled(self.structure_type)
        return f"{type(self).__name__}({structure_type}, {self.fields!r})"

    def project(self, x_bar: Any) -> Any:
        """The structural tangent that holds the projected fields of a value; a carrier as it is."""
        if backend_of(type(x_bar)) is not None:
            return x_bar
        return tangent_with_parts(self.structure_type, self._projected(self._fields_of(x_bar)))

    def project_structural(self, x_bar: Any) -> Any:
        """The structural tangent with its fields projected: the same object if all of them fit."""
        given = x_bar.__tangent_backing__
        if type(given) is not dict:
            raise self.refusal(x_bar)
        return with_projected_parts(self.structure_type, x_bar, given, self._projected(given))

    def _fields_of(self, x_bar: Any) -> dict[Any, Any]:
        if issubclass(self.structure_type, tuple | dict) and isinstance(x_bar, dict):
            return x_bar
        if issubclass(self.structure_type, tuple) and isinstance(x_bar, tuple):
            if hasattr(x_bar, "_fields"):
                return dict(zip(x_bar._fields, x_bar, strict=True))
            if len(x_bar) == len(self.fields):
                return dict(zip(self.fields, x_bar, strict=True))
        elif isinstance(x_bar, self.structure_type) and not isinstance(x_bar, types.FunctionType):
            return dict(backing(x_bar))
        raise self.refusal(x_bar)

    def _projected(self, given: dict[Any, Any]) -> dict[Any, Any]:
        if unknown := [name for name in given if name not in self.fields]:
            raise DimensionMismatchError(
                f"A {self.structure_type.__qualname__} with the fields {listed(self.fields)} cannot have a "
                f"cotangent with the fields {listed(given)}: {listed(unknown)} is not among them."
            )
        return {name: self.fields[name](field) for name, field in given.items()}


def _restored(name: str, fields: dict[Any, Projector]) -> Projector:
    return StructureProjector(getattr(types, name), fields)


# --- Which values are taken apart ------------------------------------------------------------------


def project_structure(x: Any) -> Projector:
    """Field by field. The value itself, where it is a part of its own, is left as it is."""
    if is_in_progress(x):
        return IDENTITY_PROJECTOR
    fields = backing(x)
    projectors = projectors_of_parts(x, fields.values())
    return StructureProjector(type(x), dict(zip(fields, projectors, strict=True)))


@ProjectTo.dispatch
def project_object(x: object) -> Projector:
    """Dataclasses and attrs classes field by field; the cotangents of other objects only rules know."""
    return project_structure(x) if has_field_constructor(type(x)) else IDENTITY_PROJECTOR


@ProjectTo.dispatch
def project_dict(x: dict) -> Projector:  # type: ignore[type-arg] # unfaithful with parameters
    """Key by key."""
    return project_structure(x)


@ProjectTo.dispatch
def project_function(x: types.FunctionType) -> Projector:
    """A closure by the variables that it closes over; a function without any cannot be perturbed."""
    return project_structure(x) if x.__closure__ else NO_TANGENT_PROJECTOR


@ProjectTo.dispatch
def project_partial(x: functools.partial) -> Projector:  # type: ignore[type-arg]  # faithful for plum
    """By its function and the arguments that it holds."""
    return project_structure(x)


@ProjectTo.dispatch
def project_method(x: types.MethodType) -> Projector:
    """By the instance that it is bound to."""
    return project_structure(x)
