"""Rules for ``sum``: of the items of any iterable of numbers and arrays, from a start."""

from numbers import Number
from typing import Any

import numpy as np

from chainrules.values.iterables import held, item_tangents, iterable_cotangent
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractArray,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    sum_tangents,
    typeof_,
    unbroadcast,
)


@frule.dispatch
def sum_frule(tangents: Any, f: typeof_(sum), xs: Any, *start: Any, **named: Any):
    items = tuple(xs)
    if not are_operands(items, start):
        return None
    y = sum(items, *start, **named)
    dots = [*item_tangents(tangents[1], len(items)), *tangents[2:]]
    return y, sum_tangents(y, dots) if dots else NO_TANGENT


@rrule.dispatch
def sum_rrule(f: typeof_(sum), xs: Any, *start: Any, **named: Any):
    xs = held(xs)
    items = tuple(xs)
    if not are_operands(items, start):
        return None

    def sum_pullback(y_bar):
        return NO_TANGENT, cotangent_of_iterable(y_bar, xs, items), *(unbroadcast(x, y_bar) for x in start)

    return sum(items, *start, **named), sum_pullback


def are_operands(items: tuple[Any, ...], start: tuple[Any, ...]) -> bool:
    """Whether all are numbers or arrays; of lists, `sum` would make a list."""
    one_of_each = {type(x): x for x in (*items, *start)}.values()
    return all(isinstance(primal_of(x), Number | AbstractArray) for x in one_of_each)


def cotangent_of_iterable(y_bar: Any, xs: Any, items: tuple[Any, ...]) -> Any:
    """The cotangent of the iterable: each item has the cotangent of the sum."""
    if items and isinstance(primal_of(xs), AbstractArray):
        return ProjectTo(xs)(np.broadcast_to(unbroadcast(items[0], y_bar), shape_of(xs)))
    return iterable_cotangent(xs, items, [unbroadcast(item, y_bar) for item in items])
