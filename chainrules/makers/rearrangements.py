"""Rules of functions that only rearrange the items of iterables: pick, repeat, sort and group them.

A function of this kind is run on *places* instead of items. The place that arrives somewhere in the result
tells which item goes there, and the tangent of the item goes there too; in reverse, the cotangent comes back
from there. Places know their items, so that a function may choose by them; its choice is constant between
jumps.

Some of these functions return iterators, which are read once and have no tangents. Their rules return the
items as a tuple, which is iterated over in the same way. An iterator among the arguments is read, once, and
has the tangent of the tuple of its items.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chainrules.values.iterables import held, item_tangents, iterable_cotangent, no_cotangent, tuple_tangent
from chainrules_core import NO_TANGENT, AbstractZero, ZeroTangent, define, rule_maker, typeof_

ALL = slice(None)
FIRST = slice(0, 1)
SECOND = slice(1, 2)


@dataclass(slots=True, eq=False)
class Place:
    """A place in an iterable.

    Attributes
    ----------
    item
        The item that stands there.
    argument, position
        Which argument of the call the iterable is, and where in it the place is.
    """

    item: Any
    argument: int
    position: int


@rule_maker
def rearrangement(primal: Callable[..., Any], route: Callable[..., Any], iterables: slice = FIRST) -> None:
    """Define the rules of a function that rearranges.

    Parameters
    ----------
    primal
        The function.
    route
        The function of places that does the same: called as `primal` is, with a list of places for each list
        among the iterables and a tuple of places for each other iterable, it returns a place, or a tuple or
        list of places and constants, nested like the result.
    iterables
        Which of the positional arguments are the iterables. The others are constants.
    """

    def rearrangement_frule(tangents: Any, f: typeof_(primal), *args: Any, **named: Any) -> tuple[Any, Any]:
        return moved(tangents, route, args, named, iterables)

    def rearrangement_rrule(f: typeof_(primal), *args: Any, **named: Any) -> tuple[Any, Any]:
        return moved_back(route, args, named, iterables)

    define(rearrangement_frule, rearrangement_rrule)


def moved(
    tangents: Any, route: Callable[..., Any], args: Any, named: dict[str, Any], iterables: slice = FIRST
) -> tuple[Any, Any]:
    """The forward rule of a rearrangement; see `rearrangement`."""
    args = with_places(args, iterables)
    dots = [
        item_tangents(x_dot, len(x))
        for x_dot, x in zip(tangents[1:][iterables], args[iterables], strict=True)
    ]
    arrived = route(*args, **named)
    return items_at(arrived), tangents_at(arrived, dots)


def moved_back(
    route: Callable[..., Any], args: Any, named: dict[str, Any], iterables: slice = FIRST
) -> tuple[Any, Any]:
    """The reverse rule of a rearrangement; see `rearrangement`."""
    args = list(map(held, args))
    placed = with_places(args, iterables)
    arrived = route(*placed, **named)
    items = [[place.item for place in places] for places in placed[iterables]]

    def rearrangement_pullback(y_bar: Any) -> Any:
        sums: list[list[Any]] = [[ZeroTangent()] * len(below) for below in items]
        collect(arrived, y_bar, sums)
        x_bars: list[Any] = [NO_TANGENT for _ in args]
        x_bars[iterables] = map(iterable_cotangent, args[iterables], items, sums)
        return NO_TANGENT, *x_bars

    return items_at(arrived), rearrangement_pullback


def with_places(args: Sequence[Any], iterables: slice) -> list[Any]:
    """The arguments of a call, with places for the items of the iterables."""
    placed = list(args)
    placed[iterables] = [
        (list if isinstance(xs, list) else tuple)(
            Place(item, argument, position) for position, item in enumerate(xs)
        )
        for argument, xs in enumerate(args[iterables])
    ]
    return placed


def items_at(arrived: Any) -> Any:
    """The result of the route, with the items that stand at the places."""
    if isinstance(arrived, Place):
        return arrived.item
    return type(arrived)(map(items_at, arrived)) if isinstance(arrived, tuple | list) else arrived


def tangents_at(arrived: Any, dots: list[list[Any]]) -> Any:
    """The tangent of the result of the route, from the tangents of the items of each iterable."""
    if isinstance(arrived, Place):
        return dots[arrived.argument][arrived.position]
    if isinstance(arrived, tuple | list):
        return tuple_tangent(type(arrived), [tangents_at(part, dots) for part in arrived])
    return no_cotangent(arrived)


def collect(arrived: Any, y_bar: Any, sums: list[list[Any]]) -> None:
    """Add the parts of the cotangent of the result to the cotangents of the items that they belong to."""
    if isinstance(y_bar, AbstractZero):
        return
    if isinstance(arrived, Place):
        below = sums[arrived.argument]
        below[arrived.position] = below[arrived.position] + y_bar
    elif isinstance(arrived, tuple | list):
        for position, part in enumerate(arrived):
            collect(part, y_bar[position], sums)
