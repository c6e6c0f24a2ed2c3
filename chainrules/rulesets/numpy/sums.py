"""Rules for sums, whole and running ones.

A sum is linear, so its tangent is the sum of the tangents; in reverse each element gets the cotangent of the
sum that it is in. An element gets the cotangents of all running sums from its own on, which together are a
running sum from the end. Elements that a sum leaves out, by ``where=`` or as NaNs, get none.
"""

import numpy as np

from chainrules.formulas.arrays.running_sums import sums_from_the_end
from chainrules.shortcuts.numpy.sums import cumsum_of_plain, push_sum_of_plain, sum_of_plain
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand
from chainrules.values.reductions import option_cotangents, read_sum, shape_of, spread, summed
from chainrules.values.running_reductions import read_cumulative, read_running, without_start
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    shortened_by,
    sum_tangents,
    typeof_,
)

_INITIAL = 4  # the place of `initial` after the array


@frule.dispatch
@shortened_by(push_sum_of_plain)
def sum_frule(tangents, f: typeof_any((np.sum, np.nansum)), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    reduction, _ = read_sum(f, x, *options, **named)
    y = f(x, *options, **named)
    dtype = y.dtype  # also where `x` is of another
    y_dot = summed(x_dot, reduction, dtype)
    if len(option_dots) <= _INITIAL:
        return y, y_dot
    return y, sum_tangents(y, [y_dot, option_dots[_INITIAL]])


@rrule.dispatch
@shortened_by(sum_of_plain)
def sum_rrule(f: typeof_any((np.sum, np.nansum)), x: Operand, *options, **named):
    reduction, _ = read_sum(f, x, *options, **named)
    project = ProjectTo(x)

    def sum_pullback(y_bar):
        # Each element of the result starts from one initial number.
        option_bars = option_cotangents(options, _INITIAL, lambda: np.sum(y_bar))
        return NO_TANGENT, project(spread(y_bar, x, reduction)), *option_bars

    return f(x, *options, **named), sum_pullback


# --- Running sums ----------------------------------------------------------------------------------


@frule.dispatch
def cumsum_frule(tangents, f: typeof_any((np.cumsum, np.nancumsum)), x: Operand, *options, **named):
    axis = read_running(f, x, *options, **named)
    y = f(x, *options, **named)
    return y, np.cumsum(_numbers_only(f, x, tangents[1]), axis=axis, dtype=y.dtype)


@rrule.dispatch
@shortened_by(cumsum_of_plain)
def cumsum_rrule(f: typeof_any((np.cumsum, np.nancumsum)), x: Operand, *options, **named):
    axis = read_running(f, x, *options, **named)
    project = ProjectTo(x)

    def cumsum_pullback(y_bar):
        x_bar = np.reshape(sums_from_the_end(y_bar, axis), shape_of(x))
        return NO_TANGENT, project(_numbers_only(f, x, x_bar)), *(NO_TANGENT,) * len(options)

    return f(x, *options, **named), cumsum_pullback


def _numbers_only(f, x, x_dot):
    return np.where(np.isnan(primal_of(x)), 0, x_dot) if f is np.nancumsum else x_dot


@frule.dispatch
def cumulative_sum_frule(tangents, f: typeof_(np.cumulative_sum), x: Operand, **named):
    read_cumulative(f, x, **named)
    y = np.cumulative_sum(x, **named)
    return y, np.cumulative_sum(tangents[1], **{**named, "dtype": y.dtype})


@rrule.dispatch
def cumulative_sum_rrule(f: typeof_(np.cumulative_sum), x: Operand, **named):
    axis, has_start = read_cumulative(f, x, **named)
    project = ProjectTo(x)

    def cumulative_sum_pullback(y_bar):
        y_bar = without_start(y_bar, axis) if has_start else y_bar
        return NO_TANGENT, project(np.reshape(sums_from_the_end(y_bar, axis), shape_of(x)))

    return np.cumulative_sum(x, **named), cumulative_sum_pullback
