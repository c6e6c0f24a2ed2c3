"""The floating point numbers and arrays that values hold: functions by their closures, objects, containers.

A cotangent of such a value has a field for each. By its paths it is laid out as a vector of real numbers,
that can be integrated or solved for, and a cotangent is made of such a vector again.
"""

import functools
import types
from collections.abc import Callable, Iterable, Iterator
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

# The way to a place: of each part on the way its field name, position or key.
Path = tuple[Any, ...]


class Place(NamedTuple):
    """Where a value holds a floating point number or array."""

    path: Path
    shape: tuple[int, ...]
    is_complex: bool

    @property
    def size(self) -> int:
        """How many real numbers there are."""
        return int(np.prod(self.shape)) * (1 + self.is_complex)


def places_in(x: Any, zero: Any = None) -> list[Place]:
    """The places of the floating point numbers and arrays that `x` holds, whose zero tangent is `zero`."""
    return list(_places(x, zero_tangent(x) if zero is None else zero, (), set()))


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
    return np.concatenate([_reals(part_at(x_bar, place.path), place) for place in places])


def vector_of(parts: Iterable[Any], places: Iterable[Place]) -> Any:
    """The vector of the real numbers in the parts of a cotangent at the places."""
    return np.concatenate(list(map(_reals, parts, places)))


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


def cotangent_with(x: Any, sample: Any, parts: dict[Path, Any], zero: Any = None) -> Any:
    """The cotangent of `x` with the given parts.

    Parameters
    ----------
    x
        The value.
    sample
        Some cotangent of it, which says what AD cannot differentiate by.
    parts
        The part at each path, with those of `places_in`.
    zero
        The zero tangent of `x`, if it is known.
    """
    return _with_parts(zero_tangent(x) if zero is None else zero, sample, parts, ())


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


def noted_call(
    held: Any, called: str, function: Callable[..., Any], /, *args: Any, **named: Any
) -> tuple[Any, Callable[[], None]]:
    """Call a function that calls functions of the user's, which its derivative will call again.

    Parameters
    ----------
    held
        The functions of the user's, and what they are given.
    called
        The name of `function`, for messages.
    function, args, named
        The call.

    Returns
    -------
    tuple
        The result, and a function that refuses what has come to hold something else since then:
        `check_of_changes`.

    Raises
    ------
    NoDerivativeError
        If a function of the user's stored numbers that it computed: the derivative would read them, and they
        are constants. A list may grow, as a log does.
    """
    before = _copies(held)
    result = function(*args, **named)
    after = {}
    for path, leaf in _leaves(held, (), set()):
        is_as_before = path in before and _is_same(before[path], leaf)
        after[path] = before[path] if is_as_before else _copy(leaf)
        if _is_number(leaf) and not is_as_before and not _is_appended(path, before):
            raise NoDerivativeError(
                f"{called}: its function stored a number that it computed, under {path[-1]!r}. The "
                "derivative calls the function again, which may read that number as a constant. Compute it "
                "at each call; what is only to be looked at afterwards can be appended to a list."
            )
    return result, _check(after, held, called)


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
    return _check(_copies(x), x, called)


def _check(before: dict[tuple[Any, ...], Any], x: Any, called: str) -> Callable[[], None]:
    def check() -> None:
        after = dict(_leaves(x, (), set()))
        if before.keys() != after.keys() or not all(_is_same(before[path], after[path]) for path in before):
            raise NoDerivativeError(
                f"{called}: what its function holds was changed between the call and its derivative, which "
                "calls the function again: an item of a list or dict, an attribute, an array. Change a copy."
            )

    return check


# Estimates of a Hessian, such as `scipy.optimize.BFGS`, in which a search keeps how far it came.
_SEARCHES_OWN = "scipy.optimize._hessian_update_strategy"
# Where random variables of `scipy.stats` keep moments that were asked for; no density reads them.
_OF_MOMENTS = frozenset(f"_moment_{kind}_cache" for kind in ("raw", "central", "standardized"))


class _Length(int):
    """How many items a list has."""


def _copies(x: Any) -> dict[tuple[Any, ...], Any]:
    """What is held now, by its paths, and stays as it is."""
    return {path: _copy(leaf) for path, leaf in _leaves(x, (), set())}


def _copy(leaf: Any) -> Any:
    return leaf.copy() if isinstance(leaf, np.ndarray) else leaf


def _leaves(x: Any, path: tuple[Any, ...], seen: set[int]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    x = primal_of(x)
    if id(x) in seen or isinstance(x, type | types.ModuleType) or type(x).__module__ == _SEARCHES_OWN:
        return
    if isinstance(x, np.ndarray):
        yield path, x
        return
    parts = _parts_of(x)
    if parts is None:
        yield path, x
        return
    seen.add(id(x))
    if isinstance(x, list):
        yield path, _Length(len(x))
    for key, part in parts.items():
        yield from _leaves(part, (*path, key), seen)


def _parts_of(x: Any) -> dict[Any, Any] | None:
    if isinstance(x, list | tuple):
        return dict(enumerate(x))
    if isinstance(x, dict):
        return x
    if isinstance(x, types.MethodType):
        return {"__self__": x.__self__, "__func__": x.__func__}
    if isinstance(x, types.FunctionType):
        return {**backing(x), **dict(enumerate(x.__defaults__ or ())), **vars(x)}
    if isinstance(x, functools.partial):
        return {"func": x.func, "args": x.args, "keywords": x.keywords}
    has_slots = hasattr(type(x), "__slots__") and not isinstance(x, int | float | complex | np.generic)
    in_slots = _in_slots(x) if has_slots else {}
    if not hasattr(x, "__dict__"):
        return in_slots or None
    return in_slots | {name: part for name, part in vars(x).items() if name not in _OF_MOMENTS}


def _in_slots(x: Any) -> dict[str, Any]:
    slots = [(name, slot) for cls in type(x).__mro__ for name, slot in vars(cls).items()]
    names = [name for name, slot in slots if isinstance(slot, types.MemberDescriptorType)]
    return {name: getattr(x, name) for name in names if hasattr(x, name)}


def _is_number(x: Any) -> bool:
    return isinstance(x, float | complex | np.inexact) or (isinstance(x, np.ndarray) and x.dtype.kind in "fc")


def _is_appended(path: tuple[Any, ...], before: dict[tuple[Any, ...], Any]) -> bool:
    lengths = (before.get(path[:i]) for i in range(len(path)))
    return any(isinstance(n, _Length) and path[i] >= n for i, n in enumerate(lengths))


def _bits(x: Any) -> Any:
    """The numbers of an array as whole ones, which differ for 0 and -0, and for no NaN from itself."""
    return np.ascontiguousarray(x).view(f"u{min(x.itemsize, 8)}")


def _is_same(before: Any, after: Any) -> bool:
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        kind_before, kind_after = ((x.dtype, x.shape) for x in (before, after))
        if kind_before != kind_after:
            return False
        if before.dtype.kind not in "biufc" or before.itemsize not in {1, 2, 4, 8, 16}:
            return before.tobytes() == after.tobytes()
        return bool(np.all(_bits(before) == _bits(after)))
    return before is after or (type(before) is type(after) and bool(before == after))
