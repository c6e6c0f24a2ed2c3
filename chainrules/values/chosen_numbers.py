"""The cotangents of chosen numbers that a function and its arguments hold, without those of all others.

A rule that calls a function at many places wants the same few of its cotangents at each: of what else the
function holds, such as data, it need not be traced what becomes of it.
"""

import functools
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any

from chainrules.values.held_numbers import Path, Place
from chainrules_core import backing, reconstruct

# From the first argument of a function, and a cotangent of its value, to the vector of the real numbers that
# the cotangents at the chosen places have.
PullNumbers = Callable[[Any, Any], Any]


@functools.singledispatch
def pull_of_numbers(
    config: Any, f: Any, t: Any, args: tuple[Any, ...], chosen: Sequence[Place]
) -> PullNumbers | None:
    """The pullback of ``f(t, *args)``, with any `t`, to some of the numbers that ``(f, args)`` holds.

    An AD system that has one registers it for its configuration; whoever asks has `rrule_via_ad` for others.

    Parameters
    ----------
    config
        The configuration of the AD system.
    f, t, args
        The function, one of its first arguments, and its further ones.
    chosen
        The places of the numbers, of `chainrules.values.held_numbers.places_in`.

    Returns
    -------
    PullNumbers or None
        `None` if there is none, or `f` has a rule.
    """
    return None


def value_at(x: Any, path: Path) -> Any:
    """The part of a value at a path."""
    for key in path:
        x = backing(x)[key]
    return x


def with_numbers(x: Any, chosen: Sequence[Place]) -> Callable[[Sequence[Any]], Any] | None:
    """What makes a value like `x` of other numbers at the chosen places.

    Returns
    -------
    Callable or None
        `None` where others than tuples and closures hold the numbers: somebody may miss a copy of a list.
    """
    return _with_numbers(x, [(place.path, i) for i, place in enumerate(chosen)])


def _with_numbers(x: Any, chosen: list[tuple[Path, int]]) -> Callable[[Sequence[Any]], Any] | None:
    if not chosen:
        return lambda numbers: x
    if not chosen[0][0]:
        return operator.itemgetter(chosen[0][1])
    if not isinstance(x, tuple | types.FunctionType):
        return None
    makers: dict[Any, Any] = {}
    for key in {path[0] for path, _ in chosen}:
        below = [(path[1:], i) for path, i in chosen if path[0] == key]
        makers[key] = _with_numbers(value_at(x, (key,)), below)
    if None in makers.values():
        return None
    if isinstance(backing(x), dict):
        return lambda numbers: reconstruct(
            x, backing(x) | {key: make(numbers) for key, make in makers.items()}
        )
    of_items: list[Any] = [makers.get(key) or _with_numbers(item, []) for key, item in enumerate(backing(x))]
    return lambda numbers: reconstruct(x, [make(numbers) for make in of_items])
