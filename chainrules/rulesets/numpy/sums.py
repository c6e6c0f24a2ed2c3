"""Rules for sums, whole and running ones.

A sum is linear, so its tangent is the sum of the tangents; in reverse each element gets the cotangent of the
sum that it is in. A running sum has that of all sums from the element's own on: a running sum from the end.
What a sum leaves out, by ``where=`` or as a NaN, gets none.
"""

from typing import Any

import numpy as np

from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand, refuse_out
from chainrules.values.reductions import (
    Reduction,
    are_along_one_axis,
    given,
    is_of_all,
    option_cotangents,
    plain_reduction,
    read_reduction,
    repeated,
    repeated_along,
    shape_of,
    spread,
    without_nans,
)
from chainrules_core import (
    NO_TANGENT,
    NoTangent,
    ProjectTo,
    frule,
    primal_of,
    rrule,
    sum_tangents,
    typeof_,
    unbroadcast,
    unthunk,
)

# What `np.sum` of an array calls, without the way there.
_add_up: Any = np.add.reduce

_INITIAL = 4  # the place of `initial` after the array


@frule.dispatch
def sum_frule(
    tangents: Any, f: typeof_any((np.sum, np.nansum)), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    _, x_dot, *option_dots = tangents
    if f is np.sum and is_of_all(x, options, named) and is_of_all(x_dot, options, named):
        return _add_up(x, axis=None), _add_up(x_dot, axis=None)
    reduction, _ = read_sum(f, x, *options, **named)
    y = f(x, *options, **named)
    dtype = y.dtype  # also where `x` is of another
    y_dot = np.sum(unthunk(x_dot), dtype=dtype, **reduction._asdict())
    return y, sum_tangents(y, [y_dot, unthunk(option_dots[_INITIAL])]) if len(
        option_dots
    ) > _INITIAL else y_dot


@rrule.dispatch
def sum_rrule(f: typeof_any((np.sum, np.nansum)), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
    if f is np.sum and is_of_all(primal_of(x), options, named):
        return _sum_of_all(x)
    plain = plain_reduction(x, options, named) if f is np.sum else None
    if plain is not None:
        return _plain_sum(x, plain, options)
    reduction, _ = read_sum(f, x, *options, **named)
    project = ProjectTo(x)

    def sum_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        # Each element of the result starts from one initial number.
        option_bars = option_cotangents(options, _INITIAL, lambda: np.sum(y_bar))
        return NoTangent(), project(spread(y_bar, x, reduction)), *option_bars

    return f(x, *options, **named), sum_pullback


def _sum_of_all(x: Any) -> tuple[Any, Any]:
    def sum_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, repeated(unthunk(y_bar), primal_of(x))

    return (_add_up(x, axis=None) if x.__class__ is np.ndarray else np.sum(x)), sum_pullback


def _plain_sum(x: Any, reduction: Reduction, options: tuple[Any, ...]) -> tuple[Any, Any]:
    def sum_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if are_along_one_axis(y_bar, x, reduction):
            x_bar = repeated_along(y_bar, x, reduction.axis)
        else:
            x_bar = unbroadcast(x, spread(y_bar, x, reduction))
        return (NO_TANGENT, x_bar, NO_TANGENT) if options else (NO_TANGENT, x_bar)

    return _add_up(x, axis=reduction.axis, keepdims=reduction.keepdims), sum_pullback


def read_sum(  # noqa: PLR0913, PLR0917 - NumPy's signature
    f: Any,
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> tuple[Reduction, Any]:
    """Understand the arguments of a sum or a product; the start is `None` if it is not given."""
    reduction = read_reduction(f"np.{f.__name__}", x, axis, dtype, out, keepdims, where)
    ignores_nans = f in (np.nansum, np.nanprod)
    return without_nans(x, reduction) if ignores_nans else reduction, given(initial, None)


# --- Running sums ----------------------------------------------------------------------------------


@frule.dispatch
def cumsum_frule(
    tangents: Any, f: typeof_any((np.cumsum, np.nancumsum)), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    axis = read_running(f, x, *options, **named)
    y = f(x, *options, **named)
    return y, np.cumsum(_numbers_only(f, x, unthunk(tangents[1])), axis=axis, dtype=y.dtype)


@rrule.dispatch
def cumsum_rrule(
    f: typeof_any((np.cumsum, np.nancumsum)), x: Operand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    if f is np.cumsum and is_of_all(x, options, named) and x.ndim == 1:
        return _plain_cumsum(x)
    axis = read_running(f, x, *options, **named)
    project = ProjectTo(x)

    def cumsum_pullback(y_bar: Any) -> Any:
        x_bar = np.reshape(sums_from_the_end(unthunk(y_bar), axis), shape_of(x))
        return NoTangent(), project(_numbers_only(f, x, x_bar)), *(NoTangent() for _ in options)

    return f(x, *options, **named), cumsum_pullback


def _plain_cumsum(x: Any) -> tuple[Any, Any]:
    project = ProjectTo(x)

    def cumsum_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, project(sums_from_the_end(unthunk(y_bar), 0))

    return np.add.accumulate(x), cumsum_pullback


def read_running(f: Any, x: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The axis along which a running sum or product runs; `None` for the flattened array."""
    return read_reduction(f"np.{f.__name__}", x, axis, dtype, out).axis


def sums_from_the_end(y_bar: Any, axis: Any) -> Any:
    """The transpose of a running sum: the running sum in the other direction."""
    if axis is None:
        axis = 0  # the result had no other
    if y_bar.__class__ is np.ndarray and y_bar.dtype.kind in "fc":
        backwards = (*(slice(None),) * (axis % y_bar.ndim), slice(None, None, -1))
        return np.add.accumulate(y_bar[backwards], axis)[backwards]
    return np.flip(np.cumsum(np.flip(y_bar, axis), axis=axis), axis)


def _numbers_only(f: Any, x: Any, x_dot: Any) -> Any:
    return np.where(np.isnan(primal_of(x)), 0, x_dot) if f is np.nancumsum else x_dot


if hasattr(np, "cumulative_sum"):  # since NumPy 2.1

    @frule.dispatch
    def cumulative_sum_frule(
        tangents: Any, f: typeof_(np.cumulative_sum), x: Operand, **named: Any
    ) -> tuple[Any, Any]:
        read_cumulative(f, x, **named)
        y = np.cumulative_sum(x, **named)
        return y, np.cumulative_sum(unthunk(tangents[1]), **{**named, "dtype": y.dtype})

    @rrule.dispatch
    def cumulative_sum_rrule(f: typeof_(np.cumulative_sum), x: Operand, **named: Any) -> tuple[Any, Any]:
        axis, has_start = read_cumulative(f, x, **named)
        project = ProjectTo(x)

        def cumulative_sum_pullback(y_bar: Any) -> Any:
            y_bar = unthunk(y_bar)
            y_bar = without_start(y_bar, axis) if has_start else y_bar
            return NoTangent(), project(np.reshape(sums_from_the_end(y_bar, axis), shape_of(x)))

        return np.cumulative_sum(x, **named), cumulative_sum_pullback


def read_cumulative(  # noqa: PLR0913 - NumPy's signature
    f: Any, x: Any, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: Any = False
) -> tuple[int, bool]:
    """The axis of `numpy.cumulative_sum` or `cumulative_prod`, and whether their constant start is kept."""
    refuse_out(f"np.{f.__name__}", out)
    read_reduction(f"np.{f.__name__}", x, axis, dtype)
    return (0 if axis is None else axis), bool(include_initial)


def without_start(y_bar: Any, axis: int) -> Any:
    """All but the first element along an axis."""
    return np.moveaxis(np.moveaxis(y_bar, axis, 0)[1:], 0, axis)
