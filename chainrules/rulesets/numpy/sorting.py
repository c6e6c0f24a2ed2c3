"""Rules for sorting: the elements change places, and their tangents follow them.

Equal elements keep their order, so that the derivative of a sorted array is well defined at ties too, and the
same whatever algorithm sorts.
"""

from typing import Any

import numpy as np

from chainrules.shortcuts.numpy.sorting import sort_of_vector
from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules.values.operands import ArrayOperand
from chainrules.values.permutations import in_memory_like
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    is_lazy,
    non_differentiable,
    primal_of,
    rrule,
    shortened_by,
    typeof_,
)

non_differentiable(np.argsort, np.argpartition, np.lexsort)


@frule.dispatch
def sort_frule(tangents: Any, f: typeof_(np.sort), x: ArrayOperand, *options: Any, **named: Any):
    axis, order = _sorting_order(x, *options, **named)
    return _sorted(x, order, axis), _reordered(tangents[1], order, axis)


@rrule.dispatch
@shortened_by(sort_of_vector)
def sort_rrule(f: typeof_(np.sort), x: ArrayOperand, *options: Any, **named: Any):
    axis, order = _sorting_order(x, *options, **named)
    y = _sorted(x, order, axis)
    return y, _reordering_pullback(x, y, order, axis, options)


def _sorting_order(  # noqa: PLR0913 - the options of NumPy's function
    x: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None, descending: Any = None
) -> tuple[Any, Any]:
    how = {"stable": True, "descending": True} if descending else {"kind": "stable"}  # not both
    return axis, np.argsort(primal_of(x), axis=axis, **how)


def _sorted(x: Any, order: Any, axis: Any) -> Any:
    y = np.take_along_axis(x, order, axis)
    return y if axis is None else in_memory_like(x, y)


@frule.dispatch
def sort_complex_frule(tangents: Any, f: typeof_(np.sort_complex), x: ArrayOperand):
    y = np.sort_complex(x)
    y_dot = _reordered(tangents[1], _sorting_order(x)[1], -1)
    return y, ProjectTo(y)(y_dot)


@rrule.dispatch
def sort_complex_rrule(f: typeof_(np.sort_complex), x: ArrayOperand):
    y = np.sort_complex(x)
    return y, _reordering_pullback(x, y, _sorting_order(x)[1], -1, ())


@frule.dispatch
def partition_frule(
    tangents: Any, f: typeof_(np.partition), x: ArrayOperand, kth: Any, *options: Any, **named: Any
):
    axis = _partitioned_axis(*options, **named)
    y = np.partition(x, kth, *options, **named)
    return y, _reordered(tangents[1], _order_of(y, x, axis), axis)


@rrule.dispatch
def partition_rrule(f: typeof_(np.partition), x: ArrayOperand, kth: Any, *options: Any, **named: Any):
    axis = _partitioned_axis(*options, **named)
    y = np.partition(x, kth, *options, **named)
    return y, _reordering_pullback(x, y, _order_of(y, x, axis), axis, (kth, *options))


def _partitioned_axis(axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    return axis


def _order_of(y: Any, x: Any, axis: Any) -> Any:
    """The order in which `y` holds the elements of `x`.

    Not the order of `numpy.argpartition`: a partition may have many, and each function chooses its own.
    """
    x_order = np.argsort(primal_of(x), axis=axis, kind="stable")
    y_order = np.argsort(primal_of(y), axis=axis, kind="stable")
    return np.take_along_axis(x_order, _inverse(y_order, axis), axis)


def _reordered(x_dot: Any, order: Any, axis: Any) -> Any:
    if is_lazy(x_dot) and len(shape_of(x_dot)) == 1:
        return x_dot[order]
    refuse_lazy_cotangent("np.sort", x_dot)
    return x_dot if isinstance(x_dot, AbstractZero) else np.take_along_axis(x_dot, order, axis)


def _reordering_pullback(x: Any, y: Any, order: Any, axis: Any, options: tuple[Any, ...]) -> Any:
    project_x, project_y = ProjectTo(x), ProjectTo(y)
    shape = shape_of(x)
    without_tangents = (NO_TANGENT,) * len(options)

    def reordering_pullback(y_bar):
        # Projected first: of a cotangent in another shape the wrong elements would be picked.
        x_bar = _reordered(project_y(y_bar), _inverse(order, axis), axis)
        return NO_TANGENT, project_x(np.reshape(x_bar, shape)), *without_tangents

    return reordering_pullback


def _inverse(order: Any, axis: Any) -> Any:
    """The permutation that undoes another one, along an axis."""
    inverse = np.empty_like(order)
    places = np.arange(order.shape[0 if axis is None else axis])
    lengths = np.ones(order.ndim, dtype=int)
    lengths[0 if axis is None else axis] = len(places)
    np.put_along_axis(inverse, order, places.reshape(lengths), axis)
    return inverse
