"""The two products of a scalar rule: a partial derivative times a tangent, in either direction.

A tangent that is zero is a strong zero: it contributes zero even where the partial derivative is infinite
or not defined, as for ``sqrt`` at 0. Broadcasting of the primal is undone in reverse and repeated forwards.
"""

import math
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np

from chainrules_core.backends import primal_of
from chainrules_core.error_state import restore_warnings, silence_warnings
from chainrules_core.tangent_spaces.projection import ProjectTo
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import AbstractZero

# Real numbers whose products and tangents need no care: Python's and NumPy's double precision.
REAL_CLASSES = frozenset({float, np.float64})

_ndarray = np.ndarray
_FLOAT64 = np.dtype(np.float64)


def evaluate_partials(differentiate: Callable[..., Any], *values: Any) -> Any:
    """The partial derivatives at some values: infinite or NaN where Python's numbers raise an error."""
    try:
        return differentiate(*values)
    except ArithmeticError:
        return differentiate(*map(_as_numpy, values))


def _as_numpy(x: Any) -> Any:
    if isinstance(x, int | float):
        return np.float64(x)
    return np.complex128(x) if isinstance(x, complex) else x


_IN_MEMORY = (np.ndarray, np.generic, Number)


def product_of_arrays(
    differentiate: Callable[..., Any], values: tuple[Any, ...], x: Any, tangent: Any
) -> Any:
    """The partial derivative by `x` times a tangent, for real arrays of one shape; `None` if it needs care.

    Parameters
    ----------
    differentiate
        The partial derivative, a function of `values`: the result and the arguments of a function.
    values, x
        These, and which of the arguments is meant.
    tangent
        Of the result in reverse mode, and of `x` forwards.
    """
    if not (x.__class__ is tangent.__class__ is _ndarray):
        return None
    dtype = x.dtype
    if not (dtype is tangent.dtype and (dtype is _FLOAT64 or dtype.kind == "f")):
        return None
    error_state = silence_warnings()
    try:
        # One expression, so that NumPy multiplies in place: the memory of arrays costs more than the product.
        product = differentiate(*values) * tangent
    except ArithmeticError:  # of Python's numbers
        return None
    finally:
        restore_warnings(error_state)
    is_finished = product.__class__ is _ndarray and product.dtype is dtype and product.shape == x.shape
    return product if is_finished and not _has_nan(product) else None


def products_of_arrays(
    by_x: Callable[..., Any], by_y: Callable[..., Any], values: tuple[Any, Any, Any], z_bar: Any
) -> tuple[Any, Any]:
    """`product_of_arrays` by both operands of ``z = f(x, y)``, where `values` are ``(z, x, y)``.

    Of operands in one shape the products take one state of errors and one search for NaN.
    """
    _, x, y = values
    if x.shape == y.shape and x.dtype is y.dtype is z_bar.dtype and x.dtype.kind == "f":
        error_state = silence_warnings()
        try:
            x_bar, y_bar = by_x(*values) * z_bar, by_y(*values) * z_bar
            if _are_like(x, x_bar, y_bar) and not _have_nan(x_bar, y_bar):
                return x_bar, y_bar
        except ArithmeticError:  # of Python's numbers
            return None, None
        finally:
            restore_warnings(error_state)
    return product_of_arrays(by_x, values, x, z_bar), product_of_arrays(by_y, values, y, z_bar)


def sum_of_products(
    by_x: Callable[..., Any], by_y: Callable[..., Any], values: tuple[Any, Any, Any], x_dot: Any, y_dot: Any
) -> Any:
    """``∂z/∂x x_dot + ∂z/∂y y_dot`` for real arrays of one dtype; `None` if it needs care.

    Parameters
    ----------
    by_x, by_y
        The partial derivatives, functions of `values`: of ``(z, x, y)``.
    x_dot, y_dot
        The tangents of both operands.
    """
    z = values[0]
    if not (z.__class__ is x_dot.__class__ is y_dot.__class__ is _ndarray):
        return None
    if not (z.dtype is x_dot.dtype is y_dot.dtype and z.dtype.kind == "f"):
        return None
    error_state = silence_warnings()
    try:
        z_dot = by_x(*values) * x_dot + by_y(*values) * y_dot
    except ArithmeticError:  # of Python's numbers
        return None
    finally:
        restore_warnings(error_state)
    # A sum is a NaN if one of its terms is.
    is_finished = z_dot.__class__ is _ndarray and z_dot.dtype is z.dtype and z_dot.shape == z.shape
    return z_dot if is_finished and not _has_nan(z_dot) else None


def _are_like(x: Any, x_bar: Any, y_bar: Any) -> bool:
    """Whether two products are arrays like the operands."""
    return (
        x_bar.__class__ is y_bar.__class__ is _ndarray
        and x_bar.dtype is y_bar.dtype is x.dtype
        and x_bar.shape == y_bar.shape == x.shape
    )


def _have_nan(x: Any, y: Any) -> bool:
    # The product of two vectors is a NaN if one of them has any (or by accident, and more care does no harm).
    return math.isnan(x.dot(y) if x.ndim == 1 else np.vdot(x, y))


def pull_partial(x: Any, partial: Any, y_bar: Any) -> Any:
    """What the cotangent of the result contributes to the cotangent of the argument `x`."""
    if x.__class__ in REAL_CLASSES and _are_real_and_alike(partial, y_bar):
        # Of one number that was broadcast: a sum of products, without an array of them.
        x_bar = np.vdot(partial, y_bar)
        if not math.isnan(x_bar):
            return unbroadcast(x, x_bar)
    return unbroadcast(x, strong_product(_conj(partial), y_bar))


def _are_real_and_alike(x: Any, y: Any) -> bool:
    return (
        x.__class__ is y.__class__ is np.ndarray
        and x.shape == y.shape
        and x.dtype.kind == y.dtype.kind == "f"
    )


def _conj(partial: Any) -> Any:
    value = primal_of(partial)
    if value.__class__ is _ndarray:
        return np.conj(partial) if value.dtype.kind == "c" else partial
    if value.__class__ in REAL_CLASSES or isinstance(partial, AbstractTangent):
        return partial
    if hasattr(partial, "dtype"):
        return np.conj(partial) if partial.dtype.kind == "c" else partial
    return partial.conjugate()


def strong_product(partial: Any, tangent: Any) -> Any:
    """The product of a partial derivative and a tangent, zero where the tangent is."""
    product = partial * tangent
    value = primal_of(product)
    if value.__class__ is _ndarray or value.__class__ in REAL_CLASSES:
        if not contains_nan(value):
            return product
    elif isinstance(product, AbstractTangent) or (isinstance(value, _IN_MEMORY) and not contains_nan(value)):
        return product
    # Only now is it worth looking for zeros; for arrays that are not in memory, such as Dask's, looking for
    # NaNs would compute them. A factor is masked, not the product: differentiating a product that holds a NaN
    # gives a NaN, even where it was not chosen.
    return np.where(primal_of(tangent) == 0, 0, partial) * tangent


def contains_nan(x: Any) -> bool:
    """Whether a number is NaN, or any element of an array."""
    if x.__class__ is _ndarray and x.dtype.kind == "f":
        return _has_nan(x)
    if x.__class__ in REAL_CLASSES:
        return math.isnan(x)
    x = primal_of(x)
    if x.__class__ is _ndarray and x.dtype.kind == "O":
        return bool(np.any(x != x))  # noqa: PLR0124 - only NaN differs from itself; `isnan` takes no objects
    return bool(np.any(np.isnan(x)))


def _has_nan(x: Any) -> bool:
    # The greatest element is a NaN if any is; its place is found in one pass, without a temporary array.
    flat = x if x.ndim == 1 else x.ravel("K")
    try:
        return math.isnan(flat[flat.argmax()])
    except ValueError:  # there is none
        return False


def unbroadcast(x: Any, x_bar: Any) -> Any:
    """Bring a cotangent that may have been broadcast into the tangent space of `x`."""
    if x_bar.__class__ is np.ndarray and x.__class__ is np.ndarray:
        if x_bar.shape != x.shape:
            x_bar = _unbroadcast(x_bar, x.shape)
        if x_bar.__class__ is np.ndarray and x_bar.dtype is x.dtype and x_bar.shape == x.shape:
            # Which may still be an array of integers.
            return x_bar if x.dtype.kind in "fc" else ProjectTo(x)(x_bar)
    elif x_bar.__class__ in REAL_CLASSES and x.__class__ in REAL_CLASSES:
        return x_bar
    elif not isinstance(x_bar, AbstractTangent):
        if is_cotangent_of(primal_of(x), primal_of(x_bar)):
            return x_bar
        x_bar = _unbroadcast(x_bar, np.shape(primal_of(x)))
    return ProjectTo(x)(x_bar)


def is_cotangent_of(x: Any, x_bar: Any) -> bool:
    """Whether `x_bar` is in the tangent space of `x` as it is: of an array one alike, of a number one."""
    if x.__class__ is x_bar.__class__ is _ndarray:
        return x.dtype is x_bar.dtype and x.shape == x_bar.shape and x.dtype.kind in "fc"
    return x.__class__ in REAL_CLASSES and x_bar.__class__ in REAL_CLASSES


def _unbroadcast(x_bar: Any, shape: tuple[int, ...]) -> Any:
    """Sum over the axes along which an argument of this shape was repeated."""
    longer = np.shape(primal_of(x_bar))
    if longer == shape:
        return x_bar
    # Of plain arrays without the detour by `np.sum`, which takes longer than short sums.
    add = np.add.reduce if x_bar.__class__ is np.ndarray else np.sum
    repeated = len(longer) - len(shape)
    if repeated > 0:
        x_bar = add(x_bar, axis=tuple(range(repeated)))
    lengths = zip(shape, longer[max(repeated, 0) :], strict=False)
    stretched = tuple([axis for axis, (n, m) in enumerate(lengths) if n == 1 != m])
    return add(x_bar, axis=stretched, keepdims=True) if stretched else x_bar


def sum_tangents(y: Any, terms: list[Any]) -> Any:
    """The tangent of the result `y`: the sum of the contributions of all arguments, in the shape of `y`."""
    y_dot = terms[0]
    for term in terms[1:]:
        if not isinstance(term, AbstractZero):
            y_dot = term if isinstance(y_dot, AbstractZero) else y_dot + term
    if y_dot.__class__ is y.__class__ is np.ndarray and y_dot.shape == y.shape:
        return y_dot
    if isinstance(y_dot, AbstractTangent):
        return y_dot
    shape = np.shape(primal_of(y))
    return y_dot if np.shape(primal_of(y_dot)) == shape else np.broadcast_to(y_dot, shape)
