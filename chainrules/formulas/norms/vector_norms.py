"""The gradients of vector norms, and of matrix norms that are made of vector norms of columns or rows.

For ``y = (Σ |x|ᵖ)^(1/p)`` the gradient is ``sign(x) (|x| / y)^(p - 1)``, with ``sign(x) = x / |x|`` of
complex numbers; for the largest or smallest modulus it is ``sign(x)`` there, divided among equal ones. At
zero, in ``x`` or in ``y``, norms have a kink, and zero is taken. With ``r = |x| / y`` the derivative by the
order is ``(y / p) Σ rᵖ log r``.
"""

from typing import Any

import numpy as np

from chainrules.values.stacks import conjugate
from chainrules_core import may_hold, primal_of


def vector_norm_pulled(x: Any, y: Any, y_bar: Any, order: Any, axes: tuple[int, ...]) -> Any:
    """The cotangent of `x` for the cotangent of a vector norm.

    Parameters
    ----------
    x
        An array.
    y
        Its norm over `axes`, which are kept.
    y_bar
        The cotangent of `y`; 1 for the gradient.
    order
        As in `numpy.linalg.vector_norm`.
    axes
        Numbers of axes.
    """
    if primal_of(order) is order and order == 2:
        return x * ratio(y_bar, y)
    if primal_of(order) is order and order == 1:
        return complex_sign(x) * y_bar
    if order == 0:
        return np.zeros_like(primal_of(x))
    if np.isinf(primal_of(order)):
        return complex_sign(x) * (share_of_extreme(np.abs(primal_of(x)), order, axes) * y_bar)
    is_zero, relative = _relative(x, y)
    return np.where(is_zero, 0, complex_sign(x) * relative ** (order - 1) * y_bar)


def vector_norm_by_order(x: Any, y: Any, order: Any, axes: tuple[int, ...]) -> Any:
    """The derivative of the vector norm `y` by its order; the arguments are as in `vector_norm_pulled`."""
    if order == 0 or np.isinf(primal_of(order)):
        return np.zeros_like(primal_of(y))
    _, relative = _relative(x, y)
    return y / order * np.sum(relative**order * np.log(relative), axis=axes, keepdims=True)


def _relative(x: Any, y: Any) -> tuple[Any, Any]:
    """Where ``|x| / y`` is zero, or 0 / 0; and the ratio, with 1 in these places."""
    is_zero = (primal_of(x) == 0) | (primal_of(y) == 0)
    return is_zero, np.where(is_zero, 1, np.abs(x) / np.where(primal_of(y) == 0, 1, y))


def along(gradient: Any, x_dot: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """The derivative in the direction `x_dot`."""
    return np.sum(np.real(conjugate(gradient) * x_dot), axis=axes, keepdims=keepdims)


def share_of_extreme(sizes: Any, order: Any, axes: Any) -> Any:
    """One where `sizes` are the largest, or the smallest for a negative order; equal ones share it."""
    if 0 in sizes.shape:
        return np.zeros_like(sizes)
    extreme = np.max if order > 0 else np.min
    is_extreme = sizes == extreme(sizes, axis=axes, keepdims=True)
    return (is_extreme / np.sum(is_extreme, axis=axes, keepdims=True)).astype(sizes.dtype)


def complex_sign(x: Any) -> Any:
    """``x / |x|``, and zero for zero."""
    if primal_of(x).dtype.kind != "c":
        return np.sign(primal_of(x))  # constant between jumps
    is_zero = primal_of(x) == 0
    return np.where(is_zero, 0, x / np.where(is_zero, 1, np.abs(x)))


def ratio(x: Any, y: Any) -> Any:
    """``x / y``, and zero where `y` is zero."""
    is_zero = primal_of(y) == 0
    return np.where(is_zero, 0, x / np.where(is_zero, 1, y)) if may_hold(is_zero) else x / y
