"""Rules for the methods of ufuncs: `reduce`, `accumulate`, `outer` and `reduceat`.

The methods of `add` and `multiply` are sums and products, the methods of `maximum` and its like are extrema.
The derivative of ``y = log Σ exp x`` by an element is ``exp(x - y)``; equal infinite elements share it. Any
other ufunc is folded one element after the other, and its own rule gives the derivative of each step. So
equal elements of a running maximum share the derivative as the operands of `maximum` do: for ``[2, 2, 2]``
the first two elements have a quarter of the last result's derivative each, and the third has half of it.
"""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.extreme_shares import pull_shares, push_shares, shares_in
from chainrules.formulas.arrays.running_results import pull_running, push_running
from chainrules.operations.scatter import scatter
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand
from chainrules.values.reductions import (
    Reduction,
    beside,
    factor_for,
    given,
    laid_back,
    lined_up,
    option_cotangents,
    read_reduction,
    shape_of,
)
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    thunk,
    unthunk,
)

_INITIAL = 4  # the place of `initial` after the array

# --- Sums and products -----------------------------------------------------------------------------

_LIKE_FUNCTIONS = {
    np.add.reduce: np.sum,
    np.multiply.reduce: np.prod,
    np.add.accumulate: np.cumsum,
    np.multiply.accumulate: np.cumprod,
}


@frule.dispatch
def like_function_frule(tangents, f: typeof_any(_LIKE_FUNCTIONS), x: Operand, *options, **named):
    return frule.unchecked(tangents, _LIKE_FUNCTIONS[f], x, *options, **_along_first(options, named))


@rrule.dispatch
def like_function_rrule(f: typeof_any(_LIKE_FUNCTIONS), x: Operand, *options, **named):
    return rrule.unchecked(_LIKE_FUNCTIONS[f], x, *options, **_along_first(options, named))


def _along_first(options: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The keywords of the function; methods reduce along the first axis where functions reduce all."""
    return named if options else {"axis": 0, **named}


# --- Extrema ---------------------------------------------------------------------------------------

_IGNORE_NANS = (np.fmax.reduce, np.fmin.reduce)
_EXTREMA = (np.maximum.reduce, np.minimum.reduce, *_IGNORE_NANS)


@frule.dispatch
def extremum_reduce_frule(tangents, f: typeof_any(_EXTREMA), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    reduction, initial = _read_reduce(f, x, *options, **named)
    y = f(x, *options, **named)
    initial_dot = option_dots[_INITIAL] if len(option_dots) > _INITIAL else NO_TANGENT
    shares = shares_in(y, x, reduction, initial, f in _IGNORE_NANS)
    return y, ProjectTo(y)(push_shares(shares, x_dot, initial_dot))


@rrule.dispatch
def extremum_reduce_rrule(f: typeof_any(_EXTREMA), x: Operand, *options, **named):
    reduction, initial = _read_reduce(f, x, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def extremum_reduce_pullback(y_bar):
        x_bar, initial_bar = pull_shares(shares_in(y, x, reduction, initial, f in _IGNORE_NANS), y_bar, x)
        return NO_TANGENT, project(x_bar), *option_cotangents(options, _INITIAL, initial_bar)

    return y, extremum_reduce_pullback


def _read_reduce(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f, x, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
) -> tuple[Reduction, Any]:
    return read_reduction(_name(f), x, axis, dtype, out, keepdims, where), given(initial, None)


def _name(f) -> str:
    return f"np.{f.__self__.__name__}.{f.__name__}"


# --- Logarithms of sums of exponentials ------------------------------------------------------------

_EXPONENTIALS = {np.logaddexp.reduce: np.exp, np.logaddexp2.reduce: np.exp2}


@frule.dispatch
def log_sum_frule(tangents, f: typeof_any(_EXPONENTIALS), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    reduction, initial = _read_reduce(f, x, *options, **named)
    y = f(x, *options, **named)
    shares, initial_share = _shares_of_log_sum(f, x, y, reduction, initial)
    terms = shares * x_dot
    y_dot = terms if isinstance(terms, AbstractZero) else np.sum(terms, **reduction._asdict())
    if len(option_dots) > _INITIAL:
        y_dot = y_dot + initial_share * option_dots[_INITIAL]
    return y, ProjectTo(y)(y_dot)


@rrule.dispatch
def log_sum_rrule(f: typeof_any(_EXPONENTIALS), x: Operand, *options, **named):
    reduction, initial = _read_reduce(f, x, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def log_sum_pullback(y_bar):
        shares, initial_share = _shares_of_log_sum(f, x, y, reduction, initial)
        option_bars = option_cotangents(options, _INITIAL, lambda: np.sum(initial_share * y_bar))
        return NO_TANGENT, project(shares * factor_for(y_bar, x, reduction)), *option_bars

    return y, log_sum_pullback


def _shares_of_log_sum(f, x, y, reduction: Reduction, initial):
    """The derivatives of `y` by the elements of `x`, and by the start."""
    if initial is None and reduction.where is True and np.isfinite(primal_of(y)).all():
        return _EXPONENTIALS[f](x - beside(y, x, reduction)), None
    equal = shares_in(y, x, reduction, initial)  # where it is infinite, equal elements have a part
    is_finite = np.isfinite(primal_of(y))
    finite, y_beside, number = (
        beside(v, x, reduction) for v in (is_finite, np.where(is_finite, y, 0), equal.number)
    )
    exponentials = _EXPONENTIALS[f](np.where(finite, x, 0) - y_beside)
    shares = np.where(finite, exponentials, equal.reduction.where / number)
    if reduction.where is not True:
        shares = np.where(reduction.where, shares, 0)
    if initial is None:
        return shares, None
    start = _EXPONENTIALS[f](np.where(is_finite, initial - np.where(is_finite, y, 0), 0))
    return shares, np.where(is_finite, start, equal.is_start / equal.number)


# --- Other ufuncs, folded one element after the other -----------------------------------------------

# Not `power` and `arctan2`: NumPy does not fold them from the left where elements are neighbours.
_FOLDED = (np.subtract, np.divide, np.hypot)


@frule.dispatch
def reduce_frule(tangents, f: typeof_any(u.reduce for u in _FOLDED), x: Operand, *options, **named):
    reduction = _read_fold(f, x, *options, **named)
    y = f(x, *options, **named)
    x_dot = tangents[1]
    if isinstance(x_dot, AbstractZero):
        return y, x_dot
    lines, lines_dot = (lined_up(v, reduction.axis) for v in (x, x_dot))
    running_dot = push_running(f.__self__, lines, lines_dot, f.__self__.accumulate(lines), 0)
    return y, ProjectTo(y)(np.reshape(running_dot[-1], shape_of(y)))


@rrule.dispatch
def reduce_rrule(f: typeof_any(u.reduce for u in _FOLDED), x: Operand, *options, **named):
    reduction = _read_fold(f, x, *options, **named)
    project = ProjectTo(x)

    def reduce_pullback(y_bar):
        lines = lined_up(x, reduction.axis)
        running = f.__self__.accumulate(lines)
        running_bar = scatter(np.reshape(y_bar, shape_of(lines)[1:]), primal_of(lines), -1)
        lines_bar = pull_running(f.__self__, lines, running, running_bar, 0)
        x_bar = project(laid_back(lines_bar, x, reduction.axis))
        return NO_TANGENT, x_bar, *(NO_TANGENT,) * len(options)

    return f(x, *options, **named), reduce_pullback


def _read_fold(f, x, *options, **named) -> Reduction:
    reduction, initial = _read_reduce(f, x, *options, **named)
    if initial is not None or reduction.where is not True:
        raise TypeError(
            f"{_name(f)}(..., initial=..., where=...) has no derivative here. Choose the elements, and "
            "put the start before them, with functions that have rules."
        )
    return reduction


_ACCUMULATED = (*_FOLDED, np.maximum, np.minimum, np.fmax, np.fmin, np.logaddexp, np.logaddexp2)


@frule.dispatch
def accumulate_frule(
    tangents, f: typeof_any(u.accumulate for u in _ACCUMULATED), x: Operand, *options, **named
):
    axis = _read_accumulate(f, x, *options, **named)
    y = f(x, *options, **named)
    x_dot = tangents[1]
    return y, ProjectTo(y)(push_running(f.__self__, x, x_dot, y, axis))


@rrule.dispatch
def accumulate_rrule(f: typeof_any(u.accumulate for u in _ACCUMULATED), x: Operand, *options, **named):
    axis = _read_accumulate(f, x, *options, **named)
    y = f(x, *options, **named)
    project = ProjectTo(x)

    def accumulate_pullback(y_bar):
        x_bar = project(pull_running(f.__self__, x, y, y_bar, axis))
        return NO_TANGENT, x_bar, *(NO_TANGENT,) * len(options)

    return y, accumulate_pullback


def _read_accumulate(f, x, axis=0, dtype=None, out=None):
    return read_reduction(_name(f), x, axis, dtype, out).axis


# --- All pairs -------------------------------------------------------------------------------------

_PAIRED = (
    *(np.add, np.subtract, np.multiply, np.divide, np.power, np.float_power, np.remainder, np.fmod),
    *(np.maximum, np.minimum, np.fmax, np.fmin, np.hypot, np.arctan2, np.logaddexp, np.logaddexp2),
    *(np.copysign, np.heaviside, np.nextafter),
)


@frule.dispatch
def outer_frule(tangents, f: typeof_any(u.outer for u in _PAIRED), x: Operand, y: Operand):
    _, x_dot, y_dot = tangents
    x_dot = x_dot if isinstance(x_dot, AbstractZero) else _before(x_dot, y)
    z, z_dot = frule.require((NO_TANGENT, x_dot, y_dot), f.__self__, _before(x, y), _as_array(y))
    return z, z_dot if isinstance(z_dot, AbstractZero) else ProjectTo(z)(z_dot)


@rrule.dispatch
def outer_rrule(f: typeof_any(u.outer for u in _PAIRED), x: Operand, y: Operand):
    z, pullback = rrule.require(f.__self__, _before(x, y), _as_array(y))
    project_x, project_y = ProjectTo(x), ProjectTo(y)
    shape = shape_of(x)

    def outer_pullback(z_bar):
        _, x_bar, y_bar = pullback(z_bar)
        x_bar = thunk(lambda x_bar=x_bar: project_x(np.reshape(x_bar, shape)))
        return NO_TANGENT, x_bar, thunk(lambda: project_y(unthunk(y_bar)))

    return z, outer_pullback


def _as_array(y):
    """A number as the array that `outer` makes of it, whose precision counts."""
    return y if shape_of(y) else np.reshape(y, ())


def _before(x, y):
    """`x` with as many axes more as `y` has, so that the two broadcast to all pairs."""
    return np.reshape(x, shape_of(x) + (1,) * len(shape_of(y)))


# Functions of truth values and whole numbers, and the steps of a staircase.
_CONSTANT = (
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(np.logical_and, np.logical_or, np.logical_xor, np.bitwise_and, np.bitwise_or, np.bitwise_xor),
    *(np.left_shift, np.right_shift, np.gcd, np.lcm, np.floor_divide),
)


@non_differentiable()
def _(
    f: typeof_any(method for u in _CONSTANT for method in (u.reduce, u.accumulate, u.outer, u.reduceat)),
    *args: object,
): ...


# --- Slices ----------------------------------------------------------------------------------------

_SLICED = (np.add, np.multiply, *_ACCUMULATED)  # all whose `reduce` has rules


@frule.dispatch
def reduceat_frule(
    tangents, f: typeof_any(u.reduceat for u in _SLICED), x: Operand, indices, *options, **named
):
    axis = _read_accumulate(f, x, *options, **named)
    y = f(x, indices, *options, **named)
    x_dot = tangents[1]
    front, front_dot = np.moveaxis(x, axis, 0), np.moveaxis(x_dot, axis, 0)
    dots = [
        frule.require((NO_TANGENT, front_dot[s]), f.__self__.reduce, front[s])[1]
        for s in _reduced_slices(indices, shape_of(front)[0])
    ]
    return y, ProjectTo(y)(np.moveaxis(np.stack(dots), 0, axis))


@rrule.dispatch
def reduceat_rrule(f: typeof_any(u.reduceat for u in _SLICED), x: Operand, indices, *options, **named):
    axis = _read_accumulate(f, x, *options, **named)
    project = ProjectTo(x)

    def reduceat_pullback(y_bar):
        front, front_bar = np.moveaxis(x, axis, 0), np.moveaxis(y_bar, axis, 0)
        slices = _reduced_slices(indices, shape_of(front)[0])
        bars = [rrule.require(f.__self__.reduce, front[s])[1](front_bar[k])[1] for k, s in enumerate(slices)]
        places = np.concatenate([np.arange(s.start, s.stop) for s in slices])
        x_bar = scatter(np.concatenate(bars), primal_of(front), places)
        return NO_TANGENT, project(np.moveaxis(x_bar, 0, axis)), *(NO_TANGENT for _ in (indices, *options))

    return f(x, indices, *options, **named), reduceat_pullback


def _reduced_slices(indices, length: int) -> list[slice]:
    """The slice that each element of the result is made of: up to the next index, or of one element."""
    starts = [int(i) for i in indices]
    stops = [*starts[1:], length]
    return [slice(a, b if a < b else a + 1) for a, b in zip(starts, stops, strict=True)]


# --- In place --------------------------------------------------------------------------------------


@frule.dispatch
def refusing_at_frule(tangents, f: typeof_any(u.at for u in _PAIRED), x, *args):
    raise _in_place(f)


@rrule.dispatch
def refusing_at_rrule(f: typeof_any(u.at for u in _PAIRED), x, *args):
    raise _in_place(f)


def _in_place(f) -> TypeError:
    return TypeError(
        f"{_name(f)} cannot be differentiated: it changes an array in place, which leaves no trace for the "
        "derivative. Build a new array: a sum by index is `x + np.bincount(index, y, len(x))`."
    )
