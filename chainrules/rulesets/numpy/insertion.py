"""Rules for adding elements to an array and removing them: the remaining ones get their cotangents."""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import places_in_several, returned_to_several, zeros_like
from chainrules.makers.linear_rules import selection_rule
from chainrules.operations.scatter import scatter
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import shapes_of, tangents_of
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, typeof_

selection_rule(np.delete)
selection_rule(np.resize)

# --- append and insert: each element of the result is one of either array --------------------------


@frule.dispatch
def append_frule(tangents: Any, f: typeof_(np.append), x: Operand, values: Any, *options: Any, **named: Any):
    dots = tangents_of((x, values), tangents[1:3])
    return np.append(x, values, *options, **named), np.append(*dots, *options, **named)


@rrule.dispatch
def append_rrule(f: typeof_(np.append), x: Operand, values: Any, *options: Any, **named: Any):
    shapes = shapes_of((x, values))
    project = ProjectTo((x, values))

    def append_pullback(y_bar):
        places = np.append(*places_in_several(shapes), *options, **named)
        bars = project(tuple(returned_to_several(y_bar, shapes, places)))
        return NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    return np.append(x, values, *options, **named), append_pullback


@frule.dispatch
def insert_frule(
    tangents: Any, f: typeof_(np.insert), x: Operand, index: Any, values: Any, *options: Any, **named: Any
):
    x_dot, values_dot = tangents_of((x, values), (tangents[1], tangents[3]))
    y = np.insert(x, index, values, *options, **named)
    return y, np.insert(x_dot, index, values_dot, *options, **named)


@rrule.dispatch
def insert_rrule(f: typeof_(np.insert), x: Operand, index: Any, values: Any, *options: Any, **named: Any):
    shapes = shapes_of((x, values))
    project = ProjectTo((x, values))

    def insert_pullback(y_bar):
        x_places, places_of_values = places_in_several(shapes)
        places = np.insert(x_places, index, places_of_values, *options, **named)
        x_bar, values_bar = project(tuple(returned_to_several(y_bar, shapes, places)))
        return NO_TANGENT, x_bar, NO_TANGENT, values_bar, *(NO_TANGENT,) * len(options)

    return np.insert(x, index, values, *options, **named), insert_pullback


# --- trim_zeros: the values decide how much is cut off ---------------------------------------------


@frule.dispatch
def trim_zeros_frule(tangents: Any, f: typeof_(np.trim_zeros), x: Any, *options: Any, **named: Any):
    y = np.trim_zeros(x, *options, **named)
    return y, tangents[1][_place_of_result(x, shape_of(y), *options, **named)]


@rrule.dispatch
def trim_zeros_rrule(f: typeof_(np.trim_zeros), x: Any, *options: Any, **named: Any):
    y = np.trim_zeros(x, *options, **named)
    project = ProjectTo(x)
    shape = shape_of(x)
    kept = _place_of_result(x, shape_of(y), *options, **named)

    def trim_zeros_pullback(y_bar):
        x_bar = project(scatter(y_bar, zeros_like(y_bar, shape), kept))
        return NO_TANGENT, x_bar, *(NO_TANGENT,) * len(options)

    return y, trim_zeros_pullback


def _place_of_result(
    x: Any, lengths: tuple[int, ...], trim: str = "fb", axis: Any = None
) -> tuple[slice, ...]:
    """Where the result, of these lengths, lies in `x`."""
    shape = shape_of(x)
    trimmed = range(len(shape)) if axis is None else np.atleast_1d(axis) % len(shape)
    first = [np.min(places, initial=n) for n, places in zip(shape, np.nonzero(primal_of(x)), strict=True)]
    starts = [first[a] if "f" in trim.lower() and a in trimmed else 0 for a in range(len(shape))]
    return tuple(slice(start, start + n) for start, n in zip(starts, lengths, strict=True))
