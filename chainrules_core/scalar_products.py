"""The two products of a scalar rule: a partial derivative times a tangent, in either direction.

A tangent that is zero is a strong zero: it contributes zero even where the partial derivative is infinite or not
defined, as for ``sqrt`` at 0. Broadcasting of the primal is undone in reverse and repeated forwards.
"""

from typing import Any

import numpy as np

from chainrules_core.carriers import primal_of
from chainrules_core.projection import ProjectTo
from chainrules_core.tangent_types.abstract_tangent import AbstractTangent
from chainrules_core.tangent_types.abstract_zero import ZeroTangent

# Real numbers whose products and tangents need no care: Python's and NumPy's double precision.
REALS = frozenset({float, np.float64})


def pulled(x: Any, partial: Any, y_bar: Any) -> Any:
    """What the cotangent of the result contributes to the cotangent of the argument `x`."""
    return fitted(x, strong_product(_conj(partial), y_bar))


def _conj(partial: Any) -> Any:
    if partial.__class__ in REALS or isinstance(partial, AbstractTangent):
        return partial
    kind = getattr(getattr(partial, "dtype", None), "kind", "")
    return np.conj(partial) if kind == "c" or isinstance(partial, complex) else partial


def strong_product(partial: Any, tangent: Any) -> Any:
    """The product of a partial derivative and a tangent, zero where the tangent is."""
    product = partial * tangent
    if isinstance(product, AbstractTangent) or not _contains_nan(primal_of(product)):
        return product
    # Only now is it worth looking for zeros. The factors are masked, not the product: differentiating a product
    # that holds a NaN gives a NaN, even where it was not chosen.
    is_zero = primal_of(tangent) == 0
    return np.where(is_zero, 0, partial) * tangent


def _contains_nan(x: Any) -> bool:
    if x.__class__ in REALS:
        return bool(x != x)  # noqa: PLR0124 - only a NaN differs from itself
    if x.__class__ is np.ndarray and x.dtype.kind == "f":
        # The sum of squares is a NaN only if an entry is; it takes no temporary array, and one pass.
        flat = x.ravel(order="K")
        return bool(np.isnan(np.dot(flat, flat)))
    return bool(np.any(np.isnan(x)))


def fitted(x: Any, x_bar: Any) -> Any:
    """Bring a cotangent that may have been broadcast into the tangent space of `x`."""
    if x_bar.__class__ in REALS and x.__class__ in REALS:
        return x_bar
    if (
        x_bar.__class__ is np.ndarray
        and x.__class__ is np.ndarray
        and x_bar.shape == x.shape
        and x_bar.dtype is x.dtype
        and x.dtype.kind in "fc"
    ):
        return x_bar
    if not isinstance(x_bar, AbstractTangent):
        x_bar = _unbroadcast(x_bar, np.shape(primal_of(x)))
    return ProjectTo(x)(x_bar)


def _unbroadcast(x_bar: Any, shape: tuple[int, ...]) -> Any:
    """Sum over the axes along which an argument of this shape was repeated."""
    if np.shape(primal_of(x_bar)) == shape:
        return x_bar
    repeated = np.ndim(primal_of(x_bar)) - len(shape)
    if repeated > 0:
        x_bar = np.sum(x_bar, axis=tuple(range(repeated)))
    stretched = tuple(
        axis for axis, (n, m) in enumerate(zip(shape, np.shape(primal_of(x_bar)), strict=False)) if n == 1 != m
    )
    return np.sum(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def total(y: Any, terms: list[Any]) -> Any:
    """The tangent of the result `y`: the sum of the contributions of all arguments, in the shape of `y`."""
    y_dot: Any = ZeroTangent()
    for term in terms:
        y_dot = y_dot + term
    if isinstance(y_dot, AbstractTangent):
        return y_dot
    shape = np.shape(primal_of(y))
    return y_dot if np.shape(primal_of(y_dot)) == shape else np.broadcast_to(y_dot, shape)
