"""Rules for ``dict`` of another dict, or of pairs of a key and a value.

Values that are given by keyword have no tangents.
"""

from typing import Any

from chainrules.values.iterables import (
    dict_tangent,
    held,
    item_tangents,
    iterable_cotangent,
    no_cotangent,
    tuple_tangent,
)
from chainrules_core import NO_TANGENT, ProjectTo, ZeroTangent, frule, rrule, typeof_

# --- Of a dict ---------------------------------------------------------------------------------------------


@frule.dispatch
def dict_of_dict_frule(tangents: Any, f: typeof_(dict), xs: dict, **named: Any):
    y, xs_dot = dict(xs, **named), tangents[1]
    return y, dict_tangent(dict, {key: NO_TANGENT if key in named else xs_dot[key] for key in y})


@rrule.dispatch
def dict_of_dict_rrule(f: typeof_(dict), xs: dict, **named: Any):
    project = ProjectTo(xs)

    def dict_pullback(y_bar):
        entries = {key: y_bar[key] for key in xs if key not in named}
        return NO_TANGENT, project(dict_tangent(type(xs), entries)) if entries else no_cotangent(xs)

    return dict(xs, **named), dict_pullback


# --- Of pairs ----------------------------------------------------------------------------------------------


@frule.dispatch
def dict_of_pairs_frule(tangents: Any, f: typeof_(dict), pairs: Any, **named: Any):
    pairs = tuple(pairs)
    y = dict(pairs, **named)
    pair_dots = item_tangents(tangents[1], len(pairs))
    dots = {key: dot[1] for (key, _), dot in zip(pairs, pair_dots, strict=True)}
    return y, dict_tangent(dict, {key: NO_TANGENT if key in named else dots[key] for key in y})


@rrule.dispatch
def dict_of_pairs_rrule(f: typeof_(dict), pairs: Any, **named: Any):
    pairs = held(pairs)
    items = tuple(pairs)
    # Of several pairs with one key, the last counts.
    places = {key: place for place, (key, _) in enumerate(items) if key not in named}

    def dict_pullback(y_bar):
        pair_bars: list[Any] = [ZeroTangent() for _ in items]
        for key, place in places.items():
            kind = type(items[place])
            pair_bars[place] = tuple_tangent(kind, (no_cotangent(key), y_bar[key]))
        return NO_TANGENT, iterable_cotangent(pairs, items, pair_bars)

    return dict(items, **named), dict_pullback
