"""Rules for variances and standard deviations.

Of ``y = Σ |x - m|² / (n - ddof)``, in which ``m`` is the mean, the differential is ``2 Re Σ conj(x - m) dx /
(n - ddof)``: that of the mean drops out, because the deviations sum to zero. A standard deviation is ``s =
√y``, so that ``ds = dy / 2s``; that of a constant has its minimum there, zero, and the derivative zero.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    beside,
    given,
    number_reduced,
    plain_reduction,
    read_reduction,
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
    primal_of,
    rrule,
    unbroadcast,
    unthunk,
)

# What `np.sum` of an array calls, without the way there.
_add_up: Any = np.add.reduce


@frule.dispatch
def var_frule(
    tangents: Any, f: typeof_any((np.var, np.nanvar)), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    deviations = _deviations(f, x, *options, **named)
    y = f(x, *options, **named)
    return y, _push(deviations, unthunk(tangents[1]), y)


@rrule.dispatch
def var_rrule(f: typeof_any((np.var, np.nanvar)), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    plain = plain_reduction(x, options, named) if f is np.var else None
    if plain is not None:
        return _plain_var(x, plain, options)
    deviations = _deviations(f, x, *options, **named)
    project = ProjectTo(x)

    def var_pullback(y_bar: Any) -> Any:
        return NoTangent(), project(_pull(deviations, unthunk(y_bar), x)), *(NoTangent() for _ in options)

    return f(x, *options, **named), var_pullback


def _plain_var(x: Any, reduction: Reduction, options: tuple[Any, ...]) -> tuple[Any, Any]:
    number = number_reduced(x, reduction)
    without_tangents = (NO_TANGENT,) * len(options)

    def var_pullback(y_bar: Any) -> Any:
        scale = 2 / number * unthunk(y_bar)
        return NO_TANGENT, _plain_bar(x, scale, number, reduction), *without_tangents

    return np.var(x, axis=reduction.axis, keepdims=reduction.keepdims), var_pullback


def _plain_bar(x: Any, scale: Any, number: int, reduction: Reduction) -> Any:
    mean = _add_up(x, axis=reduction.axis, keepdims=True) / number
    # One expression, so that NumPy multiplies in place.
    return unbroadcast(x, (x - mean) * beside(scale, x, reduction))


@frule.dispatch
def std_frule(
    tangents: Any, f: typeof_any((np.std, np.nanstd)), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    deviations = _deviations(f, x, *options, **named)
    y = f(x, *options, **named)
    return y, _push(deviations, unthunk(tangents[1]), y) / _twice(y)


@rrule.dispatch
def std_rrule(f: typeof_any((np.std, np.nanstd)), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    plain = plain_reduction(x, options, named) if f is np.std else None
    if plain is not None:
        return _plain_std(x, plain, options)
    deviations = _deviations(f, x, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def std_pullback(y_bar: Any) -> Any:
        x_bar = project(_pull(deviations, unthunk(y_bar) / _twice(y), x))
        return NoTangent(), x_bar, *(NoTangent() for _ in options)

    return y, std_pullback


def _plain_std(x: Any, reduction: Reduction, options: tuple[Any, ...]) -> tuple[Any, Any]:
    number = number_reduced(x, reduction)
    y = np.std(x, axis=reduction.axis, keepdims=reduction.keepdims)
    without_tangents = (NO_TANGENT,) * len(options)

    def std_pullback(y_bar: Any) -> Any:
        scale = unthunk(y_bar) / (number * (y + (y == 0)))  # of a constant the deviations are zero
        return NO_TANGENT, _plain_bar(x, scale, number, reduction), *without_tangents

    return y, std_pullback


class _Deviations(NamedTuple):
    """The deviations from the mean, zero for what is left out, and what they are to be multiplied with."""

    values: Any
    factor: Any
    reduction: Reduction


def _deviations(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f: Any,
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> _Deviations:
    reduction = read_reduction(f"np.{f.__name__}", x, axis, dtype, out, keepdims, where)
    if f in (np.nanvar, np.nanstd):
        reduction = without_nans(x, reduction)
    kept = reduction._replace(keepdims=True)
    mean = given(mean, None)
    if mean is None:
        mean = np.sum(x, dtype=dtype, **kept._asdict()) / number_reduced(x, kept)
    values = x - mean if reduction.where is True else np.where(reduction.where, x - mean, 0)
    correction = given(correction, None)
    freedom = number_reduced(x, reduction) - (ddof if correction is None else correction)
    return _Deviations(values, _twice_reciprocal(freedom), reduction)


def _twice_reciprocal(freedom: Any) -> Any:
    """``2 / freedom``, infinite where no degree of freedom is left."""
    if shape_of(freedom):
        return np.where(freedom > 0, 2 / np.where(freedom > 0, freedom, 1), np.inf)
    return 2 / float(freedom) if freedom > 0 else math.inf  # a float of Python keeps the precision of others


def _push(deviations: _Deviations, x_dot: Any, y: Any) -> Any:
    if isinstance(x_dot, AbstractZero):
        return x_dot
    terms = np.real(conjugate(deviations.values) * x_dot)
    return ProjectTo(y)(np.sum(terms, **deviations.reduction._asdict()) * deviations.factor)


def _pull(deviations: _Deviations, y_bar: Any, x: Any) -> Any:
    return spread(np.real(y_bar) * deviations.factor, x, deviations.reduction) * deviations.values


def _twice(y: Any) -> Any:
    """``2 y``, but not zero."""
    return 2 * np.where(primal_of(y) == 0, 1, y)
