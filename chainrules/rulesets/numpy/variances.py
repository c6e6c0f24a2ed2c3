"""Rules for variances and standard deviations.

Of ``y = Σ |x - m|² / (n - ddof)``, in which ``m`` is the mean, the differential is ``2 Re Σ conj(x - m) dx /
(n - ddof)``: the differential of the mean drops out, because the deviations sum to zero. A standard deviation
is ``s = √y``, so that ``ds = dy / 2s``; for a constant it has its minimum, zero, and the derivative zero. By
``ddof``, a float too, the differentials are ``y dddof / (n - ddof)`` and half of that.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from chainrules.shortcuts.numpy.variances import std_of_plain, var_of_plain
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    factor_for,
    given,
    number_reduced,
    read_reduction,
    shape_of,
    summed,
    without_nans,
)
from chainrules.values.stacks import conjugate
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    frule,
    is_lazy,
    primal_of,
    primitive,
    rrule,
    shortened_by,
    sum_tangents,
    thunk,
    unbroadcast,
    unthunk,
)

# Called so, they ask for their rules where `ddof` alone is traced.
_PRIMALS = {f: primitive(f) for f in (np.var, np.nanvar, np.std, np.nanstd)}


@frule.dispatch
def var_frule(tangents, f: typeof_any((np.var, np.nanvar)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _PRIMALS[f](x, *options, **named)
    terms = [_push_variance(deviations, unthunk(tangents[1]), y), *_push_ddof(deviations, tangents, y, 2)]
    return y, sum_tangents(y, terms)


@rrule.dispatch
@shortened_by(var_of_plain)
def var_rrule(f: typeof_any((np.var, np.nanvar)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _PRIMALS[f](x, *options, **named)
    project = ProjectTo(x)

    def var_pullback(y_bar):
        y_bar = unthunk(y_bar)
        x_bar = project(_pull_variance(deviations, y_bar, x))
        return NoTangent(), x_bar, *_pull_options(deviations, options, y_bar, y, 2)

    return y, var_pullback


@frule.dispatch
def std_frule(tangents, f: typeof_any((np.std, np.nanstd)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _PRIMALS[f](x, *options, **named)
    y_dot = _push_variance(deviations, unthunk(tangents[1]), y) / _twice(y)
    return y, sum_tangents(y, [y_dot, *_push_ddof(deviations, tangents, y, 4)])


@rrule.dispatch
@shortened_by(std_of_plain)
def std_rrule(f: typeof_any((np.std, np.nanstd)), x: Operand, *options, **named):
    deviations = _deviations(f, x, *options, **named)
    y = _PRIMALS[f](x, *options, **named)
    project = ProjectTo(x)

    def std_pullback(y_bar):
        y_bar = unthunk(y_bar)
        x_bar = project(_pull_variance(deviations, y_bar / _twice(y), x))
        return NoTangent(), x_bar, *_pull_options(deviations, options, y_bar, y, 4)

    return y, std_pullback


class _Deviations(NamedTuple):
    """The deviations from the mean, zero for elements that are left out, and their factor."""

    values: Any
    factor: Any
    reduction: Reduction


def _deviations(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f,
    x,
    axis=None,
    dtype=None,
    out=None,
    ddof=0,
    keepdims=False,
    where=True,
    mean=None,
    correction=None,
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


def _push_variance(deviations: _Deviations, x_dot, y):
    if isinstance(x_dot, AbstractZero):
        return x_dot
    terms = np.real(conjugate(deviations.values) * x_dot)
    return ProjectTo(y)(summed(terms, deviations.reduction) * deviations.factor)


def _pull_variance(deviations: _Deviations, y_bar, x):
    return factor_for(np.real(y_bar) * deviations.factor, x, deviations.reduction) * deviations.values


_DDOF = 3  # the place of `ddof` after the array


def _push_ddof(deviations: _Deviations, tangents, y, divisor) -> list[Any]:
    """The tangent by `ddof`, if it is given: the divisor is 2 for variances, and 4 for their roots."""
    dots = tangents[2 + _DDOF : 3 + _DDOF]
    return [ProjectTo(y)(y / divisor * deviations.factor * unthunk(dot)) for dot in dots]


def _pull_options(deviations: _Deviations, options, y_bar, y, divisor) -> list[Any]:
    """The cotangents of the options, all but `ddof` without one; `divisor` is as above."""
    bars: list[Any] = [NoTangent() for _ in options]
    if len(options) > _DDOF and isinstance(primal_of(options[_DDOF]), float):
        ddof = options[_DDOF]
        bars[_DDOF] = thunk(lambda: unbroadcast(ddof, np.real(y_bar) * (y / divisor * deviations.factor)))
    return bars


def _twice(y):
    """``2 y``, but not zero."""
    return 2 * np.where(primal_of(y) == 0, 1, y)
