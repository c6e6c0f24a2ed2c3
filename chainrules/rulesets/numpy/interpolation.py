"""Rules for piecewise linear interpolation.

Between knots, ``y = (1 - t) f_j + t f_(j+1)`` with ``t = (x - x_j) / (x_(j+1) - x_j)`` and the slope
``s = (f_(j+1) - f_j) / (x_(j+1) - x_j)``. Moving a knot along the line through it changes nothing, so

    ``y_dot = (1 - t) (f_dot_j - s x_dot_j) + t (f_dot_(j+1) - s x_dot_(j+1)) + s x_dot``.

At a knot, where there are two slopes, `s` is the one to its right, and at the last knot the one to its left.
Beyond the ends the result is constant.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.arrays.places import returned
from chainrules.formulas.numbers.precision import as_precise
from chainrules.shortcuts.numpy.interpolation import sums_of_vector
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangents_of
from chainrules.values.stacks import conjugate, is_complex_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    shortened_by,
    typeof_,
)


class Line(NamedTuple):
    """The line that each point is interpolated on.

    Attributes
    ----------
    first, second
        The places of its ends among the knots.
    t
        How far the point is from the first end to the second.
    slope
        Zero beyond the ends.
    """

    first: Any
    second: Any
    t: Any
    slope: Any


class Period(NamedTuple):
    """How knots and points are brought into one period: ``xp[order] - turns * period``.

    Attributes
    ----------
    order
        The order of the knots, with one more beyond each end.
    turns, turns_of_x
        By how many periods each of these knots, and each point, is moved.
    """

    order: Any
    turns: Any
    turns_of_x: Any


@frule.dispatch
def interp_frule(
    tangents: Any, f: typeof_(np.interp), x: Operand, xp: Operand, fp: Operand, *ends: Any, **named: Any
):
    left, right, period = _read_ends(*ends, **named)
    y = np.interp(x, xp, fp, *ends, **named)
    x_dot, xp_dot, fp_dot = tangents_of((x, xp, fp), tangents[1:4])
    end_dots = (*tangents[4:], *(NO_TANGENT for _ in range(3 - len(ends))))
    left_dot, right_dot, period_dot = (0.0 if isinstance(dot, AbstractZero) else dot for dot in end_dots)
    xp, fp = as_precise(xp, y), as_precise(fp, y)  # differences of integers may overflow
    if period is not None:
        turning = _turning(x, xp, period)
        x_dot, xp_dot, fp_dot = _in_one_period(turning, x_dot, xp_dot, fp_dot, np.sign(period) * period_dot)
        x, xp, fp = _in_one_period(turning, x, xp, fp, np.abs(period))
    line = _line(x, xp, fp)
    first_dot = fp_dot[line.first] - line.slope * xp_dot[line.first]
    second_dot = fp_dot[line.second] - line.slope * xp_dot[line.second]
    y_dot = (1 - line.t) * first_dot + line.t * second_dot + line.slope * x_dot
    is_left, is_right = _is_replaced(x, xp, left, right)
    y_dot = np.where(is_left, left_dot, np.where(is_right, right_dot, y_dot))
    return y, ProjectTo(y)(y_dot)


@rrule.dispatch
def interp_rrule(f: typeof_(np.interp), x: Operand, xp: Operand, fp: Operand, *ends: Any, **named: Any):
    left, right, period = _read_ends(*ends, **named)
    y = np.interp(x, xp, fp, *ends, **named)
    projects = ProjectTo(x), ProjectTo(xp), ProjectTo(fp)
    xp, fp = as_precise(xp, y), as_precise(fp, y)  # differences of integers may overflow
    turning = None if period is None else _turning(x, xp, period)
    knots = (x, xp, fp) if turning is None else _in_one_period(turning, x, xp, fp, np.abs(period))
    line = _line(*knots)
    has_ends = left is not None or right is not None
    is_left, is_right = _is_replaced(*knots[:2], left, right) if has_ends else (False, False)
    count = shape_of(knots[1])

    def interp_pullback(y_bar):
        line_bar = np.where(is_left | is_right, 0, y_bar) if has_ends else y_bar
        x_bar = conjugate(line.slope) * line_bar
        real_x_bar = np.real(x_bar) if is_complex_array(x_bar) else x_bar
        fp_bar, moved_bar = _pulled_to_knots(line, count, line_bar, real_x_bar)
        xp_bar = -moved_bar
        period_bar = NO_TANGENT
        if turning is not None:
            period_bar = -np.sum(turning.turns_of_x * real_x_bar) - np.sum(turning.turns * xp_bar)
            period_bar = ProjectTo(period)(np.sign(period) * period_bar)
            xp_bar, fp_bar = (returned(bar, shape_of(xp), turning.order) for bar in (xp_bar, fp_bar))
        project_x, project_xp, project_fp = projects
        bars = project_x(x_bar), project_xp(xp_bar), project_fp(fp_bar)
        if not ends:
            return NO_TANGENT, *bars
        end_bars = (_end_bar(left, is_left, y_bar), _end_bar(right, is_right, y_bar), period_bar)
        return NO_TANGENT, *bars, *end_bars[: len(ends)]

    return y, interp_pullback


def _read_ends(left: Any = None, right: Any = None, period: Any = None) -> tuple[Any, Any, Any]:
    return (left, right, None) if period is None else (None, None, period)  # it has no ends


def _turning(x: Any, xp: Any, period: Any) -> Period:
    x, xp, period = primal_of(x), primal_of(xp), np.abs(primal_of(period))
    turns = np.floor(np.divide(xp, period))
    order = np.argsort(xp - turns * period)
    turns = np.concatenate((turns[order[-1:]] + 1, turns[order], turns[order[:1]] - 1))
    order = np.concatenate((order[-1:], order, order[:1]))
    return Period(order, turns, np.floor(np.divide(x, period)))


def _in_one_period(turning: Period, x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """The points and knots in one period."""
    turned = xp[turning.order] - turning.turns * period
    return x - turning.turns_of_x * period, turned, fp[turning.order]


def _line(x: Any, xp: Any, fp: Any) -> Line:
    points, knots = primal_of(x), primal_of(xp)
    last = knots.size - 1
    # The line that starts at the knot to the left of each point, or at the next one to the end.
    first = np.searchsorted(knots[1:-1], points, side="right")
    second = first + 1 if last else first
    start = xp[first]
    width = xp[second] - start if last else 1
    t, slope = (x - start) / width, (fp[second] - fp[first]) / width
    is_beyond = (points < knots[0]) | (points > knots[-1])
    if is_beyond.any():
        t, slope = np.where(is_beyond, points > knots[-1], t), np.where(is_beyond, 0, slope)
    return Line(first, second, t, slope)


def _is_replaced(x: Any, xp: Any, left: Any, right: Any) -> tuple[Any, Any]:
    """Which points are beyond an end for which a value is given."""
    points, knots = primal_of(x), primal_of(xp)
    return (
        False if left is None else points < knots[0],
        False if right is None else points > knots[-1],
    )


def _pulled_to_knots(line: Line, shape: tuple[int, ...], *cotangents: Any) -> list[Any]:
    """The sums over the points of their cotangents, each shared by the two knots of its line."""
    of_first = 1 - line.t
    return [
        _sums(line.first, of_first * y_bar, shape) + _sums(line.second, line.t * y_bar, shape)
        for y_bar in cotangents
    ]


@shortened_by(sums_of_vector)
def _sums(places: Any, y_bar: Any, shape: tuple[int, ...]) -> Any:
    return returned(y_bar, shape, places)


def _end_bar(end: Any, where: Any, y_bar: Any) -> Any:
    return NO_TANGENT if end is None else ProjectTo(end)(np.sum(np.where(where, y_bar, 0)))
