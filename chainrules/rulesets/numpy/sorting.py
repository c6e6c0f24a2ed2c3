"""Rules for sorting: the elements stay what they are, in an order that their tangents follow.

Equal elements keep their order, so that the derivative of a sorted array is well defined at ties too, and the
same whatever algorithm sorts.
"""

from typing import Any

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    typeof_,
    unthunk,
)

# Below, searching for equal elements takes longer than what it could save.
_FEW = 1000

non_differentiable(np.argsort, np.argpartition, np.lexsort)


@frule.dispatch
def sort_frule(
    tangents: Any, f: typeof_(np.sort), x: ArrayOperand, *options: Any, **named: Any
) -> tuple[Any, Any]:
    axis, order = _sorting_order(x, *options, **named)
    return np.take_along_axis(x, order, axis), _reordered(tangents[1], order, axis)


@rrule.dispatch
def sort_rrule(f: typeof_(np.sort), x: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
    if x.__class__ is np.ndarray and x.ndim == 1 and x.dtype.kind == "f" and not options and not named:
        return _plain_sort(x)
    axis, order = _sorting_order(x, *options, **named)
    return np.take_along_axis(x, order, axis), _reordering_pullback(x, order, axis, options)


def _plain_sort(x: Any) -> tuple[Any, Any]:
    order, dtype = _order_of_line(x), x.dtype

    def sort_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if y_bar.__class__ is np.ndarray and y_bar.dtype is dtype and y_bar.shape == order.shape:
            x_bar = np.empty_like(y_bar)
            x_bar[order] = y_bar
            return NO_TANGENT, x_bar
        return _reordering_pullback(np.empty(order.shape, dtype), order, -1, ())(y_bar)

    return x[order], sort_pullback


def _order_of_line(x: Any) -> Any:
    """The order of ascending real numbers in which equal ones keep theirs."""
    if x.size > _FEW:
        # A stable sort takes twice as long, and only equal elements, or NaNs, need it.
        order = x.argsort()
        y = x[order]
        if y[-1] == y[-1] and not np.equal(y[1:], y[:-1]).any():
            return order
    return x.argsort(kind="stable")


def _sorting_order(
    x: Any, axis: Any = -1, kind: Any = None, order: Any = None, stable: Any = None
) -> tuple[Any, Any]:
    return axis, np.argsort(primal_of(x), axis=axis, kind="stable")


@frule.dispatch
def sort_complex_frule(tangents: Any, f: typeof_(np.sort_complex), x: ArrayOperand) -> tuple[Any, Any]:
    y = np.sort_complex(x)
    y_dot = _reordered(tangents[1], _sorting_order(x)[1], -1)
    return y, y_dot if isinstance(y_dot, AbstractZero) else ProjectTo(y)(y_dot)


@rrule.dispatch
def sort_complex_rrule(f: typeof_(np.sort_complex), x: ArrayOperand) -> tuple[Any, Any]:
    return np.sort_complex(x), _reordering_pullback(x, _sorting_order(x)[1], -1, ())


@frule.dispatch
def partition_frule(
    tangents: Any, f: typeof_(np.partition), x: ArrayOperand, kth: Any, *options: Any, **named: Any
) -> tuple[Any, Any]:
    axis = _partitioned_axis(*options, **named)
    y = np.partition(x, kth, *options, **named)
    return y, _reordered(tangents[1], _order_of(y, x, axis), axis)


@rrule.dispatch
def partition_rrule(
    f: typeof_(np.partition), x: ArrayOperand, kth: Any, *options: Any, **named: Any
) -> tuple[Any, Any]:
    axis = _partitioned_axis(*options, **named)
    y = np.partition(x, kth, *options, **named)
    return y, _reordering_pullback(x, _order_of(y, x, axis), axis, (kth, *options))


def _partitioned_axis(axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    return axis


def _order_of(y: Any, x: Any, axis: Any) -> Any:
    """The order in which `y` holds the elements of `x`.

    Not that of `numpy.argpartition`: which of the many orders is a partition's is up to each function.
    """
    x_order = np.argsort(primal_of(x), axis=axis, kind="stable")
    y_order = np.argsort(primal_of(y), axis=axis, kind="stable")
    return np.take_along_axis(x_order, _inverse(y_order, axis), axis)


def _reordered(x_dot: Any, order: Any, axis: Any) -> Any:
    x_dot = unthunk(x_dot)
    return x_dot if isinstance(x_dot, AbstractZero) else np.take_along_axis(x_dot, order, axis)


def _reordering_pullback(x: Any, order: Any, axis: Any, options: tuple[Any, ...]) -> Any:
    project = ProjectTo(x)
    shape = shape_of(x)
    without_tangents = (NO_TANGENT,) * len(options)

    def reordering_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if y_bar.__class__ is np.ndarray and y_bar.ndim == order.ndim == 1:
            x_bar = np.empty_like(y_bar)
            x_bar[order] = y_bar
        else:
            x_bar = _reordered(y_bar, _inverse(order, axis), axis)
        x_bar = np.reshape(x_bar, shape)
        return NO_TANGENT, project(x_bar), *without_tangents

    return reordering_pullback


def _inverse(order: Any, axis: Any) -> Any:
    """The permutation that undoes another one, along an axis."""
    inverse = np.empty_like(order)
    places = np.arange(order.shape[0 if axis is None else axis])
    lengths = np.ones(order.ndim, dtype=int)
    lengths[0 if axis is None else axis] = len(places)
    np.put_along_axis(inverse, order, places.reshape(lengths), axis)
    return inverse
