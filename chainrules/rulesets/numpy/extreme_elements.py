"""Rules for the greatest and the least element of an array.

Where several elements are the greatest, they share the derivative of the maximum equally: it is the mean of
theirs. So do elements that are NaN, which NumPy's maximum is if any element is; the functions that ignore
NaNs give them no derivative. A start given by ``initial=`` shares as one more element. Minima likewise.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand, refuse_out
from chainrules.values.reductions import (
    Reduction,
    beside,
    given,
    is_of_all,
    option_cotangents,
    plain_reduction,
    spread,
)
from chainrules_core import (
    NO_TANGENT,
    REAL_CLASSES,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    typeof_,
    unbroadcast,
    unthunk,
)

_INITIAL = 3  # the place of `initial` after the array

_IGNORE_NANS = (np.nanmax, np.nanmin)

# What these call for plain arrays, without the way there.
_OF_NUMBERS: dict[Any, Any] = {
    np.max: np.maximum.reduce,
    np.amax: np.maximum.reduce,
    np.min: np.minimum.reduce,
    np.amin: np.minimum.reduce,
}
_add_up: Any = np.add.reduce
_OF_ALL = Reduction(None, False, True)

_EXTREMA = (np.max, np.min, np.amax, np.amin, *_IGNORE_NANS)


@frule.dispatch
def extremum_frule(
    tangents: Any, f: typeof_any(_EXTREMA), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    _, x_dot, *option_dots = map(unthunk, tangents)
    reduction, initial = _read_extremum(f, *options, **named)
    y = f(x, *options, **named)
    shares = shares_in(y, x, reduction, initial, f in _IGNORE_NANS)
    if len(option_dots) <= _INITIAL:
        return y, push_shares(shares, x_dot)
    return y, ProjectTo(y)(push_shares(shares, x_dot, option_dots[_INITIAL]))


@rrule.dispatch
def extremum_rrule(f: typeof_any(_EXTREMA), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    if f in _OF_NUMBERS and is_of_all(x, options, named):
        return _extremum_of_all(f, x)
    plain = plain_reduction(x, options, named) if f in _OF_NUMBERS else None
    if plain is not None:
        return _plain_extremum(f, x, plain, options)
    reduction, initial = _read_extremum(f, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def extremum_pullback(y_bar: Any) -> Any:
        x_bar, initial_bar = pull_shares(shares_in(y, x, reduction, initial, f in _IGNORE_NANS), y_bar, x)
        return NO_TANGENT, project(x_bar), *option_cotangents(options, _INITIAL, initial_bar)

    return y, extremum_pullback


def _extremum_of_all(f: Any, x: Any) -> tuple[Any, Any]:
    y = _OF_NUMBERS[f](x, axis=None)

    def extremum_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        is_extreme = x == y
        number = np.count_nonzero(is_extreme)
        if y_bar.__class__ not in REAL_CLASSES or not number:  # y is a NaN
            return NO_TANGENT, unbroadcast(x, pull_shares(shares_in(y, x, _OF_ALL), y_bar, x)[0])
        x_bar = np.zeros(x.shape)
        x_bar[is_extreme] = y_bar / number
        return NO_TANGENT, x_bar

    return y, extremum_pullback


def _plain_extremum(f: Any, x: Any, reduction: Reduction, options: tuple[Any, ...]) -> tuple[Any, Any]:
    y = _OF_NUMBERS[f](x, axis=reduction.axis, keepdims=reduction.keepdims)
    without_tangents = (NO_TANGENT,) * len(options)

    def extremum_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        is_extreme = x == beside(y, x, reduction)
        number = _add_up(is_extreme, axis=reduction.axis, keepdims=reduction.keepdims)
        if y_bar.__class__ is y.__class__ and np.count_nonzero(number) == number.size:
            x_bar = np.where(is_extreme, beside(y_bar / number, x, reduction), 0.0)
        else:  # traced, or for extrema that are NaN
            x_bar = pull_shares(shares_in(y, x, reduction), y_bar, x)[0]
        return NO_TANGENT, unbroadcast(x, x_bar), *without_tangents

    return y, extremum_pullback


def _read_extremum(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> tuple[Reduction, Any]:
    refuse_out(f"np.{f.__name__}", out)
    return Reduction(axis, given(keepdims, False), given(where, True)), given(initial, None)


# --- The range -------------------------------------------------------------------------------------


@frule.dispatch
def ptp_frule(tangents: Any, f: typeof_(np.ptp), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    reduction, _ = _read_extremum(f, *options, **named)
    y = np.ptp(x, *options, **named)
    high_dot, low_dot = (push_shares(shares, unthunk(tangents[1])) for shares in _ends(x, reduction))
    return y, high_dot - low_dot


@rrule.dispatch
def ptp_rrule(f: typeof_(np.ptp), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    reduction, _ = _read_extremum(f, *options, **named)
    project = ProjectTo(x)

    def ptp_pullback(y_bar: Any) -> Any:
        high_bar, low_bar = (pull_shares(shares, y_bar, x)[0] for shares in _ends(x, reduction))
        return NO_TANGENT, project(high_bar - low_bar), *(NO_TANGENT for _ in options)

    return np.ptp(x, *options, **named), ptp_pullback


def _ends(x: Any, reduction: Reduction) -> Iterator["Shares"]:
    for f in (np.max, np.min):
        y = f(primal_of(x), axis=reduction.axis, keepdims=reduction.keepdims)
        yield shares_in(y, x, reduction)


# --- How equal elements share ----------------------------------------------------------------------


class Shares(NamedTuple):
    """What an extremum is the mean of.

    Attributes
    ----------
    reduction
        The sum over the elements that are extreme.
    number
        How many there are, for each extremum; with the start if that is one.
    is_start
        Whether the start is one.
    """

    reduction: Reduction
    number: Any
    is_start: Any


def shares_in(
    y: Any, x: Any, reduction: Reduction, initial: Any = None, ignores_nans: bool = False
) -> Shares:
    """Find which elements of `x`, and whether the start `initial`, are the extrema `y`."""
    x, y = primal_of(x), primal_of(y)
    is_extreme = _is_same(x, beside(y, x, reduction), ignores_nans)
    if reduction.where is not True:
        is_extreme = is_extreme & reduction.where
    is_start = False if initial is None else _is_same(primal_of(initial), y, ignores_nans)
    number = np.count_nonzero(is_extreme, axis=reduction.axis, keepdims=reduction.keepdims) + is_start
    # Of none it is 1, so that it can be divided by; in the precision of `y`.
    number = np.maximum(number, 1).astype(_real_dtype(y)) if np.ndim(number) else max(int(number), 1)
    return Shares(Reduction(reduction.axis, reduction.keepdims, is_extreme), number, is_start)


def _real_dtype(y: Any) -> Any:
    return y.real.dtype if y.dtype.kind in "fc" else float


def push_shares(shares: Shares, x_dot: Any, initial_dot: Any = NO_TANGENT) -> Any:
    """The tangent of extrema."""
    y_dot = np.sum(x_dot, **shares.reduction._asdict()) if not isinstance(x_dot, AbstractZero) else x_dot
    if not isinstance(initial_dot, AbstractZero):
        y_dot = y_dot + np.where(shares.is_start, initial_dot, 0)
    return y_dot / shares.number


def pull_shares(shares: Shares, y_bar: Any, x: Any) -> tuple[Any, Callable[[], Any]]:
    """The cotangent of `x`, and a function that computes that of the start."""
    share = unthunk(y_bar) / shares.number
    return spread(share, x, shares.reduction), lambda: np.sum(np.where(shares.is_start, share, 0))


def _is_same(x: Any, y: Any, ignores_nans: bool) -> Any:
    is_same = x == y
    if ignores_nans or not np.isnan(y).any():
        return is_same
    return is_same | (np.isnan(x) & np.isnan(y))
