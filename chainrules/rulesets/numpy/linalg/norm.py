"""Rules for norms of vectors and matrices.

Their gradients, and where they are from, are in `chainrules.vector_norms` and `chainrules.matrix_norms`.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.matrix_norms import matrix_norm_pulled
from chainrules.formulas.vector_norms import along, ratio, vector_norm_by_order, vector_norm_pulled
from chainrules.values.operands import Operand
from chainrules.values.reductions import is_of_all, reduced_axes, shape_of
from chainrules_core import (
    NO_TANGENT,
    REAL_CLASSES,
    AbstractZero,
    NoTangent,
    ProjectTo,
    frule,
    primal_of,
    primitive,
    rrule,
    thunk,
    typeof_,
    unbroadcast,
    unthunk,
)


class _Norm(NamedTuple):
    """Which norm was asked for.

    Attributes
    ----------
    order, axes, keepdims
        As in NumPy, with numbers from zero for the axes.
    is_of_matrices
        Whether the two axes are those of matrices, not of vectors.
    lost
        The axes that have to be put back before the norm broadcasts with the array.
    """

    order: Any
    axes: tuple[int, ...]
    keepdims: bool
    is_of_matrices: bool
    lost: tuple[int, ...]

    def kept(self, y: Any) -> Any:
        """A norm, or its cotangent, with the axes that it was taken over."""
        if y.__class__ is not np.ndarray or not self.lost:
            return np.expand_dims(y, self.lost) if self.lost else y
        ndim = y.ndim + len(self.lost)
        return y[tuple([None if axis in self.lost else slice(None) for axis in range(ndim)])]

    def pulled(self, x: Any, y: Any, y_bar: Any) -> Any:
        """The cotangent of `x` for that of its norm `y`, both with their axes."""
        pull: Any = matrix_norm_pulled if self.is_of_matrices else vector_norm_pulled
        return pull(x, y, y_bar, self.order, self.axes)

    def has_continuous_order(self) -> bool:
        """Whether the order is a number that can be moved: of matrices there are but a few norms."""
        return isinstance(primal_of(self.order), float) and not self.is_of_matrices

    def by_order(self, x: Any, y: Any) -> Any:
        """The derivative of the norm `y`, with its axes, by its order."""
        return vector_norm_by_order(x, y, self.order, self.axes)


def _norm(order: Any, axes: tuple[int, ...], ndim: int, keepdims: bool, is_of_matrices: bool) -> _Norm:
    return _Norm(order, axes, keepdims, is_of_matrices, () if keepdims or len(axes) == ndim else axes)


def _read_norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> _Norm:  # noqa: A002 - NumPy's name
    ndim = len(shape_of(x))
    axes = reduced_axes(axis, ndim)
    if (axis is None and ord is None) or len(axes) == 1:
        return _norm(2 if ord is None else ord, axes, ndim, keepdims, False)
    return _norm("fro" if ord is None else ord, axes, ndim, keepdims, True)


def _read_vector_norm(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> _Norm:  # noqa: A002 - likewise
    ndim = len(shape_of(x))
    return _norm(ord, reduced_axes(axis, ndim), ndim, keepdims, False)


def _read_matrix_norm(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> _Norm:  # noqa: A002 - likewise
    ndim = len(shape_of(x))
    return _norm(ord, (ndim - 2, ndim - 1), ndim, keepdims, True)


def _plain_norm(x: Any) -> tuple[Any, Any]:
    """The rule of the square root of the sum of all squares."""
    y = np.linalg.norm(x)

    def norm_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if y_bar.__class__ in REAL_CLASSES and y:
            return NO_TANGENT, x * (y_bar / y)
        return NO_TANGENT, unbroadcast(x, x * ratio(y_bar, y))

    return y, norm_pullback


def _norm_rules(primal: Any, read: Any) -> None:
    # NumPy does not look for traced values in the place of the order.
    primal = primitive(primal)

    @frule.dispatch
    def norm_frule(
        tangents: Any, f: typeof_(primal), x: Operand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        _, x_dot, *option_dots = map(unthunk, tangents)
        y = primal(x, *options, **named)
        norm = read(x, *options, **named)
        y_kept = norm.kept(y)
        y_dot = x_dot
        if not isinstance(x_dot, AbstractZero):
            y_dot = along(norm.pulled(x, y_kept, 1), x_dot, norm.axes, norm.keepdims)
        if option_dots and norm.has_continuous_order() and not isinstance(option_dots[0], AbstractZero):
            y_dot = y_dot + np.reshape(norm.by_order(x, y_kept), shape_of(y)) * option_dots[0]
        return y, y_dot

    @rrule.dispatch
    def norm_rrule(f: typeof_(primal), x: Operand, *options: Any, **named: Any) -> tuple[Any, Any]:
        if f is np.linalg.norm and is_of_all(x, options, named):
            return _plain_norm(x)
        y = primal(x, *options, **named)
        norm = read(x, *options, **named)
        project = ProjectTo(x)

        def norm_pullback(y_bar: Any) -> Any:
            y_kept, y_bar = norm.kept(y), norm.kept(unthunk(y_bar))
            option_bars: list[Any] = [NoTangent() for _ in options]
            if options and norm.has_continuous_order():
                option_bars[0] = thunk(
                    lambda: ProjectTo(norm.order)(np.sum(y_bar * norm.by_order(x, y_kept)))
                )
            return NoTangent(), project(norm.pulled(x, y_kept, y_bar)), *option_bars

        return y, norm_pullback


_norm_rules(np.linalg.norm, _read_norm)
if hasattr(np.linalg, "vector_norm"):  # since NumPy 2
    _norm_rules(np.linalg.vector_norm, _read_vector_norm)
    _norm_rules(np.linalg.matrix_norm, _read_matrix_norm)
