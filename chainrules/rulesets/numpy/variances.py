"""Rules for variances and standard deviations.

Of ``y = Σ |x - m|² / (n - ddof)``, in which ``m`` is the mean, the differential is ``2 Re Σ conj(x - m) dx /
(n - ddof)``: the differential of the mean drops out, because the deviations sum to zero. A standard deviation
is ``s = √y``, so that ``ds = dy / 2s``; for a constant it has its minimum, zero, and the derivative zero. By
``ddof``, ``dy = y dddof / (n - ddof)``.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from chainrules.shortcuts.numpy.variances import std_of_plain, var_of_plain
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    are_undefined,
    factor_for,
    given,
    number_reduced,
    option_cotangents,
    read_reduction,
    shape_of,
    summed,
    without_nans,
)
from chainrules.values.stacks import conjugate
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    contains_nan,
    frule,
    is_lazy,
    primal_of,
    primitive,
    rrule,
    shortened_by,
    strong_product,
    sum_tangents,
)

_DDOF = 3  # the place of `ddof` after the array

# NumPy asks the array alone whether it is traced, and not `ddof`.
_PRIMITIVES = {f: primitive(f) for f in (np.var, np.nanvar, np.std, np.nanstd)}


@frule.dispatch
def var_frule(tangents, f: typeof_any((np.var, np.nanvar)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _value(f, x, options, named)
    return y, _push_variance(deviations, tangents, y, y)


@rrule.dispatch
@shortened_by(var_of_plain)
def var_rrule(f: typeof_any((np.var, np.nanvar)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _value(f, x, options, named)
    project = ProjectTo(x)

    def var_pullback(y_bar):
        option_bars = option_cotangents(options, _DDOF, lambda: _pull_freedom(deviations, y_bar, y))
        return NO_TANGENT, project(_pull_variance(deviations, y, y_bar, x)), *option_bars

    return y, var_pullback


@frule.dispatch
def std_frule(tangents, f: typeof_any((np.std, np.nanstd)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _value(f, x, options, named)
    return y, _push_variance(deviations, tangents, y, y * y) / _twice(_known(y, x, deviations.reduction))


@rrule.dispatch
@shortened_by(std_of_plain)
def std_rrule(f: typeof_any((np.std, np.nanstd)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _value(f, x, options, named)
    project = ProjectTo(x)

    def std_pullback(y_bar):
        variance_bar = y_bar / _twice(y)
        option_bars = option_cotangents(
            options, _DDOF, lambda: _pull_freedom(deviations, variance_bar, y * y)
        )
        return NO_TANGENT, project(_pull_variance(deviations, y, variance_bar, x)), *option_bars

    return y, std_pullback


def _value(f, x, options: tuple[Any, ...], named: dict[str, Any]):
    return (_PRIMITIVES[f] if len(options) > _DDOF else f)(x, *options, **named)


class _Deviations(NamedTuple):
    """The deviations from the mean, zero for elements that are left out, and their factor."""

    values: Any
    factor: Any
    reduction: Reduction


def _deviations(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f, x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
) -> _Deviations:
    reduction = read_reduction(f"np.{f.__name__}", x, axis, dtype, out, keepdims, where)
    if f in (np.nanvar, np.nanstd):
        reduction = without_nans(x, reduction)
    kept = reduction._replace(keepdims=True)
    mean = given(mean, None)
    if mean is None:
        mean = summed(x, kept, dtype) / number_reduced(x, kept)
    values = x - mean if reduction.where is True else np.where(reduction.where, x - mean, 0)
    correction = given(correction, None)
    freedom = number_reduced(x, reduction) - (ddof if correction is None else correction)
    return _Deviations(values, _twice_reciprocal(freedom), reduction)


def _twice_reciprocal(freedom):
    """``2 / freedom``, infinite where no degree of freedom is left."""
    if shape_of(freedom) or is_lazy(freedom):
        return np.where(freedom > 0, 2 / np.where(freedom > 0, freedom, 1), np.inf)
    if primal_of(freedom) is freedom:
        freedom = float(freedom)  # a float of Python keeps the precision of others
    return 2 / freedom if freedom > 0 else math.inf


def _push_variance(deviations: _Deviations, tangents, y, variance):
    """The tangent of the variance, in the tangent space of the result `y`."""
    _, x_dot, *option_dots = tangents
    terms = []
    if not isinstance(x_dot, AbstractZero):
        by_elements = summed(np.real(conjugate(deviations.values) * x_dot), deviations.reduction)
        terms.append(by_elements * deviations.factor)
    if len(option_dots) > _DDOF and not isinstance(option_dots[_DDOF], AbstractZero):
        terms.append(0.5 * deviations.factor * variance * option_dots[_DDOF])
    return ProjectTo(y)(sum_tangents(y, terms)) if terms else x_dot


def _pull_variance(deviations: _Deviations, y, variance_bar, x):
    factor = factor_for(np.real(variance_bar) * deviations.factor, x, deviations.reduction)
    return strong_product(deviations.values, factor) if are_undefined(y) else factor * deviations.values


def _pull_freedom(deviations: _Deviations, variance_bar, variance):
    """The cotangent of `ddof`."""
    return 0.5 * np.sum(strong_product(deviations.factor * variance, np.real(variance_bar)))


def _known(y, x, reduction: Reduction):
    """The deviation, 1 where it is that of no numbers, which do not move it."""
    if reduction.where is True:
        return y
    counted = np.broadcast_to(reduction.where, shape_of(x))
    return np.where(np.any(counted, axis=reduction.axis, keepdims=reduction.keepdims), y, 1)


def _twice(y):
    """``2 y``, but neither zero nor NaN, which the deviations are then."""
    is_other = primal_of(y) == 0
    if contains_nan(y):
        is_other = is_other | np.isnan(primal_of(y))
    return 2 * np.where(is_other, 1, y)
