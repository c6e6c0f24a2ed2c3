"""Rules for functional programming: functions that call another one for parts of an array.

They call back into AD for each part. The values that the function itself holds, as a closure does, get the
sum of the cotangents of all calls.
"""

from typing import Any

import numpy as np

from chainrules.formulas.calls.calling_back import function_cotangent, pull_calls, total_of
from chainrules.operations.casting import astype
from chainrules.values.iterables import zeros_if_zero
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    HasForwardsMode,
    HasReverseMode,
    ProjectTo,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    primal_of,
    rrule,
    rrule_via_ad,
    typeof_,
)

# --- apply_along_axis: the lines of an array along one axis ------------------------------------------------


@frule.dispatch
def apply_along_axis_frule(  # noqa: PLR0913, PLR0917 - those of NumPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(np.apply_along_axis),
    g: Any,
    axis: Any,
    x: Operand,
    *args: Any,
    **named: Any,
):
    _, g_dot, _, x_dot, *arg_dots = tangents
    lines = lines_along(axis, x)
    dots = lines_along(axis, zeros_if_zero(x, x_dot))
    results = [
        frule_via_ad(config, (g_dot, dots[place], *arg_dots), g, lines[place], *args, **named)
        for place in np.ndindex(shape_of(lines)[:-1])
    ]
    ys = _arrays_of(results) or [np.apply_along_axis(g, axis, x, *args, **named)]  # NumPy's own error
    y_dots = [tangent_as_array(y, y_dot) for y, y_dot in results]
    return assembled(ys, axis, x), assembled(y_dots, axis, x)


@rrule.dispatch
def apply_along_axis_rrule(
    config: RuleConfig[HasReverseMode],
    f: typeof_(np.apply_along_axis),
    g: Any,
    axis: Any,
    x: Operand,
    *args: Any,
    **named: Any,
):
    project = ProjectTo(x)
    lines = lines_along(axis, x)
    outer = shape_of(lines)[:-1]
    results = [rrule_via_ad(config, g, lines[place], *args, **named) for place in np.ndindex(outer)]
    ys = _arrays_of(results) or [np.apply_along_axis(g, axis, x, *args, **named)]  # NumPy's own error

    def apply_along_axis_pullback(y_bar):
        places = range(axis % (len(outer) + 1), axis % (len(outer) + 1) + len(shape_of(ys[0])))
        y_bar = np.moveaxis(y_bar, list(places), range(len(outer), len(outer) + len(places)))
        y_bars = [
            cotangent_in_lists(y, y_bar[place]) if isinstance(y, list | tuple) else y_bar[place]
            for (y, _), place in zip(results, np.ndindex(outer), strict=True)
        ]
        g_bar, (line_bars, *arg_bars) = pull_calls(g, [pull for _, pull in results], y_bars, 1 + len(args))
        bars = [
            zeros_if_zero(lines[place], bar) for place, bar in zip(np.ndindex(outer), line_bars, strict=True)
        ]
        x_bar = np.moveaxis(np.reshape(np.stack(bars), shape_of(lines)), -1, axis)
        return NO_TANGENT, g_bar, NO_TANGENT, project(x_bar), *map(total_of, arg_bars)

    return assembled(ys, axis, x), apply_along_axis_pullback


def _arrays_of(results: Any) -> list[Any]:
    """The values of all calls; NumPy makes an array of a list or a tuple."""
    return [array_of(y) for y, _ in results]


def lines_along(axis: Any, x: Any) -> Any:
    """The array with the axis as its last."""
    return np.moveaxis(x, axis, -1)


def assembled(ys: list[Any], axis: Any, x: Any) -> Any:
    """The array of the results for all lines of `x`, with their axes in the place of the axis."""
    ndim = len(shape_of(x))
    outer = np.delete(shape_of(x), axis).tolist()
    y = np.reshape(np.stack(ys), (*outer, *shape_of(ys[0])))
    y = like_first(y, ys[0])
    inner = range(len(outer), len(shape_of(y)))
    return np.moveaxis(y, list(inner), [axis % ndim + i for i in range(len(inner))])


def like_first(y: Any, first: Any) -> Any:
    """The result in the dtype of its first part, into whose array NumPy writes the others."""
    dtype = np.result_type(primal_of(first))
    return y if primal_of(y).dtype == dtype else astype(y, dtype)


# --- apply_over_axes: one axis after the other -------------------------------------------------------------


@frule.dispatch
def apply_over_axes_frule(  # noqa: PLR0913, PLR0917 - those of NumPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(np.apply_over_axes),
    g: Any,
    x: Operand,
    axes: Any,
):
    _, g_dot, y_dot, _ = tangents
    y, ndim = x, len(shape_of(x))
    for axis in np.atleast_1d(axes).tolist():
        y, y_dot = frule_via_ad(config, (g_dot, y_dot, NO_TANGENT), g, y, axis % ndim)
        shape = with_axis(shape_of(y), axis % ndim, ndim)
        y, y_dot = np.reshape(y, shape), np.reshape(zeros_if_zero(y, y_dot), shape)
    return y, y_dot


@rrule.dispatch
def apply_over_axes_rrule(
    config: RuleConfig[HasReverseMode], f: typeof_(np.apply_over_axes), g: Any, x: Operand, axes: Any
):
    ndim = len(shape_of(x))
    y, steps = x, []
    for axis in np.atleast_1d(axes).tolist():
        y, pullback = rrule_via_ad(config, g, y, axis % ndim)
        steps.append((pullback, shape_of(y)))
        y = np.reshape(y, with_axis(shape_of(y), axis % ndim, ndim))

    def apply_over_axes_pullback(y_bar):
        g_bar: Any = ZeroTangent()
        for pullback, shape in reversed(steps):
            own_bar, y_bar, _ = pullback(np.reshape(y_bar, shape))
            g_bar = g_bar + own_bar
        return NO_TANGENT, function_cotangent(g, g_bar), y_bar, NO_TANGENT

    return y, apply_over_axes_pullback


def with_axis(shape: tuple[int, ...], axis: int, ndim: int) -> tuple[int, ...]:
    """The shape with the axis, of length 1, if the function has left it out."""
    if len(shape) == ndim:
        return shape
    if len(shape) == ndim - 1:
        return *shape[:axis], 1, *shape[axis:]
    raise ValueError("function is not returning an array of the correct shape")  # as NumPy


# --- fromfunction: of the indices, which are constants -----------------------------------------------------


@frule.dispatch
def fromfunction_frule(  # noqa: PLR0913 - those of NumPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    f: typeof_(np.fromfunction),
    g: Any,
    shape: Any,
    *,
    dtype: Any = float,
    **named: Any,
):
    indices = np.indices(shape, dtype=dtype)
    return frule_via_ad(config, (tangents[1], *(NO_TANGENT,) * len(indices)), g, *indices, **named)


@rrule.dispatch
def fromfunction_rrule(
    config: RuleConfig[HasReverseMode],
    f: typeof_(np.fromfunction),
    g: Any,
    shape: Any,
    *,
    dtype: Any = float,
    **named: Any,
):
    y, pullback = rrule_via_ad(config, g, *np.indices(shape, dtype=dtype), **named)

    def fromfunction_pullback(y_bar):
        return NO_TANGENT, pullback(y_bar)[0], NO_TANGENT

    return y, fromfunction_pullback
