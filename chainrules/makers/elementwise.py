"""What the rules of elementwise functions share.

Of functions of two operands that broadcast, a cotangent that nobody asks for costs nothing. In ``x * 2.0``
the cotangent of the number is a sum over the whole array. Who differentiates by ``x`` alone does not want it,
but a rule does not know that; so it answers with thunks.
"""

from collections.abc import Callable
from math import copysign, inf
from typing import Any

import numpy as np

from chainrules.operations.casting import astype
from chainrules.values.operands import ArrayOperand, Operand
from chainrules_core import (
    NO_TANGENT,
    REAL_CLASSES,
    AbstractZero,
    Thunk,
    define,
    evaluate_partials,
    primal_of,
    product_of_arrays,
    products_of_arrays,
    pull_partial,
    restore_warnings,
    rule_maker,
    scalar_rule,
    silence_warnings,
    strong_product,
    sum_of_products,
    sum_tangents,
    typeof_,
    unbroadcast,
    unthunk,
)

# So few products take no longer than it takes to make thunks of them, and to compute one of these.
_FEW = 1000

# A partial derivative of z = f(x, y), as a function of z, x and y.
Partial = Callable[[Any, Any, Any], Any]

# From the cotangent of a result to those of the function and its arguments.
Pullback = Callable[[Any], Any]

# Python's numbers, which take on the precision of what they meet.
_NUMBERS = frozenset({float, int, complex})
_REAL_NUMBERS = frozenset({float, int, np.float64})


@rule_maker
def binary_rule(primal: Callable[..., Any], by_x: Partial, by_y: Partial, *, symmetric: bool = False) -> None:
    """Define the rules of a function of two numbers, of two arrays, or of one of each.

    Parameters
    ----------
    primal
        The function, ``z = primal(x, y)``.
    by_x, by_y
        Its partial derivatives.
    symmetric
        Whether the operands may be exchanged, so that those of ``f(x, x)`` are equal.
    """

    def partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
        return by_x(z, x, y), by_y(z, x, y)

    scalar_rule(primal, partials)

    def array_frule(tangents: Any, x: Any, y: Any) -> tuple[Any, Any]:
        z = primal(x, y)
        return z, pushed(by_x, by_y, (z, x, y), tangents)

    _define_for_arrays(primal, lazy_pullbacks(by_x, by_y, symmetric=symmetric))
    _define_forwards(primal, array_frule)


@rule_maker
def sum_rule(primal: Callable[..., Any], sign: int) -> None:
    """Define the rules of a sum or a difference, which pass a cotangent on as it is.

    Parameters
    ----------
    primal
        The function, ``primal(x, y)``, which is ``x + sign * y``.
    sign
        1 or -1.
    """

    def partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
        return 1, sign

    scalar_rule(primal, partials)

    def pullback_of(z: Any, x: Any, y: Any) -> Pullback:
        def sum_pullback(z_bar: Any) -> Any:
            if z_bar.__class__ is not np.ndarray:
                z_bar = unthunk(z_bar)
            y_bar = _passed_on(y, z_bar) if sign == 1 else _negated(y, z_bar)
            return NO_TANGENT, _passed_on(x, z_bar), y_bar

        return sum_pullback

    def array_frule(tangents: Any, x: Any, y: Any) -> tuple[Any, Any]:
        _, x_dot, y_dot = tangents
        z = primal(x, y)
        if x_dot.__class__ is y_dot.__class__ is np.ndarray:
            return z, primal(x_dot, y_dot)
        x_dot, y_dot = unthunk(x_dot), unthunk(y_dot)
        return z, sum_tangents(z, [x_dot, y_dot if sign == 1 else -y_dot])

    _define_for_arrays(primal, pullback_of)
    _define_forwards(primal, array_frule)


@rule_maker
def sign_rule(primal: Callable[..., Any], sign: int) -> None:
    """Define the rules of a function that gives its argument another sign, or the same.

    Parameters
    ----------
    primal
        The function, ``primal(x)``, which is ``sign * x``.
    sign
        1 or -1.
    """

    def partials(y: Any, x: Operand) -> Any:
        return sign

    scalar_rule(primal, partials)

    def array_rrule(f: typeof_(primal), x: ArrayOperand) -> Any:
        def sign_pullback(y_bar: Any) -> Any:
            if y_bar.__class__ is not np.ndarray:
                y_bar = unthunk(y_bar)
            return NO_TANGENT, unbroadcast(x, y_bar if sign == 1 else -y_bar)

        return primal(x), sign_pullback

    def array_frule(tangents: Any, f: typeof_(primal), x: ArrayOperand) -> Any:
        _, x_dot = tangents
        if x_dot.__class__ is not np.ndarray:
            x_dot = unthunk(x_dot)
        return primal(x), x_dot if sign == 1 else -x_dot

    define(named_for(primal, array_frule), named_for(primal, array_rrule))


def _passed_on(x: Any, z_bar: Any) -> Any:
    return z_bar if _is_alike(x, z_bar) else Thunk(unbroadcast, x, z_bar)


def _negated(y: Any, z_bar: Any) -> Any:
    is_small = _is_alike(y, z_bar) and primal_of(y).size <= _FEW
    return -z_bar if is_small else Thunk(_fitted_negative, y, z_bar)


def _fitted_negative(y: Any, z_bar: Any) -> Any:
    return unbroadcast(y, -z_bar)


def _is_alike(x: Any, z_bar: Any) -> bool:
    """Whether both are plain arrays of one type and shape, or carry such."""
    if not (x.__class__ is z_bar.__class__ is np.ndarray):
        x, z_bar = primal_of(x), primal_of(z_bar)
        if not (x.__class__ is z_bar.__class__ is np.ndarray):
            return False
    return x.dtype is z_bar.dtype and x.shape == z_bar.shape


def _define_for_arrays(primal: Callable[..., Any], pullback_of: Callable[[Any, Any, Any], Pullback]) -> None:
    """Register a reverse rule for two arrays, and for an array and a number."""

    def array_first_rrule(f: typeof_(primal), x: ArrayOperand, y: Operand) -> Any:
        z = primal(x, y)
        return z, pullback_of(z, x, y)

    def array_second_rrule(f: typeof_(primal), x: Operand, y: ArrayOperand) -> Any:
        z = primal(x, y)
        return z, pullback_of(z, x, y)

    # The precedence is there so that two arrays are no ambiguity.
    define(None, named_for(primal, array_first_rrule), precedence=1)
    define(None, named_for(primal, array_second_rrule))


def _define_forwards(
    primal: Callable[..., Any], array_frule: Callable[[Any, Any, Any], tuple[Any, Any]]
) -> None:
    """Register a forward rule for the same."""

    def array_first_frule(tangents: Any, f: typeof_(primal), x: ArrayOperand, y: Operand) -> tuple[Any, Any]:
        return array_frule(tangents, x, y)

    def array_second_frule(tangents: Any, f: typeof_(primal), x: Operand, y: ArrayOperand) -> tuple[Any, Any]:
        return array_frule(tangents, x, y)

    define(named_for(primal, array_first_frule), precedence=1)
    define(named_for(primal, array_second_frule))


def named_for(primal: Callable[..., Any], rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule made for `primal`, under the name that messages should give it."""
    rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{rule.__name__.rpartition('_')[2]}"
    return rule


def lazy_pullbacks(
    by_x: Partial, by_y: Partial, *, both: bool = True, symmetric: bool = False
) -> Callable[[Any, Any, Any], Pullback]:
    """What makes the pullback of ``z = f(x, y)``, which computes each cotangent when it is asked for.

    Parameters
    ----------
    by_x, by_y
        The partial derivatives of `f`.
    both
        Whether between two arrays of few elements both cotangents are computed at once. That of an array of
        few elements beside a number is in any case.
    symmetric
        Whether the two cotangents of ``f(x, x)`` are one.

    Returns
    -------
    function
        ``pullback_of(z, x, y)``.
    """

    def pullback_of(z: Any, x: Any, y: Any) -> Pullback:
        def binary_pullback(z_bar: Any) -> Any:
            x_bar = y_bar = None
            are_one = symmetric and x is y
            if z_bar.__class__ is np.ndarray:
                if z_bar.size <= _FEW and z.__class__ is np.ndarray and z.dtype is z_bar.dtype:
                    x_bar, y_bar = _products_of_few(by_x, by_y, (z, x, y), z_bar, both and not are_one)
            elif z_bar.__class__ not in REAL_CLASSES:
                z_bar = unthunk(z_bar)
            elif x.__class__ in REAL_CLASSES and z_bar and x:
                # Between numbers the first product costs less than a thunk, and these need no care.
                x_bar = evaluate_partials(by_x, z, x, y) * z_bar
            if x_bar is None:
                x_bar = Thunk(_pulled_by, by_x, (z, x, y), x, z_bar)
            if are_one:
                y_bar = x_bar
            elif y_bar is None:
                y_bar = Thunk(_pulled_by, by_y, (z, x, y), y, z_bar)
            return NO_TANGENT, x_bar, y_bar

        return binary_pullback

    return pullback_of


def _products_of_few(
    by_x: Partial, by_y: Partial, values: tuple[Any, Any, Any], z_bar: Any, both: bool
) -> tuple[Any, Any]:
    """The cotangents of operands that are arrays like the result; `None` for what needs more care."""
    _, x, y = values
    if x.__class__ is y.__class__:
        if not (both and x.__class__ is np.ndarray and x.dtype is y.dtype):
            return None, None
        return products_of_arrays(by_x, by_y, values, z_bar)
    if y.__class__ in _REAL_NUMBERS:
        return product_of_arrays(by_x, values, x, z_bar), None
    return None, product_of_arrays(by_y, values, y, z_bar) if x.__class__ in _REAL_NUMBERS else None


def _pulled_by(partial: Partial, values: tuple[Any, Any, Any], operand: Any, z_bar: Any) -> Any:
    z, x, y = values
    if not (z.__class__ is x.__class__ is y.__class__ is np.ndarray and z.dtype is x.dtype is y.dtype):
        values = (z, as_precise(x, z), as_precise(y, z))
    operand_bar = product_of_arrays(partial, values, operand, z_bar)
    if operand_bar is not None:
        return operand_bar
    error_state = silence_warnings()  # what is infinite or undefined meets strong zeros
    try:
        return pull_partial(operand, evaluate_partials(partial, *values), z_bar)
    finally:
        restore_warnings(error_state)


def pushed(by_x: Partial, by_y: Partial, values: tuple[Any, Any, Any], tangents: tuple[Any, Any, Any]) -> Any:
    """The tangent of the result ``z = f(x, y)``, where `values` are ``(z, x, y)``."""
    z = values[0]
    _, x_dot, y_dot = tangents
    x_dot = x_dot if x_dot.__class__ is np.ndarray else unthunk(x_dot)
    y_dot = y_dot if y_dot.__class__ is np.ndarray else unthunk(y_dot)
    z_dot = None
    if z.__class__ is np.ndarray:
        # Of one operand that moves, which is most often, the product in the shape of the result.
        if isinstance(y_dot, AbstractZero):
            z_dot = product_of_arrays(by_x, values, z, x_dot)
        elif isinstance(x_dot, AbstractZero):
            z_dot = product_of_arrays(by_y, values, z, y_dot)
        else:
            z_dot = sum_of_products(by_x, by_y, values, x_dot, y_dot)
    return _sum_of_pushed(by_x, by_y, values, x_dot, y_dot) if z_dot is None else z_dot


def _sum_of_pushed(by_x: Partial, by_y: Partial, values: tuple[Any, Any, Any], x_dot: Any, y_dot: Any) -> Any:
    error_state = silence_warnings()
    try:
        terms = [
            strong_product(evaluate_partials(partial, *values), dot)
            for partial, dot in ((by_x, x_dot), (by_y, y_dot))
            if not isinstance(dot, AbstractZero)
        ]
    finally:
        restore_warnings(error_state)
    return sum_tangents(values[0], terms or [x_dot])


def inverse(x: Any) -> Any:
    """``1 / x``, where `x` may be the number 0.

    Python's numbers raise an error there and NumPy's warn; for arrays, rules switch warnings off.
    """
    return copysign(inf, x) if x.__class__ in REAL_CLASSES and x == 0 else 1.0 / x


def nonzero(x: Any) -> Any:
    """`x`, but 1 where it is 0, so that zeros can be divided by it."""
    return x + (primal_of(x) == 0)


@np.errstate(invalid="ignore")
def portion(x_dot: Any, share: Any) -> Any:
    """The product, where a share of nothing is a strong zero: nothing is left of infinity, either."""
    return strong_product(x_dot, share)


def is_complex(x: Any) -> bool:
    """Whether `x` is a complex number or an array of them."""
    return x.__class__ not in REAL_CLASSES and np.iscomplexobj(primal_of(x))


def like_result(x: Any, y: Any) -> Any:
    """`x` as a complex number if the result `y` is one, and otherwise as one that is not an integer."""
    return x + 0j if is_complex(y) else 1.0 * x


def as_precise(x: Any, z: Any) -> Any:
    """`x` in the precision of the result `z`.

    The logarithm of a float32, and all the more of an int8, is too coarse where the result is a float64, and
    ``x - 1`` of an integer may overflow.
    """
    if x.__class__ in _NUMBERS or (x.__class__ is z.__class__ is np.ndarray and x.dtype is z.dtype):
        return x
    own, of_z = getattr(primal_of(x), "dtype", None), getattr(primal_of(z), "dtype", None)
    if own is of_z or own is None or of_z is None or of_z.kind not in "fc":
        return x
    dtype = np.result_type(own, np.finfo(of_z).dtype)
    return x if dtype == own else astype(x, dtype)
