"""Rules for searching: choosing between values by conditions; the places of elements have no derivative."""

from typing import Any

import numpy as np

from chainrules.shortcuts.numpy.searching import where_between_arrays
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import projected, tangents_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    non_differentiable,
    rrule,
    shortened_by,
    typeof_,
    unbroadcast,
)

non_differentiable(np.where, object)
non_differentiable(np.argmax, np.argmin, np.nanargmax, np.nanargmin)
non_differentiable(np.argwhere, np.nonzero, np.flatnonzero, np.searchsorted)


@frule.dispatch
def where_frule(tangents: Any, f: typeof_(np.where), condition: Any, x: Operand, y: Operand):
    _, _, x_dot, y_dot = tangents
    z: Any = np.where(condition, x, y)
    z_dot: Any = np.where(condition, x_dot, y_dot)
    return z, z_dot if z_dot.shape == z.shape else np.broadcast_to(z_dot, z.shape)


@rrule.dispatch
@shortened_by(where_between_arrays)
def where_rrule(f: typeof_(np.where), condition: Any, x: Operand, y: Operand):
    def where_pullback(z_bar):
        x_bar, y_bar = (
            Thunk(_pull_choice, x, condition, z_bar, 0.0),
            Thunk(_pull_choice, y, condition, 0.0, z_bar),
        )
        return NO_TANGENT, NO_TANGENT, x_bar, y_bar

    return np.where(condition, x, y), where_pullback


def _pull_choice(operand: Any, condition: Any, if_true: Any, if_false: Any) -> Any:
    return unbroadcast(operand, np.where(condition, if_true, if_false))


# --- Several conditions ----------------------------------------------------------------------------


@frule.dispatch
def select_frule(tangents: Any, f: typeof_(np.select), conditions: Any, xs: Any, *default: Any, **named: Any):
    _, _, xs_dot, *default_dots = tangents
    z = np.select(conditions, xs, *default, **named)
    z_dot = np.select(conditions, tangents_of(xs, xs_dot), *map(_or_zero, default_dots))
    return z, ProjectTo(z)(np.broadcast_to(z_dot, shape_of(z)))


@rrule.dispatch
def select_rrule(f: typeof_(np.select), conditions: Any, xs: Any, *default: Any, **named: Any):
    def select_pullback(z_bar):
        bars, is_left = [], np.array(True)
        for condition, x in zip(conditions, xs, strict=True):
            bars.append(unbroadcast(x, np.where(is_left & condition, z_bar, 0)))
            is_left = is_left & np.logical_not(condition)
        default_bars = [unbroadcast(x, np.where(is_left, z_bar, 0)) for x in default]
        return NO_TANGENT, NO_TANGENT, projected(xs, bars), *default_bars

    return np.select(conditions, xs, *default, **named), select_pullback


def _or_zero(x_dot: Any) -> Any:
    return 0 if isinstance(x_dot, AbstractZero) else x_dot
