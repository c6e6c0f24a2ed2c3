"""Tangents of containers are given in containers of the same kind: tuples, lists, dicts, objects."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from chainrules.ad.modes.nodes import evaluated
from chainrules.ad.traced.tracing import is_differentiable
from chainrules.ad.values.repeated_instances import is_instance
from chainrules.ad.values.structures import Path, has_parts, parts_of, tangent_from_parts, with_parts
from chainrules_core import (
    AbstractZero,
    Backing,
    NoTangent,
    ProjectTo,
    SparseArray,
    StructuralTangent,
    ZeroTangent,
    backing_kind,
    primal_type,
    zero_tangent,
)


def matching_parts(x: Any, x_dot: Any, path: Path) -> tuple[Any, Any]:
    """The parts of `x`, and of a tangent in the same containers, at the end of a path.

    Raises
    ------
    TypeError
        If the tangent is in other containers.
    """
    for key in path:
        pair = parts_with_tangents(x, x_dot)[key]
        x, x_dot = pair
    return x, x_dot


def parts_with_tangents(x: Any, x_dot: Any) -> dict[Any, tuple[Any, Any]]:
    """The parts of a container, each with its tangent; `ZeroTangent()` where no tangent is given.

    Parameters
    ----------
    x
        A tuple, list, dict, dataclass or closure.
    x_dot
        The same with tangents in it; or a `Tangent` of it, or a zero.

    Raises
    ------
    TypeError
        If it is none of these, or has other parts.
    """
    parts, x_dot = parts_of(x), evaluated(x_dot)
    if isinstance(x_dot, AbstractZero):
        return {key: (part, x_dot) for key, part in parts.items()}
    if not has_parts(x_dot) or not is_alike(x_dot, x):
        raise TypeError(
            f"A tangent of {described(x)} is given in the same containers, not as {described(x_dot)}: one "
            "for each part, `ZeroTangent()` where it is zero."
        )
    if isinstance(x_dot, StructuralTangent):
        return {key: (part, part_of_tangent(x_dot, key)) for key, part in parts.items()}
    tangents = parts_of(x_dot)
    return {key: (part, tangents[key]) for key, part in parts.items()}


def is_alike(x: Any, like: Any) -> bool:
    """Whether a value with parts has those of another; a tangent may lack those that are zero."""
    parts, keys = parts_of(x).keys(), parts_of(like).keys()
    if not isinstance(x, StructuralTangent):
        return backing_kind(type(x)) is backing_kind(type(like)) and parts == keys
    if type(x).__tangent_kind__ is Backing.POSITIONAL and parts != keys:
        return False
    if isinstance(like, StructuralTangent):
        return issubclass(primal_type(like), primal_type(x))
    return isinstance(like, primal_type(x)) and parts <= keys


def part_of_tangent(tangent: Any, key: Any) -> Any:
    """The part of a structural tangent; `ZeroTangent()` if it is not given."""
    try:
        return tangent[key]
    except (KeyError, IndexError, AttributeError):
        return ZeroTangent()


def described(x: Any) -> str:
    """For messages: the kind of a value, and the parts of a container."""
    if has_parts(x):
        names = [*map(repr, parts_of(x))]
        keys = ", ".join(names if len(names) < 10 else [*names[:3], "...", names[-1]])
        return f"a {type(x).__name__} with the parts {keys}" if keys else f"an empty {type(x).__name__}"
    return f"a {type(x).__name__}"


def flatten(x: Any, holders: tuple[int, ...] = ()) -> tuple[list[Any], Callable[[Sequence[Any]], Any]]:
    """The numbers and arrays that containers hold, and a function that puts others in their places.

    Parameters
    ----------
    x
        A value.
    holders
        The numbers (`id`) of the values with parts that hold it.

    Returns
    -------
    leaves
        In the order of the containers; `x` itself if it is a number or an array.
    rebuild
        ``rebuild(others)`` is in the same tuples, lists and dicts; a `Tangent` for a dataclass, and
        `NoTangent()` in the place of a value without derivative.
    """
    if is_differentiable(x):
        return [x], lambda others: others[0]
    if not has_parts(x) or id(x) in holders:  # an object that holds itself is a constant
        return [], lambda others: NoTangent()
    holders = *holders, id(x)
    parts = {key: flatten(part, holders) for key, part in parts_of(x).items()}

    def rebuild(others: Sequence[Any]) -> Any:
        rest = iter(others)
        made = {
            key: build(list(itertools.islice(rest, len(leaves)))) for key, (leaves, build) in parts.items()
        }
        return in_containers_of(x, made)

    return [leaf for leaves, _ in parts.values() for leaf in leaves], rebuild


def in_containers_of(x: Any, tangents: Mapping[Any, Any]) -> Any:
    """The tangents of the parts of `x` as users get them: in a tuple, list or dict, or else a `Tangent`.

    In the `Tangent` of an instance of an ordinary class lists are tangents too, so that it can be scaled.
    """
    if isinstance(x, tuple | list | dict):
        return with_parts(x, tangents)
    if is_instance(x):
        tangents = {key: _without_containers(part) for key, part in tangents.items()}
    return tangent_from_parts(type(x), len(tangents), tangents)


def _without_containers(tangent: Any) -> Any:
    if not isinstance(tangent, tuple | list | dict):
        return tangent
    parts = {key: _without_containers(part) for key, part in parts_of(tangent).items()}
    return tangent_from_parts(type(tangent), len(parts), parts)


def ones_in_containers_of(y: Any) -> Any:
    """A cotangent of ones of the numbers and arrays in `y`, in the same containers."""
    leaves, rebuild = flatten(y)
    return rebuild([_ones_like(leaf) for leaf in leaves])


def _ones_like(y: Any) -> Any:
    """A cotangent of a number or array: ones, and no zero where another number is possible."""
    project = ProjectTo(y)
    zeros = project(zero_tangent(y))
    if not isinstance(zeros, SparseArray):
        return project(zeros + 1)
    entries = zeros.tocoo()
    entries.data = np.ones_like(entries.data)
    return project(entries)
