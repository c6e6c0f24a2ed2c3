"""Projectors of the parts of a primal, and the tangent that holds the projected parts."""

from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any

from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import NoTangentProjector, Projector
from chainrules_core.tangents.structural_operations import primal_type
from chainrules_core.tangents.structural_tangent import MutableTangent, Tangent

# The primals whose parts are being looked at, by identity.
_in_progress: ContextVar[frozenset[int]] = ContextVar("chainrules_projected_primals", default=frozenset())


def is_in_progress(x: Any) -> bool:
    """Whether `x` is part of itself: its projector is being made already."""
    return id(x) in _in_progress.get()


def projectors_of_parts(x: Any, parts: Iterable[Any]) -> tuple[Projector, ...]:
    """The projectors of the parts of `x`, which `is_in_progress` meanwhile."""
    token = _in_progress.set(_in_progress.get() | {id(x)})
    try:
        return tuple([ProjectTo(part) for part in parts])
    finally:
        _in_progress.reset(token)


def none_perturbable(projectors: Iterable[Projector]) -> bool:
    """Whether there are parts, and none can be perturbed: then the whole cannot be either."""
    return {type(projector) for projector in projectors} == {NoTangentProjector}


def all_same(before: Iterable[Any], after: Iterable[Any]) -> bool:
    """Whether projecting returned each part as the same object, so that the whole fits as it is."""
    return all(x is y for x, y in zip(before, after, strict=True))


def tangent_with_parts(primal_class: Any, projected: Any) -> Any:
    """The ``Tangent[primal_class]`` that holds `projected`."""
    return Tangent[primal_class].__tangent_from__(projected)


def with_projected_parts(primal_class: type[Any], x_bar: Any, given: Any, projected: Any) -> Any:
    """The tangent of a `primal_class` that holds `projected`: `x_bar` itself if nothing had to change.

    Of a ``Tangent[Base]`` or ``Tangent[Any]`` it makes a ``Tangent[primal_class]``: tangents of one primal
    can be added only if they are of one class.
    """
    if primal_type(x_bar) is not primal_class:
        tangent_class = MutableTangent if isinstance(x_bar, MutableTangent) else Tangent
        return tangent_class[primal_class].__tangent_from__(projected)
    same = all_same(given.values(), projected.values()) if type(given) is dict else all_same(given, projected)
    return x_bar if same else x_bar.__tangent_from__(projected)
