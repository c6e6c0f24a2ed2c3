"""Rules for `np.gradient`, which takes differences along axes.

With ``h_i = x_(i+1) - x_i`` and the slopes ``s_i = (f_(i+1) - f_i) / h_i`` the gradient is, in the interior,
``w_i s_(i-1) + (1 - w_i) s_i`` with ``w_i = h_i / (h_(i-1) + h_i)``; at the ends ``s_0`` and ``s_(n-2)``, or
to second order the extrapolation of the two nearest slopes, ``s_0 + (1 - w_1) (s_0 - s_1)`` and
``s_(n-2) + w_(n-2) (s_(n-2) - s_(n-3))``. B. Fornberg, "Generation of finite difference formulas on
arbitrarily spaced grids", 1988, has the same as weights of the values.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.arrays.neighbours import differences_back, neighbours, neighbours_back, zero_padded
from chainrules.formulas.numbers.precision import as_precise
from chainrules.values.operands import Operand
from chainrules.values.reductions import reduced_axes, shape_of
from chainrules.values.several_arrays import cotangents_of, tangent_as_array, tangent_of
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    rrule,
    typeof_,
    unbroadcast,
)

_ZERO: Any = ZeroTangent()


class Differences(NamedTuple):
    """Slopes and weights along one axis, which stands last here.

    Attributes
    ----------
    steps
        A number, or the vector of ``h_i``.
    slopes, jumps
        ``s_i``, and each less the next.
    weights
        The vector of ``w_i``.
    """

    steps: Any
    slopes: Any
    jumps: Any
    weights: Any


def _differences(x: Any, spacing: Any, axis: int) -> Differences:
    x, spacing = np.moveaxis(x, axis, -1), as_precise(spacing, x)  # differences of integers may overflow
    steps = np.diff(spacing) if shape_of(spacing) else spacing
    slopes = np.diff(x) / steps
    first, second = neighbours(slopes)
    if not shape_of(spacing):
        return Differences(steps, slopes, first - second, np.broadcast_to(0.5, (shape_of(x)[-1] - 2,)))
    step, next_step = neighbours(steps)
    return Differences(steps, slopes, first - second, next_step / (step + next_step))


@frule.dispatch
def gradient_frule(
    tangents: Any, f: typeof_(np.gradient), x: Operand, *spacings: Any, axis: Any = None, edge_order: Any = 1
):
    ys = np.gradient(x, *spacings, axis=axis, edge_order=edge_order)
    x_dot = tangent_as_array(x, tangents[1])
    dots = []
    for place, along in enumerate(reduced_axes(axis, len(shape_of(x)))):
        spacing, spacing_dot = _spacing(place, spacings, tangents[2:])
        d = _differences(x, spacing, along)
        y_dot = _combined(np.diff(np.moveaxis(x_dot, along, -1)) / d.steps, d.weights, edge_order)
        if not isinstance(spacing_dot, AbstractZero):
            y_dot = y_dot + _moved_by_spacing(d, spacing_dot, edge_order)
        dots.append(np.moveaxis(y_dot, -1, along))
    if not isinstance(ys, list | tuple):
        return ys, ProjectTo(ys)(dots[0])
    return ys, tangent_of(ys, (ProjectTo(y)(dot) for y, dot in zip(ys, dots, strict=True)))


def _combined(slopes: Any, weights: Any, edge_order: int) -> Any:
    """The gradient, which is linear in the slopes."""
    first, second = neighbours(slopes)
    head, tail = slopes[..., :1], slopes[..., -1:]
    if edge_order == 2:
        jumps = first - second
        head = head + (1 - weights[:1]) * jumps[..., :1]
        tail = tail - weights[-1:] * jumps[..., -1:]
    return np.concatenate((head, weights * first + (1 - weights) * second, tail), axis=-1)


def _moved_by_spacing(d: Differences, spacing_dot: Any, edge_order: int) -> Any:
    """The change of the gradient with the spacing of an axis."""
    steps_dot = np.diff(spacing_dot) if shape_of(d.steps) else spacing_dot
    y_dot = _combined(-d.slopes * steps_dot / d.steps, d.weights, edge_order)
    return y_dot + _moved_weights(d, steps_dot, edge_order) if shape_of(d.steps) else y_dot


def _moved_weights(d: Differences, steps_dot: Any, edge_order: int) -> Any:
    """The change of the gradient with its weights."""
    step, next_step = neighbours(d.steps)
    step_dot, next_dot = neighbours(steps_dot)
    moved = d.jumps * ((1 - d.weights) * next_dot - d.weights * step_dot) / (step + next_step)
    ends = (-moved[..., :1], -moved[..., -1:]) if edge_order == 2 else (0 * d.slopes[..., :1],) * 2
    return np.concatenate((ends[0], moved, ends[1]), axis=-1)


@rrule.dispatch
def gradient_rrule(
    f: typeof_(np.gradient), x: Operand, *spacings: Any, axis: Any = None, edge_order: Any = 1
):
    ys = np.gradient(x, *spacings, axis=axis, edge_order=edge_order)
    project = ProjectTo(x)
    axes = reduced_axes(axis, len(shape_of(x)))
    pairs = [_spacing(place, spacings) for place in range(len(axes))]
    differences = [_differences(x, spacing, along) for (spacing, _), along in zip(pairs, axes, strict=True)]

    def gradient_pullback(ys_bar):
        bars = cotangents_of(ys, ys_bar) if isinstance(ys, list | tuple) else [ys_bar]
        x_bar, spacing_bars = 0, [_ZERO] * len(spacings)
        for place, (d, along, y_bar) in enumerate(zip(differences, axes, bars, strict=True)):
            part, steps_bar = _pulled_back(d, np.moveaxis(y_bar, along, -1), edge_order)
            x_bar = x_bar + np.moveaxis(part, -1, along)
            if spacings:
                spacing = min(place, len(spacings) - 1)
                spacing_bars[spacing] = spacing_bars[spacing] + unbroadcast(spacings[spacing], steps_bar)
        return NO_TANGENT, project(x_bar), *spacing_bars

    return ys, gradient_pullback


def _pulled_back(d: Differences, y_bar: Any, edge_order: int) -> tuple[Any, Any]:
    """The cotangents of the array and of the spacing along the axis."""
    n, d = shape_of(y_bar)[-1], Differences(*map(conjugate, d))
    head, interior, tail = y_bar[..., :1], y_bar[..., 1:-1], y_bar[..., -1:]
    first_bar, second_bar, moved_bar = d.weights * interior, (1 - d.weights) * interior, interior
    if edge_order == 2:
        at_head, at_tail = zero_padded(head, 0, n - 3), zero_padded(tail, n - 3, 0)
        jumps_bar = (1 - d.weights) * at_head - d.weights * at_tail
        first_bar, second_bar = first_bar + jumps_bar, second_bar - jumps_bar
        moved_bar = interior - at_head - at_tail
    slopes_bar = neighbours_back(first_bar, second_bar)
    slopes_bar = slopes_bar + zero_padded(head, 0, n - 2) + zero_padded(tail, n - 2, 0)
    steps_bar = -d.slopes * slopes_bar / d.steps
    x_bar = differences_back(slopes_bar / d.steps, n)
    if not shape_of(d.steps):
        return x_bar, steps_bar
    step, next_step = neighbours(d.steps)
    share = d.jumps * moved_bar / (step + next_step)
    steps_bar = steps_bar + neighbours_back(-d.weights * share, (1 - d.weights) * share)
    return x_bar, differences_back(steps_bar, n)


def _spacing(place: int, spacings: tuple[Any, ...], dots: Any = ()) -> tuple[Any, Any]:
    """The spacing along the axis at this place, and its tangent; one number serves all axes."""
    if not spacings:
        return 1.0, NO_TANGENT
    place = min(place, len(spacings) - 1)
    spacing, spacing_dot = spacings[place], dots[place] if dots else NO_TANGENT
    is_fixed = isinstance(spacing_dot, AbstractZero)
    return spacing, spacing_dot if is_fixed else tangent_as_array(spacing, spacing_dot)
