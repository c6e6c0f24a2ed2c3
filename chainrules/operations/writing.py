"""Writing into an array, as a function that has rules: it returns a new array, and leaves the old one."""

import operator
from typing import Any

import numpy as np

from chainrules.values.lazy_arrays import dask_array
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Thunk,
    frule,
    is_lazy,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)


@primitive
def written(x: Any, v: Any, index: Any) -> Any:
    """A copy of `x` after ``x[index] = v``; as there, the last of several values for one element stays.

    An array without axes may come as a number, which NumPy makes of it.
    """
    y = dask_array().asarray(x).copy() if is_lazy(x) or is_lazy(v) else np.array(x, order="K")
    y[index] = v
    return y


@frule.dispatch
def written_frule(tangents: Any, f: typeof_(written), x: Operand, v: Operand, index: Any) -> tuple[Any, Any]:
    """The tangent of `v`, written into the tangent of `x`."""
    y = written(x, v, index)
    _, x_dot, v_dot, _ = tangents
    if isinstance(x_dot, AbstractZero):
        x_dot = np.zeros_like(primal_of(y))
    # A complex array may have a real tangent, which has no room for a complex one.
    return y, written(ProjectTo(y)(x_dot), 0.0 if isinstance(v_dot, AbstractZero) else v_dot, index)


@rrule.dispatch
def written_rrule(f: typeof_(written), x: Operand, v: Operand, index: Any) -> tuple[Any, Any]:
    """The cotangent of `v` is there at the index, where that of `x` is zero."""
    y = written(x, v, index)
    project_to_x, project_to_y = ProjectTo(x), ProjectTo(y)
    stays = _stays(np.shape(primal_of(x)), index)

    def written_pullback(y_bar: Any) -> Any:
        y_bar = project_to_y(y_bar)
        v_bar = operator.getitem(y_bar, index)
        if stays is not None:
            v_bar = np.where(stays, v_bar, 0.0)
        x_bar = Thunk(lambda: project_to_x(written(y_bar, 0.0, index)))
        return NO_TANGENT, x_bar, unbroadcast(v, v_bar), NO_TANGENT

    return y, written_pullback


def _stays(shape: tuple[int, ...], index: Any) -> Any:
    """For each value that is written, whether it is the last for its element; `None` if all are.

    Only an index of integers picks an element several times.
    """
    parts = index if isinstance(index, tuple) else (index,)
    if not any(_picks_by_numbers(part) for part in parts):
        return None
    picked = np.empty(shape, np.intp)
    count = np.arange(np.size(operator.getitem(picked, index))).reshape(operator.getitem(picked, index).shape)
    picked[index] = count
    stays = operator.getitem(picked, index) == count
    return None if stays.all() else stays


def _picks_by_numbers(part: Any) -> bool:
    return isinstance(part, list) or (
        isinstance(part, np.ndarray) and part.dtype.kind in "iu" and part.ndim > 0
    )
