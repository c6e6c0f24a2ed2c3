"""Rules for ``max`` and ``min``, of several arguments or of the items of an iterable.

The result is one of the arguments. Real numbers that are equal share the derivative equally, since any of
them could be the result: that is the mean of the subgradients. Where ``key`` chooses among different items,
all of the derivative belongs to the item that is chosen, the first of equals.
"""

from numbers import Real
from typing import Any

from chainrules.values.iterables import held, item_tangents, iterable_cotangent
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primal_of, rrule, typeof_


@frule.dispatch
def extremum_frule(tangents: Any, f: typeof_(max) | typeof_(min), *args: Any, **named: Any):
    args = tuple(map(held, args))
    items = candidates(args)
    y, places = chosen(f, items, **named)
    item_dots = tangents[1:] if len(args) > 1 else item_tangents(tangents[1], len(items))
    dots = [dot for place in places if not isinstance(dot := item_dots[place], AbstractZero)]
    if not dots:
        return y, ZeroTangent()
    return y, dots[0] if len(places) == 1 else sum(dots[1:], start=dots[0]) / len(places)


@rrule.dispatch
def extremum_rrule(f: typeof_(max) | typeof_(min), *args: Any, **named: Any):
    args = tuple(map(held, args))
    items = candidates(args)
    y, places = chosen(f, items, **named)

    def extremum_pullback(y_bar):
        share = y_bar / len(places) if len(places) > 1 else y_bar
        item_bars = [ZeroTangent() for _ in items]
        for place in places:
            item_bars[place] = ProjectTo(items[place])(share)
        return NO_TANGENT, *(item_bars if len(args) > 1 else [iterable_cotangent(args[0], items, item_bars)])

    return y, extremum_pullback


def candidates(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values that are compared."""
    return args if len(args) > 1 else tuple(*args)


def chosen(f: Any, items: tuple[Any, ...], key: Any = None, **named: Any) -> tuple[Any, list[int]]:
    """The extremum, and the places of the items that have a share in it."""
    if not items and "default" in named:
        return named["default"], []
    if key is not None:
        place = f(range(len(items)), key=lambda i: key(items[i]))
        return items[place], [place]
    place = f(range(len(items)), key=items.__getitem__)
    y = items[place]
    if not isinstance(primal_of(y), Real):
        return y, [place]
    equal = [i for i, item in enumerate(items) if item == y]
    return y, equal or [place]  # a NaN equals nothing
