"""Rules for changing the shape of an array: the elements stay in order, and so do their cotangents."""

from typing import Any

import numpy as np

from chainrules.shortcuts.numpy.shapes import ravel_of_array, reshape_of_array
from chainrules.values.lazy_arrays import refuse_lazy
from chainrules.values.operands import LazyOperand, Operand
from chainrules.values.permutations import inverse_permutation
from chainrules.values.reductions import shape_of
from chainrules_core import NO_TANGENT, ProjectTo, frule, primal_of, rrule, shortened_by, typeof_


@frule.dispatch
def reshape_frule(tangents: Any, f: typeof_(np.reshape), x: Operand, *options: Any, **named: Any):
    order = _order_of_elements(x, *options, **named)
    y = np.reshape(x, *options, **named)
    return y, np.reshape(tangents[1], shape_of(y), order=order)


@rrule.dispatch
@shortened_by(reshape_of_array)
def reshape_rrule(f: typeof_(np.reshape), x: Operand, *options: Any, **named: Any):
    order = _order_of_elements(x, *options, **named)
    project = ProjectTo(x)
    shape = shape_of(x)

    def reshape_pullback(y_bar):
        x_bar = project(np.reshape(y_bar, shape, order=order))
        return NO_TANGENT, x_bar, *(NO_TANGENT,) * len(options)

    return np.reshape(x, *options, **named), reshape_pullback


# Dask's function takes no order, and no length that is not in a tuple.


@frule.dispatch
def reshape_lazy_frule(tangents: Any, f: typeof_(np.reshape), x: LazyOperand, *options: Any, **named: Any):
    shape = _lazy_shape(*options, **named)
    return np.reshape(x, shape), np.reshape(tangents[1], shape)


@rrule.dispatch
def reshape_lazy_rrule(f: typeof_(np.reshape), x: LazyOperand, *options: Any, **named: Any):
    shape = shape_of(x)

    def reshape_pullback(y_bar):
        return NO_TANGENT, np.reshape(y_bar, shape), *(NO_TANGENT,) * len(options)

    return np.reshape(x, _lazy_shape(*options, **named)), reshape_pullback


def _lazy_shape(shape: Any, order: str = "C", **_: Any) -> tuple[int, ...]:
    if order not in {"C", "A"}:
        refuse_lazy(f"np.reshape(..., order={order!r})", "Transpose the array, and reshape it row by row.")
    return tuple(shape) if isinstance(shape, tuple | list) else (shape,)


def _order_of_elements(x: Any, shape: Any = None, order: Any = "C", **_: Any) -> Any:
    if order == "A":  # as the elements lie in memory; a tangent's need not lie so
        x = primal_of(x)
        return "F" if isinstance(x, np.ndarray) and x.flags.fnc else "C"
    return order


@frule.dispatch
def ravel_frule(tangents: Any, f: typeof_(np.ravel), x: Operand, *options: Any, **named: Any):
    axes = _axes_in_order(x, *options, **named)
    return np.ravel(x, *options, **named), np.ravel(np.transpose(tangents[1], axes))


@rrule.dispatch
@shortened_by(ravel_of_array)
def ravel_rrule(f: typeof_(np.ravel), x: Operand, *options: Any, **named: Any):
    axes = _axes_in_order(x, *options, **named)
    project = ProjectTo(x)
    shape = tuple(shape_of(x)[axis] for axis in axes)

    def ravel_pullback(y_bar):
        x_bar = np.transpose(np.reshape(y_bar, shape), inverse_permutation(axes))
        return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

    return np.ravel(x, *options, **named), ravel_pullback


def _axes_in_order(x: Any, order: str = "C") -> tuple[int, ...]:
    """The axes in the order of memory: the one along which neighbours are closest is the last."""
    axes = tuple(range(len(shape_of(x))))
    if (
        order == "K" and hasattr(primal_of(x), "strides") and 0 not in shape_of(x)
    ):  # as the elements lie in memory
        strides = primal_of(x).strides
        if any(stride == 0 for stride, length in zip(strides, shape_of(x), strict=True) if length > 1):
            raise TypeError(
                "np.ravel(..., order='K') of an array that repeats elements, as those of `np.broadcast_to`, "
                "cannot be differentiated: its order is not defined. Write order='C'."
            )
        return tuple(sorted(axes, key=lambda axis: -abs(strides[axis])))
    return axes[::-1] if _order_of_elements(x, order=order) == "F" else axes
