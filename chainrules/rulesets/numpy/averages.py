"""Rules for averages.

Of ``y = Σ w x / Σ w`` the differential is ``(Σ w dx + Σ (x - y) dw) / Σ w``. A mean has the weights one, or
zero for what ``where=`` leaves out and for NaNs.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.values.named_results import cotangents_of, tangent_of
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    are_along_one_axis,
    given,
    is_of_all,
    number_reduced,
    plain_reduction,
    read_reduction,
    reduced_axes,
    repeated,
    repeated_along,
    shape_of,
    spread,
    without_nans,
)
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NoTangent,
    ProjectTo,
    frule,
    rrule,
    thunk,
    typeof_,
    unbroadcast,
    unthunk,
)

# What `np.sum` of an array calls, without the way there.
_add_up: Any = np.add.reduce


@frule.dispatch
def mean_frule(
    tangents: Any, f: typeof_(np.mean), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    read_reduction("np.mean", x, *options, **named)
    return np.mean(x, *options, **named), np.mean(unthunk(tangents[1]), *options, **named)


@rrule.dispatch
def mean_rrule(f: typeof_(np.mean), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    if is_of_all(x, options, named):
        return _mean_of_all(x)
    plain = plain_reduction(x, options, named)
    if plain is not None:
        return _plain_mean(x, plain, options)
    reduction = read_reduction("np.mean", x, *options, **named)
    return np.mean(x, *options, **named), _mean_pullback(x, reduction, options)


@frule.dispatch
def nanmean_frule(
    tangents: Any, f: typeof_(np.nanmean), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    reduction = without_nans(x, read_reduction("np.nanmean", x, *options, **named))
    y = np.nanmean(x, *options, **named)
    y_dot = np.sum(unthunk(tangents[1]), dtype=y.dtype, **reduction._asdict())
    # Not the mean, which warns of slices without numbers once more.
    return y, y_dot if isinstance(y_dot, AbstractZero) else ProjectTo(y)(y_dot / number_reduced(x, reduction))


@rrule.dispatch
def nanmean_rrule(f: typeof_(np.nanmean), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    reduction = without_nans(x, read_reduction("np.nanmean", x, *options, **named))
    return np.nanmean(x, *options, **named), _mean_pullback(x, reduction, options)


def _mean_of_all(x: Any) -> tuple[Any, Any]:
    def mean_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, repeated(unthunk(y_bar) / x.size, x)

    return _add_up(x, axis=None) / x.size, mean_pullback


def _plain_mean(x: Any, reduction: Reduction, options: tuple[Any, ...]) -> tuple[Any, Any]:
    number = number_reduced(x, reduction)

    def mean_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar) / number
        if are_along_one_axis(y_bar, x, reduction):
            x_bar = repeated_along(y_bar, x, reduction.axis)
        else:
            x_bar = unbroadcast(x, spread(y_bar, x, reduction))
        return (NO_TANGENT, x_bar, NO_TANGENT) if options else (NO_TANGENT, x_bar)

    return _add_up(x, axis=reduction.axis, keepdims=reduction.keepdims) / number, mean_pullback


def _mean_pullback(x: Any, reduction: Reduction, options: tuple[Any, ...]) -> Any:
    project = ProjectTo(x)

    def mean_pullback(y_bar: Any) -> Any:
        x_bar = spread(unthunk(y_bar) / number_reduced(x, reduction), x, reduction)
        return NoTangent(), project(x_bar), *(NoTangent() for _ in options)

    return mean_pullback


# --- With weights ----------------------------------------------------------------------------------

_WEIGHTS = 1  # the place of `weights` after the array


@frule.dispatch
def average_frule(
    tangents: Any, f: typeof_(np.average), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    _, x_dot, *option_dots = map(unthunk, tangents)
    call = _read_average(x, *options, **named)
    mean, total = y = call.results
    w_dot = option_dots[_WEIGHTS] if len(option_dots) > _WEIGHTS else NoTangent()
    terms = call.weights * x_dot
    if not isinstance(w_dot, AbstractZero):
        w_dot = np.broadcast_to(_beside(w_dot, x, call.reduction.axis), shape_of(x))
        terms = terms + w_dot * (x - spread(mean, x, call.reduction))
    mean_dot, total_dot = (np.sum(dot, **call.reduction._asdict()) for dot in (terms, w_dot))
    mean_dot = mean_dot / total
    return (y, tangent_of(y, mean_dot, total_dot)) if call.is_pair else (mean, mean_dot)


@rrule.dispatch
def average_rrule(f: typeof_(np.average), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    call = _read_average(x, *options, **named)
    mean, total = y = call.results
    project = ProjectTo(x)

    def average_pullback(y_bar: Any) -> Any:
        mean_bar, total_bar = cotangents_of(y, y_bar) if call.is_pair else (unthunk(y_bar), NoTangent())
        each_bar = spread(mean_bar / total, x, call.reduction)

        def pull_weights() -> Any:
            w_bar = each_bar * conjugate(x - spread(mean, x, call.reduction))
            w_bar = w_bar + spread(total_bar, x, call.reduction)
            return ProjectTo(options[_WEIGHTS])(
                _from_beside(w_bar, x, options[_WEIGHTS], call.reduction.axis)
            )

        option_bars: list[Any] = [NoTangent()] * len(options)
        if len(options) > _WEIGHTS:
            option_bars[_WEIGHTS] = thunk(pull_weights) if options[_WEIGHTS] is not None else NoTangent()
        return NoTangent(), project(each_bar * conjugate(call.weights)), *option_bars

    return y if call.is_pair else mean, average_pullback


class _Average(NamedTuple):
    """A call of `numpy.average`: both its results, the weights beside the array, and what was asked."""

    results: tuple[Any, Any]
    weights: Any
    is_pair: bool
    reduction: Reduction


def _read_average(
    x: Any, axis: Any = None, weights: Any = None, returned: Any = False, keepdims: Any = False
) -> _Average:
    reduction = Reduction(axis, given(keepdims, False), True)
    options: dict[str, Any] = {"returned": True, "keepdims": reduction.keepdims}
    results = np.average(x, axis, weights, **options)
    beside = np.ones_like(x) if weights is None else _beside(weights, x, axis)
    return _Average(results, beside, bool(returned), reduction)


def _beside(weights: Any, x: Any, axis: Any) -> Any:
    """Weights, whose axes are in the order of `axis`, with these beside the axes of `x` that they are for."""
    shape = shape_of(x)
    if shape_of(weights) == shape:
        return weights
    axes = reduced_axes(axis, len(shape))
    ordered = np.transpose(weights, tuple(int(place) for place in np.argsort(axes)))
    return np.reshape(ordered, tuple(n if a in axes else 1 for a, n in enumerate(shape)))


def _from_beside(w_bar: Any, x: Any, weights: Any, axis: Any) -> Any:
    """The transpose of `_beside`, and of the broadcasting that follows it."""
    shape = shape_of(x)
    if shape_of(weights) == shape:
        return w_bar
    axes = reduced_axes(axis, len(shape))
    summed = np.sum(w_bar, axis=tuple(a for a in range(len(shape)) if a not in axes))
    return np.transpose(summed, tuple(sorted(axes).index(a) for a in axes))
