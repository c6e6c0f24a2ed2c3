"""Values with parts: containers, objects with fields, closures, inside which there may be traced values."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Backing,
    StructuralTangent,
    backing,
    backing_kind,
    may_contain_carriers,
    reconstruct,
)

# The way to a place inside a value with parts: of each part on the way its field name, position or key.
Path = tuple[Any, ...]


def has_parts(x: Any) -> bool:
    """Whether traced values are looked for inside `x`; a set cannot be rebuilt from its parts."""
    return may_contain_carriers(x) and not isinstance(x, set | frozenset)


def holds(x: Any, is_sought: Callable[[Any], bool]) -> bool:
    """Whether `x` is a value that is sought, or holds one in its parts; `x` may hold itself."""
    pending = [x]
    seen: dict[int, Any] = {}  # with the values, so that no number is used again
    while pending:
        value = pending.pop()
        if is_sought(value):
            return True
        if has_parts(value) and id(value) not in seen:
            seen[id(value)] = value
            pending.extend(parts_of(value).values())
    return False


def within(x: Any, holders: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers (`id`) of the values with parts that hold the parts of `x`: `holders`, and `x` itself.

    Raises
    ------
    TypeError
        If `x` holds itself.
    RecursionError
        If there are so many holders that the calls for their parts would not fit on Python's stack.
    """
    deepest = sys.getrecursionlimit() // 5
    if len(holders) >= deepest:
        raise RecursionError(
            f"A {type(x).__name__} is nested in more than {deepest} others, which is too deep to be "
            "differentiated. Put the numbers into one list or array, or raise Python's limit, of which each "
            "takes five calls: `sys.setrecursionlimit`."
        )
    if id(x) in holders:
        raise TypeError(
            f"A {type(x).__name__} holds itself, as its `{spelled(x, _way_back(x))}`: it has no tangent, "
            "which would hold itself too. Take the numbers and arrays out of it; let a recursive function be "
            "a global one."
        )
    return *holders, id(x)


def spelled(x: Any, path: Path) -> str:
    """The path to a part of `x` as a program would write it, ``.layers[0].weights``."""
    names = []
    for key in path:
        names.append(step(x, key))
        x = parts_of(x)[key]
    return "".join(names)


def step(x: Any, key: Any) -> str:
    """A part of `x` as a program would write it, ``.layers`` or ``[0]``."""
    return f"[{key!r}]" if isinstance(x, list | dict) or isinstance(key, int) else f".{key}"


def _way_back(x: Any) -> Path:
    """The shortest path from a value that holds itself to itself."""
    pending: list[tuple[Any, Path]] = [(x, ())]
    seen = set()
    for value, path in pending:  # which grows meanwhile
        if value is x and path:
            return path
        if has_parts(value) and id(value) not in seen:
            seen.add(id(value))
            pending.extend((part, (*path, key)) for key, part in parts_of(value).items())
    raise ValueError(f"a {type(x).__name__} does not hold itself")


def parts_of(x: Any) -> Mapping[Any, Any]:
    """The parts of `x`, by field name, position or key."""
    cls = x.__class__
    if cls is dict:
        return x  # type: ignore[no-any-return]  # the class has just been looked at
    fields = x if cls is list or cls is tuple else backing(x)
    return fields if isinstance(fields, dict) else dict(enumerate(fields))


def with_parts(x: Any, parts: Mapping[Any, Any]) -> Any:
    """A value like `x` with other parts, as many as it has."""
    cls = x.__class__
    if cls is dict:
        return dict(parts)
    if cls is list or cls is tuple:
        return cls(parts.values())
    if isinstance(x, StructuralTangent):
        return tangent_from_parts(type(x), len(parts), parts)
    if backing_kind(type(x)) is Backing.POSITIONAL:
        return reconstruct(x, tuple(parts.values()))
    return reconstruct(x, parts)


def tangent_from_parts(
    cls: type, length: int, tangents: Mapping[Any, Any], other: AbstractZero = NO_TANGENT
) -> Any:
    """The tangent of an instance of `cls` with `length` parts, from the tangents of some of them.

    Tangents form a vector space: a tangent of a tangent is of the same class.
    """
    tangent: Any = StructuralTangent  # for type checkers only classes known to them are parameters
    tangent_class: Any = cls if issubclass(cls, StructuralTangent) else tangent[cls]
    kind = tangent_class.__tangent_kind__
    if kind is Backing.MAPPING:
        return tangent_class(tangents)
    if kind is Backing.POSITIONAL:
        return tangent_class(*(tangents.get(place, other) for place in range(length)))
    return tangent_class(**tangents)
