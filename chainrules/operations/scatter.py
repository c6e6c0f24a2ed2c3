"""The adjoint of indexing: a cotangent goes back to the places that an index picked."""

import operator
from typing import Any

import numpy as np

from chainrules.numerics.lazy_scatter import scattered_lazily
from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractTangent,
    AbstractZero,
    InplaceableThunk,
    ProjectTo,
    Thunk,
    frule,
    is_lazy,
    primal_of,
    primitive,
    rrule,
    typeof_,
)
from chainrules_core.speed import STAND_INS, is_cotangent_of

_IN_MEMORY = (np.ndarray, float)

# The classes of basic indices that are no tuple of indices.
_BASIC = (int, slice, type(None), type(Ellipsis))


@primitive
def scatter(y: Any, like: Any, index: Any) -> Any:
    """An array in the shape of `like` that holds `y` at `index` and is zero elsewhere.

    Where `index` picks an element several times, the sum stands there. Linear in `y`; the values of `like`
    do not matter.
    """
    return _scattered(y, like, index)


def _scattered(y: Any, like: Any, index: Any) -> Any:
    if isinstance(like, np.ndarray) and isinstance(y, _IN_MEMORY):
        # Of an array in memory the shape is enough, which is quicker; others may have more: chunks.
        dtype = getattr(y, "dtype", float)
        if STAND_INS and (type(y) in STAND_INS or type(like) in STAND_INS):
            # `np.zeros` asks nobody, so that the array would be a constant.
            recorded = y if type(y) in STAND_INS else like
            zeros = np.zeros_like(recorded, dtype, shape=like.shape)
        else:
            zeros = np.zeros(like.shape, dtype)
    elif is_lazy(like) or is_lazy(y):
        return scattered_lazily(y, like, index)
    else:
        zeros = np.zeros_like(like, dtype=y.dtype if hasattr(y, "dtype") else np.result_type(y))
    if _picks_each_once(index):
        zeros[index] = y
    else:
        np.add.at(zeros, index, y)
    return zeros


@frule.dispatch
def scatter_frule(
    tangents: Any, f: typeof_(scatter), y: Operand, like: ArrayOperand, index: Any
) -> tuple[Any, Any]:
    """The tangent scattered."""
    y_dot = tangents[1]
    if not is_cotangent_of(y, y_dot):
        y_dot = ProjectTo(y)(y_dot)
    is_zero = isinstance(y_dot, AbstractZero)
    return scatter(y, like, index), y_dot if is_zero else scatter(y_dot, like, index)


@rrule.dispatch
def scatter_rrule(f: typeof_(scatter), y: Operand, like: ArrayOperand, index: Any) -> tuple[Any, Any]:
    """The elements at the index."""
    project = ProjectTo(y)
    shape = np.shape(primal_of(y))

    def scatter_pullback(x_bar: Any) -> Any:
        y_bar = operator.getitem(x_bar, index)
        return NO_TANGENT, project(np.reshape(y_bar, shape)), NO_TANGENT, NO_TANGENT

    return scatter(y, like, index), scatter_pullback


class ScatterThunk(InplaceableThunk):
    """``scatter(y, like, index)`` of plain values, when it is needed.

    A loop over an array would allocate an array for each of its elements, unless arrays of nearly all zeros
    were added in place.
    """

    # The arguments of `scatter`. One attribute, as each access takes longer in a class with `__getattr__`.
    __slots__ = ("args",)

    def __init__(self, y: Any, like: Any, index: Any) -> None:
        # The thunk that the base class keeps is made where it is asked for: most are only added.
        self.args = y, like, index

    def add(self, x_bar: Any) -> Any:
        """Add to an array in place."""
        y, _, index = self.args
        if isinstance(index, int):  # as `add_at`: loops add element by element
            x_bar[index] += y
            return x_bar
        return add_at(x_bar, index, y)

    def can_be_added_to(self, x_bar: Any) -> bool:
        """Not if the imaginary parts of complex numbers would be lost, or a lazy array computed."""
        y = self.args[0]
        if STAND_INS and type(y) in STAND_INS and type(x_bar) not in STAND_INS:
            return False  # a recorded value is not written into a constant
        if isinstance(y, float):
            return True
        return not is_lazy(y) and (x_bar.dtype.kind == "c" or np.result_type(y).kind != "c")

    @property
    def val(self) -> Thunk:  # type: ignore[override]  # the base class has a slot
        """The array, as a thunk."""
        return Thunk(self.__unthunk__)

    def __unthunk__(self) -> Any:
        return _scattered(*self.args)


def scattering_thunk(y: Any, like: Any, index: Any) -> Any:
    """The thunk of ``scatter(y, like, index)``; a traced `y` cannot be added in place.

    A zero, and a derivative that is not there, are the same for the whole array.
    """
    if primal_of(y) is not y:
        return Thunk(scatter, y, like, index)
    return y if isinstance(y, AbstractTangent) else ScatterThunk(y, like, index)


def add_at(x: Any, index: Any, y: Any) -> Any:
    """Add `y` into an array at `index`, in place; returns the array."""
    if _picks_each_once(index):
        x[index] += y
    else:
        np.add.at(x, index, y)
    return x


def _picks_each_once(index: Any) -> bool:
    """Whether an index is basic or boolean; `+=` at an index of integers drops all but one of equal ones."""
    if isinstance(index, _BASIC):
        return True
    return all(map(_picks_no_integers, index)) if isinstance(index, tuple) else _picks_no_integers(index)


def _picks_no_integers(part: Any) -> bool:
    return part.dtype.kind == "b" if isinstance(part, np.ndarray) else not isinstance(part, list | tuple)
