"""Rules for integration by the trapezoidal rule: the sum of ``h_i (y_i + y_(i+1)) / 2``, bilinear in both."""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.neighbours import differences_back, neighbours, neighbours_back
from chainrules.makers.aliases import alias_rule
from chainrules.makers.versions import present
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    thunk,
    typeof_,
    unbroadcast,
    unthunk,
)

for _trapz in present(np, "trapz"):  # until NumPy 2.3
    alias_rule(_trapz, np.trapezoid)


@frule.dispatch
def trapezoid_frule(tangents, f: typeof_(np.trapezoid), y: Operand, *options, **named):
    x, dx, axis = _read_spacing(*options, **named)
    x_dot, dx_dot = (*tangents[2:4], NO_TANGENT, NO_TANGENT)[:2]
    integral_dot = np.trapezoid(tangent_as_array(y, tangents[1]), x, dx, axis)
    # Places that do not move contribute nothing, not even where `y` is infinite.
    if x is not None and not isinstance(x_dot, AbstractZero):
        integral_dot = integral_dot + np.trapezoid(y, tangent_as_array(x, x_dot), axis=axis)
    elif x is None and not isinstance(dx_dot, AbstractZero):
        integral_dot = integral_dot + np.trapezoid(y, None, tangent_as_array(dx, dx_dot), axis)
    return np.trapezoid(y, *options, **named), integral_dot


@rrule.dispatch
def trapezoid_rrule(f: typeof_(np.trapezoid), y: Operand, *options, **named):
    x, dx, axis = _read_spacing(*options, **named)
    project = ProjectTo(y)
    rows = np.moveaxis(y, axis, -1)
    left, right = neighbours(rows)
    steps = _distances_in_rows(dx, left, axis) if x is None else np.diff(_places_in_rows(x, axis))
    if x is not None and shape_of(steps)[-1] != shape_of(left)[-1]:
        # Of two numbers, or two places, NumPy would repeat the one step between them.
        raise ValueError(
            f"np.trapezoid(y, x, axis={axis}) of shapes {shape_of(y)}, {shape_of(x)} has no derivative: give"
            " as many places as there are numbers along the axis."
        )

    def trapezoid_pullback(z_bar):
        half_bar = 0.5 * np.expand_dims(z_bar, -1)
        each_bar = half_bar * np.conj(steps) * np.ones_like(left)
        # Cut off at 0, since a line of no elements has no neighbours either.
        y_bar = unbroadcast(rows, neighbours_back(each_bar, each_bar)[..., : shape_of(rows)[-1]])
        steps_bar = thunk(lambda: half_bar * np.conj(left + right))
        option_bars = (
            NO_TANGENT if x is None else thunk(lambda: _pulled_to_places(x, unthunk(steps_bar), axis)),
            thunk(lambda: _pulled_to_distances(dx, unthunk(steps_bar), axis)) if x is None else NO_TANGENT,
            NO_TANGENT,
        )
        return NO_TANGENT, project(np.moveaxis(y_bar, -1, axis)), *option_bars[: len(options)]

    return np.trapezoid(y, *options, **named), trapezoid_pullback


def _read_spacing(x=None, dx=1.0, axis: int = -1) -> tuple[Any, Any, int]:
    return x, dx, axis


def _places_in_rows(x, axis: int):
    """A vector of places serves all rows."""
    return x if len(shape_of(x)) == 1 else np.moveaxis(x, axis, -1)


def _distances_in_rows(dx, left, axis: int):
    """One distance serves all elements; an array of them is broadcast against the differences of `y`."""
    if not shape_of(dx):
        return dx
    return np.moveaxis(np.broadcast_to(dx, shape_of(np.moveaxis(primal_of(left), -1, axis))), axis, -1)


def _pulled_to_distances(dx, steps_bar, axis: int):
    return unbroadcast(dx, np.moveaxis(steps_bar, -1, axis) if shape_of(dx) else steps_bar)


def _pulled_to_places(x, steps_bar, axis: int):
    rows = _places_in_rows(x, axis)
    # A place that serves several rows gets the sum of their cotangents.
    x_bar = unbroadcast(rows, differences_back(steps_bar, shape_of(rows)[-1]))
    return x_bar if len(shape_of(x)) == 1 else np.moveaxis(x_bar, -1, axis)
