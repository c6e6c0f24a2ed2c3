"""Rules of norms of vectors and matrices.

Their gradients, with the sources, are in `chainrules.formulas.norms.vector_norms` and
`chainrules.formulas.norms.matrix_norms`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.norms.matrix_norms import matrix_norm_pulled
from chainrules.formulas.norms.vector_norms import along, vector_norm_by_order, vector_norm_pulled
from chainrules.values.lazy_arrays import refuse_lazy
from chainrules.values.operands import Operand
from chainrules.values.reductions import are_undefined, reduced_axes, shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    define,
    is_lazy,
    primal_of,
    primitive,
    rule_maker,
    shortened_by,
    strong_product,
    thunk,
    typeof_,
)

_BY_SINGULAR_VALUES = ("nuc", 2, -2)


class Norm(NamedTuple):
    """The norm that was asked for.

    Attributes
    ----------
    order, axes, keepdims
        As in NumPy, with numbers from zero for the axes.
    is_of_matrices
        Whether the two axes are the rows and columns of matrices, and not the axes of vectors.
    lost
        The axes that have to be put back before the norm broadcasts against the array.
    """

    order: Any
    axes: tuple[int, ...]
    keepdims: bool
    is_of_matrices: bool
    lost: tuple[int, ...]

    def kept(self, y: Any) -> Any:
        """A norm, or its cotangent, with the axes that it was taken over."""
        if not self.lost or isinstance(y, AbstractZero):
            return y
        ndim = len(shape_of(y)) + len(self.lost)
        return y[tuple([np.newaxis if axis in self.lost else slice(None) for axis in range(ndim)])]

    def pulled(self, x: Any, y: Any, y_bar: Any) -> Any:
        """The cotangent of `x` for the cotangent of its norm `y`, both with their axes."""
        if self.is_of_matrices and is_lazy(x) and self.order in _BY_SINGULAR_VALUES:
            refuse_lazy(
                f"The norm of matrices of order {self.order!r}",
                "Take the norm of the singular values, by `np.linalg.svd(A, full_matrices=False)`.",
            )
        pull: Any = matrix_norm_pulled if self.is_of_matrices else vector_norm_pulled
        if are_undefined(y):  # zeros are strong: an undefined norm that nothing depends on has none
            return strong_product(pull(x, y, 1.0, self.order, self.axes), y_bar)
        return pull(x, y, y_bar, self.order, self.axes)

    def has_continuous_order(self) -> bool:
        """Whether the order is a number that can be moved: matrices have only a few norms."""
        return isinstance(primal_of(self.order), float) and not self.is_of_matrices

    def by_order(self, x: Any, y: Any) -> Any:
        """The derivative of the norm `y`, with its axes, by its order."""
        return vector_norm_by_order(x, y, self.order, self.axes)


def norm_over(order: Any, axes: tuple[int, ...], ndim: int, keepdims: bool, is_of_matrices: bool) -> Norm:
    """The norm over some axes, which are lost unless they are kept or there are no others."""
    return Norm(order, axes, keepdims, is_of_matrices, () if keepdims or len(axes) == ndim else axes)


def read_norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Norm:  # noqa: A002 - NumPy's name
    """The norm that `numpy.linalg.norm` is asked for."""
    ndim = len(shape_of(x))
    axes = reduced_axes(axis, ndim)
    if (axis is None and ord is None) or len(axes) == 1:
        return norm_over(2 if ord is None else ord, axes, ndim, keepdims, False)
    return norm_over("fro" if ord is None else ord, axes, ndim, keepdims, True)


@rule_maker
def norm_rules(primal: Callable[..., Any], read: Callable[..., Norm], shortcut: Any = None) -> None:
    """Define the rules of a norm.

    Parameters
    ----------
    primal
        The function, called with an array and options.
    read
        From the array and the options to the norm that is asked for.
    shortcut
        A quicker way for some calls of the reverse rule, see `shortened_by`.
    """
    # NumPy does not look for traced values in the place of the order.
    primal = primitive(primal)

    def norm_frule(tangents: Any, f: typeof_(primal), x: Operand, *options: Any, **named: Any) -> Any:
        _, x_dot, *option_dots = tangents
        y = primal(x, *options, **named)
        norm = read(x, *options, **named)
        y_kept = norm.kept(y)
        y_dot = x_dot
        if not isinstance(x_dot, AbstractZero):
            y_dot = along(norm.pulled(x, y_kept, 1), x_dot, norm.axes, norm.keepdims)
        if option_dots and norm.has_continuous_order() and not isinstance(option_dots[0], AbstractZero):
            y_dot = y_dot + np.reshape(norm.by_order(x, y_kept), shape_of(y)) * option_dots[0]
        # SciPy returns a float for some arrays of float32.
        is_of_one_kind = getattr(y, "dtype", None) == getattr(y_dot, "dtype", None)
        return y, y_dot if is_of_one_kind else ProjectTo(y)(y_dot)

    def norm_rrule(f: typeof_(primal), x: Operand, *options: Any, **named: Any) -> Any:
        y = primal(x, *options, **named)
        norm = read(x, *options, **named)
        project = ProjectTo(x)

        def norm_pullback(y_bar: Any) -> Any:
            y_kept, y_bar = norm.kept(y), norm.kept(y_bar)
            option_bars: list[Any] = [NO_TANGENT for _ in options]
            if options and norm.has_continuous_order():
                option_bars[0] = thunk(
                    lambda: ProjectTo(norm.order)(np.sum(y_bar * norm.by_order(x, y_kept)))
                )
            return NO_TANGENT, project(norm.pulled(x, y_kept, y_bar)), *option_bars

        return y, norm_pullback

    define(norm_frule, shortened_by(shortcut)(norm_rrule) if shortcut else norm_rrule)
