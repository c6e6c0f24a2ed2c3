"""Fast paths for real numbers and for plain arrays of one dtype, which are nearly all that rules meet.

A partial derivative times a tangent takes care: zeros are strong, broadcasting is undone, precision is kept,
complex numbers are conjugated, carriers are traced. Plain arrays of floats that are alike, and Python's
floats, need none of it unless their product has a NaN. Each function here answers for such values, and
declines the others with `None`, or all of them where shortcuts are turned off.

`benchmarks/shortcuts.py` measures what they save.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from chainrules_core.backends import primal_of
from chainrules_core.definition.broadcasting import sum_over_repeats
from chainrules_core.definition.shortcuts import ARE_ENABLED
from chainrules_core.error_state import restore_warnings, silence_warnings
from chainrules_core.tangents.abstract_zero import AbstractZero

Function = TypeVar("Function", bound=Callable[..., Any])

# Real numbers whose products and tangents need no care: Python's and NumPy's double precision.
REAL_CLASSES = frozenset({float, np.float64})

# Numbers that leave the precision of an array in double precision as it is.
_REAL_FACTORS = frozenset({float, int, np.float64})

# The zeros of so few elements are counted sooner than a NaN is found.
_COUNTED = 200

# From so many elements on, a look at the strides is no loss.
_REPEATED = 4000

# So few products take no longer than it takes to make thunks of them, and to compute one of these.
FEW = 1000

# The number of elements of an array that are not zero.
count_nonzero: Callable[[Any], int]
try:
    # Without NumPy's function around it, which takes four times as long for ten elements.
    from numpy._core.multiarray import count_nonzero
except ImportError:  # another version of NumPy
    count_nonzero = np.count_nonzero

_ndarray = np.ndarray
_FLOAT64 = np.dtype(np.float64)


def _declining(*declined: Any) -> Callable[[Function], Function]:
    """Let a function decline all calls where shortcuts are turned off."""
    answer = declined or None

    def decorate(function: Any) -> Any:
        return function if ARE_ENABLED else lambda *args: answer

    return decorate


# --- Whether an array has a NaN, or is a cotangent as it is -------------------------------------------------


def is_cotangent_of(x: Any, x_bar: Any) -> bool:
    """Whether `x_bar` is a cotangent of `x` as it is.

    That is so for arrays of floats or complex numbers with the same class, dtype and shape, and for real
    numbers in double precision. The answer for all others is `False`: ask `ProjectTo`.
    """
    if x.__class__ is x_bar.__class__ is _ndarray:
        return x.dtype is x_bar.dtype and x.shape == x_bar.shape and x.dtype.kind in "fc"
    # NumPy's float64 is a subclass of Python's float: either is a cotangent of a Python float.
    return x_bar.__class__ in REAL_CLASSES and (x.__class__ is float or x.__class__ is x_bar.__class__)


def has_nan(x: Any) -> bool | None:
    """Whether a real number is NaN, or any element of an array of them."""
    if x.__class__ is _ndarray and x.dtype.kind == "f":
        return array_has_nan(x)
    return math.isnan(x) if x.__class__ in REAL_CLASSES else None


def array_has_nan(x: Any) -> bool:
    """Whether an element of a real array is NaN."""
    # The greatest element is a NaN if any is; its place is found in one pass, without a temporary array. (The
    # product of the array with itself takes as long, and very long where BLAS waits for threads.)
    flat = x if x.ndim == 1 else x.ravel("K")
    try:
        return math.isnan(flat[flat.argmax()])
    except ValueError:  # there is none
        return False


def has_no_zero(x: Any) -> bool:
    """Whether a tangent has no zero, so that its products need no care; mostly `False` of many elements.

    It is `True` of many only if they are one element that is repeated, as in the cotangent of a sum. A
    recorded value, which is an array by its ``__class__`` only, is not asked: its product is.
    """
    if type(x) is not _ndarray:
        return False
    size = x.size
    if size <= _COUNTED:
        return count_nonzero(x) == size
    return size > _REPEATED and not any(x.strides) and x.item(0) != 0


def fitting_cotangent(x: Any, x_bar: Any) -> Any:
    """A cotangent that is in the tangent space of `x` already, or is once it has been summed."""
    if x_bar.__class__ is _ndarray:
        if x.__class__ is _ndarray:
            if x.dtype is not x_bar.dtype or x.dtype.kind not in "fc":
                return None
            if x_bar.shape == x.shape:
                return x_bar
            x_bar = sum_over_repeats(x_bar, x.shape, np.add.reduce)
            return x_bar if x_bar.__class__ is _ndarray and x_bar.shape == x.shape else None
        if x.__class__ in REAL_CLASSES and x_bar.dtype is _FLOAT64:
            return np.add.reduce(x_bar, axis=None)
    return _same_number(x, x_bar)


def same_cotangent(x: Any, x_bar: Any) -> Any:
    """A cotangent, if it is in the tangent space of `x`; a carrier has the tangent space of its value."""
    if x.__class__ is x_bar.__class__ is _ndarray:
        is_same = x.dtype is x_bar.dtype and x.shape == x_bar.shape and x.dtype.kind in "fc"
        return x_bar if is_same else None
    return _same_number(x, x_bar)


def _same_number(x: Any, x_bar: Any) -> Any:
    """A cotangent that is in the tangent space of `x` already; a float for one of NumPy's becomes NumPy's."""
    if x.__class__ is np.float64 and x_bar.__class__ is float:
        return np.float64(x_bar)
    return x_bar if is_cotangent_of(primal_of(x), primal_of(x_bar)) else None


def negative_of_few(x: Any, x_bar: Any) -> Any:
    """The negative of a cotangent that is in the tangent space of `x` already, if it has few elements."""
    bar = x_bar if x_bar.__class__ is _ndarray else primal_of(x_bar)
    # (The negative of an array without axes is no array.)
    if bar.__class__ is not _ndarray or not bar.ndim or bar.size > FEW:
        return None
    return -x_bar if is_cotangent_of(x if x.__class__ is _ndarray else primal_of(x), bar) else None


# --- Products of one partial derivative and a tangent -------------------------------------------------------


@_declining()
def product_of_arrays(
    differentiate: Callable[..., Any], values: tuple[Any, ...], x: Any, tangent: Any
) -> Any:
    """The partial derivative by `x` times a tangent, for real arrays of one shape; `None` if it needs care.

    Parameters
    ----------
    differentiate
        The partial derivative, a function of `values`: the result and the arguments of a function.
    values, x
        The arguments of `differentiate`, and the one of them that is `x`.
    tangent
        Forwards the tangent of `x`; in reverse mode the cotangent of the result.
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
    # As `_is_finished`, whose call would take a twentieth of the time for 10 elements.
    if product.__class__ is not _ndarray or product.dtype is not dtype or product.shape != x.shape:
        return None
    return product if has_no_zero(tangent) or not array_has_nan(product) else None


def product_of_operands(
    partial: Callable[..., Any], values: tuple[Any, Any, Any], operand: Any, z_bar: Any
) -> Any:
    """The cotangent of one operand of ``z = f(x, y)``, where all three have one precision."""
    z, x, y = values
    if z.__class__ is not _ndarray or not _are_like(x, y, z):
        return None
    if operand.__class__ is _ndarray:
        fits = z.shape == operand.shape
        return product_of_arrays(partial, values, operand, z_bar) if fits else None
    if operand.__class__ not in REAL_CLASSES:
        return None
    error_state = silence_warnings()
    try:
        return product_for_number(operand, partial(z, x, y), z_bar)
    except ArithmeticError:  # of Python's numbers
        return None
    finally:
        restore_warnings(error_state)


def _are_like(x: Any, y: Any, z: Any) -> bool:
    """Whether both are arrays in the precision of the array `z`, or numbers that leave it as it is."""
    return (x.dtype is z.dtype if x.__class__ is _ndarray else x.__class__ in _REAL_FACTORS) and (
        y.dtype is z.dtype if y.__class__ is _ndarray else y.__class__ in _REAL_FACTORS
    )


def _is_finished(product: Any, x: Any) -> bool:
    """Whether a product is an array like `x`, without a NaN."""
    return (
        product.__class__ is _ndarray
        and product.dtype is x.dtype
        and product.shape == x.shape
        and not array_has_nan(product)
    )


def product_for_number(x: Any, partial: Any, y_bar: Any) -> Any:
    """The cotangent of a number that was broadcast: a sum of products, without an array of them."""
    if not (x.__class__ in REAL_CLASSES and partial.__class__ is y_bar.__class__ is _ndarray):
        return None
    if partial.shape != y_bar.shape or not (partial.dtype.kind == y_bar.dtype.kind == "f"):
        return None
    x_bar = np.vdot(partial, y_bar)
    return None if math.isnan(x_bar) else fitting_cotangent(x, x_bar)


# --- Products of several partial derivatives and a cotangent ------------------------------------------------


def have_nan(*products: Any) -> bool:
    """Whether one of several real arrays of one shape has a NaN."""
    if len(products) == 2 and products[0].ndim == 1 and len(products[0]) <= FEW:
        # The product of both is a NaN if one of them has any (or by accident, and more care does no harm).
        return math.isnan(products[0].dot(products[1]))
    return any(map(array_has_nan, products))


@_declining(None, None)
def products_of_few(
    by_x: Callable[..., Any],
    by_y: Callable[..., Any],
    values: tuple[Any, Any, Any],
    z_bar: Any,
    both: bool = True,
) -> tuple[Any, Any]:
    """The cotangents of both operands of ``z = f(x, y)`` that cost less than a thunk; `None` for the others.

    Parameters
    ----------
    by_x, by_y
        The partial derivatives, functions of `values`: of ``(z, x, y)``.
    z_bar
        The cotangent of the result.
    both
        Whether both are to be computed for two arrays, or none. (Of ``f(x, x)`` the first one is.)
    """
    z, x, y = values
    if z_bar.__class__ is _ndarray:
        if z_bar.size > FEW or z.__class__ is not _ndarray or z.dtype is not z_bar.dtype:
            return None, None
        if x is y:
            return product_of_arrays(by_x, values, x, z_bar), None
        if x.__class__ is y.__class__:
            are_alike = both and x.__class__ is _ndarray and x.dtype is y.dtype is z.dtype
            return _products_of_two(by_x, by_y, values, z_bar) if are_alike else (None, None)
        if y.__class__ in _REAL_FACTORS:
            return product_of_arrays(by_x, values, x, z_bar), None
        return None, product_of_arrays(by_y, values, y, z_bar) if x.__class__ in _REAL_FACTORS else None
    if z_bar.__class__ in REAL_CLASSES and x.__class__ in REAL_CLASSES and z_bar and x:
        # Between numbers the first product costs less than a thunk.
        try:
            x_bar = by_x(z, x, y) * z_bar
        except ArithmeticError:
            return None, None
        return x_bar if x_bar.__class__ in REAL_CLASSES else None, None
    return None, None


def _products_of_two(
    by_x: Callable[..., Any], by_y: Callable[..., Any], values: tuple[Any, Any, Any], z_bar: Any
) -> tuple[Any, Any]:
    """The same for two arrays of one dtype, which take one state of errors and one search for NaN."""
    z, x, y = values
    dtype = x.dtype
    if not (x.shape == y.shape and (dtype is _FLOAT64 or dtype.kind == "f")):
        return None, None
    error_state = silence_warnings()
    try:
        # (A call with unpacked values would take longer.)
        x_bar, y_bar = by_x(z, x, y) * z_bar, by_y(z, x, y) * z_bar
        are_alike = (
            x_bar.__class__ is y_bar.__class__ is _ndarray
            and x_bar.dtype is y_bar.dtype is dtype
            and x_bar.shape == y_bar.shape == x.shape
        )
        if are_alike and (has_no_zero(z_bar) or not have_nan(x_bar, y_bar)):
            return x_bar, y_bar
    except ArithmeticError:  # of Python's numbers
        pass
    finally:
        restore_warnings(error_state)
    return None, None


# --- The same forwards --------------------------------------------------------------------------------------


def sum_of_arrays(primal: Callable[..., Any], z: Any, x_dot: Any, y_dot: Any) -> Any:
    """The tangent of a sum or a difference `primal` of two arrays."""
    if not (x_dot.__class__ is y_dot.__class__ is _ndarray):
        return None
    z_dot = primal(x_dot, y_dot)
    return z_dot if z_dot.__class__ is z.__class__ and z_dot.shape == z.shape else None


def sum_of_products(
    by_x: Callable[..., Any],
    by_y: Callable[..., Any],
    values: tuple[Any, Any, Any],
    tangents: tuple[Any, Any, Any],
) -> Any:
    """``∂z/∂x x_dot + ∂z/∂y y_dot`` for real arrays of one precision.

    Parameters
    ----------
    by_x, by_y
        The partial derivatives, functions of `values`: of ``(z, x, y)``.
    tangents
        The tangents of the function and of both operands.
    """
    z, x, y = values
    if z.__class__ is not _ndarray or not _are_like(x, y, z):
        return None
    _, x_dot, y_dot = tangents
    if not (x_dot.__class__ is y_dot.__class__ is _ndarray):
        # Mostly one operand moves: then this is its product, in the shape of the result.
        if isinstance(y_dot, AbstractZero):
            return product_of_arrays(by_x, values, z, x_dot)
        if isinstance(x_dot, AbstractZero):
            return product_of_arrays(by_y, values, z, y_dot)
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
    return z_dot if _is_finished(z_dot, z) else None
