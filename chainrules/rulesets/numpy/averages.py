"""Rules for averages.

Of ``y = Σ w x / Σ w`` the differential is ``(Σ w dx + Σ (x - y) dw) / Σ w``. A mean has the weights one, or
zero for elements that ``where=`` leaves out and for NaNs.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.shortcuts.numpy.averages import mean_of_plain
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    beside,
    given,
    number_reduced,
    read_reduction,
    reduced_axes,
    shape_of,
    spread,
    summed,
    without_nans,
)
from chainrules.values.several_arrays import tangent_as_array
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    rrule,
    shortened_by,
    thunk,
    typeof_,
    unbroadcast,
)


@frule.dispatch
def mean_frule(tangents, f: typeof_(np.mean), x: Operand, *options, **named):
    reduction = read_reduction("np.mean", x, *options, **named)
    y = np.mean(x, *options, **named)
    if reduction.where is True:
        return y, np.mean(tangents[1], *options, **named)
    return y, _push_mean(tangents[1], x, reduction, y)


@rrule.dispatch
@shortened_by(mean_of_plain)
def mean_rrule(f: typeof_(np.mean), x: Operand, *options, **named):
    reduction = read_reduction("np.mean", x, *options, **named)
    return np.mean(x, *options, **named), _mean_pullback(x, reduction, options)


@frule.dispatch
def nanmean_frule(tangents, f: typeof_(np.nanmean), x: Operand, *options, **named):
    reduction = without_nans(x, read_reduction("np.nanmean", x, *options, **named))
    y = np.nanmean(x, *options, **named)
    return y, _push_mean(tangents[1], x, reduction, y)


@rrule.dispatch
def nanmean_rrule(f: typeof_(np.nanmean), x: Operand, *options, **named):
    reduction = without_nans(x, read_reduction("np.nanmean", x, *options, **named))
    return np.nanmean(x, *options, **named), _mean_pullback(x, reduction, options)


def _push_mean(x_dot, x, reduction: Reduction, y):
    """The tangent of a mean: zero where that is of no numbers, of which NumPy would warn once more."""
    return ProjectTo(y)(summed(x_dot, reduction, y.dtype) / number_reduced(x, reduction))


def _mean_pullback(x, reduction: Reduction, options: tuple[Any, ...]):
    project = ProjectTo(x)

    def mean_pullback(y_bar):
        x_bar = spread(y_bar / number_reduced(x, reduction), x, reduction)
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

    return mean_pullback


# --- With weights ----------------------------------------------------------------------------------

_WEIGHTS = 1  # the place of `weights` after the array


@frule.dispatch
def average_frule(tangents, f: typeof_(np.average), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    call = _read_average(x, *options, **named)
    mean, total = y = call.results
    w_dot = option_dots[_WEIGHTS] if len(option_dots) > _WEIGHTS else NO_TANGENT
    terms = call.weights * x_dot
    if not isinstance(w_dot, AbstractZero):
        w_dot = tangent_as_array(options[_WEIGHTS], w_dot)
        w_dot = np.broadcast_to(_in_places(w_dot, x, call.reduction.axis), shape_of(x))
        terms = terms + w_dot * (x - beside(mean, x, call.reduction))
    mean_dot, total_dot = (summed(dot, call.reduction) for dot in (terms, w_dot))
    mean_dot = mean_dot / total
    return (y, tangent_of_results(y, mean_dot, total_dot)) if call.is_pair else (mean, mean_dot)


@rrule.dispatch
def average_rrule(f: typeof_(np.average), x: Operand, *options, **named):
    call = _read_average(x, *options, **named)
    mean, total = y = call.results
    project = ProjectTo(x)

    def average_pullback(y_bar):
        mean_bar, total_bar = cotangents_of_results(y, y_bar) if call.is_pair else (y_bar, NO_TANGENT)
        each_bar = beside(mean_bar / conjugate(total), x, call.reduction)

        def pull_weights():
            w_bar = each_bar * conjugate(x - beside(mean, x, call.reduction))
            w_bar = w_bar + spread(total_bar, x, call.reduction)
            w = options[_WEIGHTS]
            return unbroadcast(w, _from_places(w_bar, x, w, call.reduction.axis))

        option_bars: list[Any] = [NO_TANGENT] * len(options)
        if len(options) > _WEIGHTS:
            option_bars[_WEIGHTS] = thunk(pull_weights) if options[_WEIGHTS] is not None else NO_TANGENT
        return NO_TANGENT, project(each_bar * conjugate(call.weights)), *option_bars

    return y if call.is_pair else mean, average_pullback


class _Average(NamedTuple):
    """A call of `numpy.average`: both its results, its weights as factors of the array, and its options."""

    results: tuple[Any, Any]
    weights: Any
    is_pair: bool
    reduction: Reduction


def _read_average(x, axis=None, weights=None, returned=False, keepdims=False) -> _Average:
    reduction = Reduction(axis, given(keepdims, False), True)
    options: dict[str, Any] = {"returned": True, "keepdims": reduction.keepdims}
    results = np.average(x, axis, weights, **options)
    factors = np.ones_like(x) if weights is None else _in_places(weights, x, axis)
    return _Average(results, factors, bool(returned), reduction)


def _in_places(weights, x, axis):
    """Weights, whose axes are in the order of `axis`, as factors that broadcast against `x`."""
    shape = shape_of(x)
    if shape_of(weights) == shape:
        return np.reshape(weights, shape) if isinstance(weights, list | tuple) else weights
    axes = reduced_axes(axis, len(shape))
    ordered = np.transpose(weights, tuple(int(place) for place in np.argsort(axes)))
    return np.reshape(ordered, tuple(n if a in axes else 1 for a, n in enumerate(shape)))


def _from_places(w_bar, x, weights, axis):
    """The transpose of `_in_places`, and of the broadcasting that follows it."""
    shape = shape_of(x)
    if shape_of(weights) == shape:
        return w_bar
    axes = reduced_axes(axis, len(shape))
    summed = np.sum(w_bar, axis=tuple(a for a in range(len(shape)) if a not in axes))
    return np.transpose(summed, tuple(sorted(axes).index(a) for a in axes))
