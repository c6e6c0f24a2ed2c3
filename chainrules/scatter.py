"""The adjoint of indexing: a cotangent goes back to the places that an index picked."""

import operator
from typing import Any

import numpy as np

from chainrules.operands import ArrayOperand, Operand
from chainrules_core import (
    NoTangent,
    ProjectTo,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)


@primitive
def scatter(y: Any, like: Any, index: Any) -> Any:
    """An array in the shape of `like` that holds `y` at `index` and is zero elsewhere.

    Where `index` picks an element several times, the sum stands there. Linear in `y`; the values of `like`
    do not matter.
    """
    return add_at(np.zeros_like(like, dtype=np.result_type(y)), index, y)


@frule.dispatch
def scatter_frule(
    tangents: Any,
    f: typeof_(scatter),
    y: Operand,
    like: ArrayOperand,
    index: Any,
) -> tuple[Any, Any]:
    """The tangent scattered."""
    y_dot = ProjectTo(y)(unthunk(tangents[1]))
    return scatter(y, like, index), scatter(y_dot, like, index)


@rrule.dispatch
def scatter_rrule(f: typeof_(scatter), y: Operand, like: ArrayOperand, index: Any) -> tuple[Any, Any]:
    """What stands at the index."""
    project = ProjectTo(y)
    shape = np.shape(primal_of(y))

    def scatter_pullback(x_bar: Any) -> tuple[Any, Any, Any, Any]:
        y_bar = operator.getitem(unthunk(x_bar), index)
        return NoTangent(), project(np.reshape(y_bar, shape)), NoTangent(), NoTangent()

    return scatter(y, like, index), scatter_pullback


def add_at(x: Any, index: Any, y: Any) -> Any:
    """Add `y` into an array at `index`, in place; returns the array."""
    if _picks_each_once(index):
        x[index] += y
    else:
        np.add.at(x, index, y)
    return x


def _picks_each_once(index: Any) -> bool:
    """Whether an index is basic or boolean; `+=` at an index of integers drops all but one of equal ones."""
    parts = index if isinstance(index, tuple) else (index,)
    return not any(isinstance(part, list | tuple) or _is_integer_array(part) for part in parts)


def _is_integer_array(part: Any) -> bool:
    return isinstance(part, np.ndarray) and part.dtype.kind != "b"
