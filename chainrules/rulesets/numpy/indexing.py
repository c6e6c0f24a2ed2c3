"""Rules for picking elements by indices and conditions: one that is picked several times gets a sum."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import (
    places_in,
    places_in_several,
    returned,
    returned_to_several,
    size_of,
)
from chainrules.makers.linear_rules import linear_in_second_rule, selection_rule
from chainrules.operations.scatter import scattering_thunk
from chainrules.shortcuts.numpy.indexing import take_from_array, take_from_vector
from chainrules.values.operands import Operand, refuse_out, refuse_out_among
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import projected, shapes_of, tangents_of
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    frule,
    primal_of,
    primitive,
    rrule,
    shortened_by,
    typeof_,
    unbroadcast,
)

# --- take ------------------------------------------------------------------------------------------


# In higher orders `x` may be traced, and the indices a list.
_primitive_take = primitive(np.take)


@shortened_by(take_from_array)
def _take(x: Any, options: Any, named: Any) -> Any:
    return _primitive_take(x, *options, **named)


@frule.dispatch
def take_frule(tangents: Any, f: typeof_(np.take), x: Operand, *options: Any, **named: Any):
    _read_take(*options, **named)
    x_dot = tangents[1]
    y = _take(x, options, named)
    return y, _take(x_dot, options, named)


@rrule.dispatch
@shortened_by(take_from_vector)
def take_rrule(f: typeof_(np.take), x: Operand, *options: Any, **named: Any):
    indices, axis, mode = _read_take(*options, **named)
    y = _take(x, options, named)
    shape = shape_of(x)
    if not shape or (axis is None and len(shape) != 1):  # a number may have an axis, as a vector has
        return y, _taken_from_all(x, indices, mode, len(options))
    like_x = primal_of(x)
    index = _in_range(indices, shape[axis or 0], mode)
    if axis:
        index = (*(slice(None),) * (axis % len(shape)), index)
    without_tangents = (NO_TANGENT,) * len(options)

    def take_pullback(y_bar):
        # As for items: few rows are taken from a large table, many times.
        return NO_TANGENT, scattering_thunk(unbroadcast(y, y_bar), like_x, index), *without_tangents

    return y, take_pullback


def _taken_from_all(x: Any, indices: Any, mode: str, n_options: int) -> Callable[[Any], tuple[Any, ...]]:
    """The pullback where elements are counted row by row."""
    project, shape = ProjectTo(x), shape_of(x)

    def take_pullback(y_bar):
        x_bar = returned(y_bar, shape, _in_range(indices, size_of(shape), mode))
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * n_options

    return take_pullback


def _read_take(indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> tuple[Any, Any, str]:
    refuse_out("np.take", out)
    return indices, axis, mode


def _in_range(indices: Any, length: int, mode: str) -> Any:
    """The indices that are meant, by any of NumPy's modes for indices beyond the end."""
    indices = np.asarray(indices, dtype=np.intp)  # also truth values, which are 0 and 1 here
    if mode == "wrap":
        return np.mod(indices, length)
    return np.clip(indices, 0, length - 1) if mode == "clip" else indices


selection_rule(np.take_along_axis)

# --- by conditions ---------------------------------------------------------------------------------


def _uncompressed(
    y_bar: Any, shape: tuple[int, ...], condition: Any, axis: Any = None, out: Any = None
) -> Any:
    return returned(y_bar, shape, np.compress(condition, places_in(shape), axis))


def _unextracted(y_bar: Any, shape: tuple[int, ...], condition: Any) -> Any:
    return returned(y_bar, shape, np.extract(condition, places_in(shape)))


linear_in_second_rule(np.compress, _uncompressed, out=1)
linear_in_second_rule(np.extract, _unextracted)

# --- choose ----------------------------------------------------------------------------------------


@frule.dispatch
def choose_frule(tangents: Any, f: typeof_(np.choose), index: Any, xs: Any, *options: Any, **named: Any):
    refuse_out_among("np.choose", options, named, 0)
    dots = tangents_of(xs, tangents[2])
    return np.choose(index, xs, *options, **named), np.choose(index, dots, *options, **named)


@rrule.dispatch
def choose_rrule(f: typeof_(np.choose), index: Any, xs: Any, *options: Any, **named: Any):
    refuse_out_among("np.choose", options, named, 0)
    shapes = shapes_of(xs)

    def choose_pullback(y_bar):
        places = np.choose(index, places_in_several(shapes), *options, **named)
        bars = returned_to_several(y_bar, shapes, places)
        return NO_TANGENT, NO_TANGENT, projected(xs, bars), *(NO_TANGENT,) * len(options)

    return np.choose(index, xs, *options, **named), choose_pullback
