"""Rules for iterating over arrays, and for making arrays of the items of iterators.

``np.ndenumerate`` gives the tuple of its pairs, see `chainrules.makers.rearrangements`.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.values.iterables import item_tangents, iterable_cotangent, tuple_tangent, zeros_if_zero
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import NO_TANGENT, ProjectTo, ZeroTangent, frule, primal_of, rrule, typeof_, unthunk

# --- ndenumerate -------------------------------------------------------------------------------------------


def enumerated(x: Any) -> tuple[Any, ...]:
    """Each element, with its place before it."""
    return tuple((place, x[place]) for place in np.ndindex(shape_of(x)))


@frule.dispatch
def ndenumerate_frule(tangents: Any, f: typeof_(np.ndenumerate), x: ArrayOperand):
    x_dot = tangents[1]
    return enumerated(x), tuple_tangent(tuple, [with_place(element) for _, element in enumerated(x_dot)])


def with_place(element_dot: Any) -> Any:
    """The tangent of an element and its place, which is constant."""
    return tuple_tangent(tuple, (NO_TANGENT, element_dot))


@rrule.dispatch
def ndenumerate_rrule(f: typeof_(np.ndenumerate), x: ArrayOperand):
    y, project = enumerated(x), ProjectTo(x)

    def ndenumerate_pullback(y_bar):
        pairs = zip(y, item_tangents(y_bar, len(y)), strict=True)
        bars = [zeros_if_zero(element, item_tangents(pair, 2)[1]) for (_, element), pair in pairs]
        return NO_TANGENT, project(np.reshape(np.stack(bars), shape_of(x))) if bars else np.zeros_like(x)

    return y, ndenumerate_pullback


# --- fromiter ----------------------------------------------------------------------------------------------


@frule.dispatch
def fromiter_frule(tangents: Any, f: typeof_(np.fromiter), xs: Any, dtype: Any, *count: Any, **named: Any):
    items = first_items(xs, *count, **named)
    dots = tuple_tangent(list, item_tangents(tangents[1], len(items)))
    return frule((NO_TANGENT, dots, NO_TANGENT), np.array, items, dtype)


@rrule.dispatch
def fromiter_rrule(f: typeof_(np.fromiter), xs: Any, dtype: Any, *count: Any, **named: Any):
    items = first_items(xs, *count, **named)
    xs = items if isinstance(xs, Iterator) else xs
    y, pull = rrule(np.array, items, dtype)

    def fromiter_pullback(y_bar):
        bars = item_tangents(unthunk(pull(y_bar)[1]), len(items)) + [ZeroTangent()] * (len(xs) - len(items))
        return NO_TANGENT, iterable_cotangent(xs, list(xs), bars), NO_TANGENT, *(NO_TANGENT,) * len(count)

    return y, fromiter_pullback


def first_items(xs: Any, count: int = -1, *, like: Any = None) -> list[Any]:
    """The numbers that are asked for: all, if their number is negative."""
    items = list(xs) if count < 0 else list(itertools.islice(xs, count))
    if len(items) < count or any(map(shape_of, items)):
        np.fromiter([primal_of(x) for x in items], float, count)  # NumPy's own error
    return items
