"""The floating point numbers and arrays that values hold: functions by their closures, objects, containers.

A cotangent of such a value has a field for each. By its paths it is laid out as a vector of real numbers,
that can be integrated or solved for, and a cotangent is made of such a vector again.
"""

import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from chainrules_core import (
    AbstractZero,
    NoDerivativeError,
    NotImplementedTangent,
    StructuralTangent,
    ZeroTangent,
    backing,
    is_complex,
    primal_of,
    unthunk,
    zero_tangent,
)


class Place(NamedTuple):
    """Where a value holds a floating point number or array."""

    path: tuple[Any, ...]
    shape: tuple[int, ...]
    is_complex: bool

    @property
    def size(self) -> int:
        """How many real numbers there are."""
        return int(np.prod(self.shape)) * (1 + self.is_complex)


def places_in(x: Any) -> list[Place]:
    """The places of the floating point numbers and arrays that `x` holds."""
    return list(_places(x, zero_tangent(x), (), set()))


def _places(x: Any, zero: Any, path: tuple[Any, ...], seen: set[int]) -> Iterator[Place]:
    if isinstance(zero, StructuralTangent):
        if id(zero) not in seen:  # of two places of one object AD says itself that it has no tangent
            seen.add(id(zero))
            parts = backing(x)
            for key, part in _items(backing(zero)):
                yield from _places(parts[key], part, (*path, key), seen)
        return
    if isinstance(zero, AbstractZero):
        return
    primal = primal_of(x)
    dtype = np.dtype(getattr(primal, "dtype", type(primal)))
    if dtype.kind in "fc":
        yield Place(path, np.shape(primal), is_complex(primal))


def _items(parts: Any) -> Any:
    return parts.items() if isinstance(parts, dict) else enumerate(parts)


def part_at(x_bar: Any, path: tuple[Any, ...]) -> Any:
    """The part of a cotangent at a path; a zero, where it says nothing of it."""
    for key in path:
        x_bar = unthunk(x_bar)
        if isinstance(x_bar, AbstractZero | NotImplementedTangent):
            return x_bar
        parts = backing(x_bar)
        is_given = key in parts if isinstance(parts, dict) else key < len(parts)
        if not is_given:
            return ZeroTangent()
        x_bar = parts[key]
    return unthunk(x_bar)


def as_vector(x_bar: Any, places: list[Place]) -> Any:
    """The vector of the real numbers that a cotangent has at the places."""
    vectors = [_reals(part_at(x_bar, place.path), place) for place in places]
    return np.concatenate(vectors)


def _reals(part: Any, place: Place) -> Any:
    if isinstance(part, AbstractZero):
        return np.zeros(place.size)
    if isinstance(part, NotImplementedTangent):
        raise part.error()
    flat = np.reshape(part, -1)
    return np.concatenate([np.real(flat), np.imag(flat)]) if place.is_complex else flat


def from_vector(vector: Any, place: Place) -> Any:
    """The part of a cotangent at a place, from the real numbers of it."""
    if place.is_complex:
        half = place.size // 2
        vector = vector[:half] + 1j * vector[half:]
    return np.reshape(vector, place.shape) if place.shape else vector[0]


def cotangent_with(x: Any, sample: Any, parts: dict[tuple[Any, ...], Any]) -> Any:
    """The cotangent of `x` with the given parts.

    Parameters
    ----------
    x
        The value.
    sample
        Some cotangent of it, which says what AD cannot differentiate by.
    parts
        The part at each path, with those of `places_in`.
    """
    return _with_parts(zero_tangent(x), sample, parts, ())


def _with_parts(zero: Any, sample: Any, parts: dict[tuple[Any, ...], Any], path: tuple[Any, ...]) -> Any:
    sample = unthunk(sample)
    if isinstance(sample, NotImplementedTangent):
        return sample
    if path in parts:
        return parts[path]
    if not isinstance(zero, StructuralTangent):
        return zero if isinstance(zero, AbstractZero) else ZeroTangent()
    below = [
        (key, _with_parts(part, part_at(sample, (key,)), parts, (*path, key)))
        for key, part in _items(backing(zero))
    ]
    if all(isinstance(part, AbstractZero) for _, part in below):
        return ZeroTangent()
    by_name = isinstance(backing(zero), dict)
    return type(zero).__tangent_from__(dict(below) if by_name else tuple(part for _, part in below))


# --- What they hold later ----------------------------------------------------------------------------------


def check_of_changes(x: Any, called: str) -> Callable[[], None]:
    """A function that refuses what has come to hold something else since now.

    A pullback that calls a function of the user's again would differentiate another function.

    Parameters
    ----------
    x
        Functions, and what they are given.
    called
        The name of the function that was given them, for the message.
    """
    before = list(_held(x, set()))

    def check() -> None:
        after = list(_held(x, set()))
        if len(before) != len(after) or not all(map(_is_same, before, after)):
            raise NoDerivativeError(
                f"{called}: what its function holds was changed between the call and its derivative, which "
                "calls the function again: an item of a list or dict, an attribute, an array. Change a copy."
            )

    return check


def _held(x: Any, seen: set[int]) -> Iterator[Any]:
    x = primal_of(x)
    if id(x) in seen or isinstance(x, type | types.ModuleType):
        return
    if isinstance(x, np.ndarray):
        yield x.copy()
        return
    parts = _parts_of(x)
    if parts is None:
        yield x
        return
    seen.add(id(x))
    for part in parts:
        yield from _held(part, seen)


def _parts_of(x: Any) -> list[Any] | None:
    if isinstance(x, list | tuple):
        return list(x)
    if isinstance(x, dict):
        return [*x, *x.values()]
    if isinstance(x, types.MethodType):
        return [x.__self__, x.__func__]
    if isinstance(x, types.FunctionType):
        cells = [cell.cell_contents for cell in x.__closure__ or () if cell != types.CellType()]
        return [*cells, *(x.__defaults__ or ())]
    return [*vars(x).values()] if hasattr(x, "__dict__") else None


def _is_same(before: Any, after: Any) -> bool:
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        kind_before, kind_after = ((x.dtype, x.shape) for x in (before, after))
        return kind_before == kind_after and before.tobytes() == after.tobytes()
    return before is after or (type(before) is type(after) and bool(before == after))
