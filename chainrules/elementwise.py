"""What the rules of elementwise functions share.

Of functions of two operands that broadcast, a cotangent that nobody asks for costs nothing. In ``x * 2.0``
the cotangent of the number is a sum over the whole array. Who differentiates by ``x`` alone does not want it,
but a rule does not know that; so it answers with thunks.
"""

import sys
from collections.abc import Callable
from math import copysign, inf
from typing import Any

import numpy as np

from chainrules.casting import astype
from chainrules.operands import ArrayOperand, Operand
from chainrules_core import (
    AbstractZero,
    NoTangent,
    Thunk,
    frule,
    primal_of,
    rrule,
    typeof_,
    unthunk,
)
from chainrules_core.error_state import restore, silence
from chainrules_core.rule_location import made_at, place_in
from chainrules_core.scalar_products import (
    REALS,
    differentiated,
    fitted,
    product_of_arrays,
    pulled,
    strong_product,
    total,
)
from chainrules_core.scalar_rule import define_scalar_rule

NO_TANGENT = NoTangent()

# So few products take no longer than it takes to make thunks of them, and to compute one of these.
_FEW = 1000

# A partial derivative of z = f(x, y), as a function of z, x and y.
Partial = Callable[[Any, Any, Any], Any]

# A file and a line.
Place = tuple[str, int]


def binary_rule(primal: Callable[..., Any], by_x: Partial, by_y: Partial) -> None:
    """Define the rules of a function of two numbers, of two arrays, or of one of each.

    Parameters
    ----------
    primal
        The function, ``z = primal(x, y)``.
    by_x, by_y
        Its partial derivatives.
    """
    place = place_in(sys._getframe(1))  # noqa: SLF001 - the ruleset that asks for them

    def partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
        return by_x(z, x, y), by_y(z, x, y)

    define_scalar_rule(primal, partials, {}, place)

    def array_rrule(x: Any, y: Any) -> tuple[Any, Any]:
        z = primal(x, y)
        return z, lazy_pullback(z, x, y, by_x, by_y, _FEW)

    def array_frule(tangents: Any, x: Any, y: Any) -> tuple[Any, Any]:
        _, x_dot, y_dot = map(unthunk, tangents)
        z = primal(x, y)
        terms = [
            pushed_by(partial, (z, x, y), operand, dot)
            for partial, operand, dot in ((by_x, x, x_dot), (by_y, y, y_dot))
            if not isinstance(dot, AbstractZero)
        ]
        return z, total(z, terms or [x_dot])

    _define_for_arrays(primal, array_rrule, place)
    _define_forwards(primal, array_frule, place)


def sum_rule(primal: Callable[..., Any], sign: int) -> None:
    """Define the rules of a sum or a difference, which pass a cotangent on as it is.

    Parameters
    ----------
    primal
        The function, ``primal(x, y)``, which is ``x + sign * y``.
    sign
        1 or -1.
    """
    place = place_in(sys._getframe(1))  # noqa: SLF001 - the ruleset that asks for them

    def partials(z: Any, x: Operand, y: Operand) -> tuple[Any, Any]:
        return 1, sign

    define_scalar_rule(primal, partials, {}, place)

    def array_rrule(x: Any, y: Any) -> tuple[Any, Any]:
        def sum_pullback(z_bar: Any) -> tuple[Any, Any, Any]:
            z_bar = unthunk(z_bar)
            y_bar = _passed_on(y, z_bar) if sign == 1 else Thunk(_negated, y, z_bar)
            return NO_TANGENT, _passed_on(x, z_bar), y_bar

        return primal(x, y), sum_pullback

    def array_frule(tangents: Any, x: Any, y: Any) -> tuple[Any, Any]:
        _, x_dot, y_dot = map(unthunk, tangents)
        z = primal(x, y)
        return z, total(z, [x_dot, y_dot if sign == 1 else -y_dot])

    _define_for_arrays(primal, array_rrule, place)
    _define_forwards(primal, array_frule, place)


def _passed_on(x: Any, z_bar: Any) -> Any:
    if x.__class__ is z_bar.__class__ is np.ndarray and x.shape == z_bar.shape and x.dtype is z_bar.dtype:
        return z_bar
    return Thunk(fitted, x, z_bar)


def _negated(y: Any, z_bar: Any) -> Any:
    return fitted(y, -z_bar)


def _define_for_arrays(
    primal: Callable[..., Any], array_rrule: Callable[[Any, Any], tuple[Any, Any]], place: Place
) -> None:
    """Register a reverse rule for two arrays, and for an array and a number."""

    def array_first_rrule(f: typeof_(primal), x: ArrayOperand, y: Operand) -> tuple[Any, Any]:
        return array_rrule(x, y)

    def array_second_rrule(f: typeof_(primal), x: Operand, y: ArrayOperand) -> tuple[Any, Any]:
        return array_rrule(x, y)

    # The precedence is there so that two arrays are no ambiguity.
    rrule.dispatch(precedence=1)(_made(primal, array_first_rrule, place))
    rrule.dispatch(_made(primal, array_second_rrule, place))


def _define_forwards(
    primal: Callable[..., Any], array_frule: Callable[[Any, Any, Any], tuple[Any, Any]], place: Place
) -> None:
    """Register a forward rule for the same."""

    def array_first_frule(tangents: Any, f: typeof_(primal), x: ArrayOperand, y: Operand) -> tuple[Any, Any]:
        return array_frule(tangents, x, y)

    def array_second_frule(tangents: Any, f: typeof_(primal), x: Operand, y: ArrayOperand) -> tuple[Any, Any]:
        return array_frule(tangents, x, y)

    frule.dispatch(precedence=1)(_made(primal, array_first_frule, place))
    frule.dispatch(_made(primal, array_second_frule, place))


def _made(primal: Callable[..., Any], rule: Callable[..., Any], place: Place) -> Callable[..., Any]:
    made_at(rule, place)
    return named_for(primal, rule)


def named_for(primal: Callable[..., Any], rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule made for `primal`, under the name that messages should give it."""
    rule.__name__ = rule.__qualname__ = f"{primal.__name__}_{rule.__name__.rpartition('_')[2]}"
    return rule


def lazy_pullback(  # noqa: PLR0913, PLR0917 - a function of a function of two arguments
    z: Any, x: Any, y: Any, by_x: Partial, by_y: Partial, few: int = 0
) -> Callable[[Any], Any]:
    """The pullback of ``z = f(x, y)``, which computes the cotangent of each operand when it is asked for.

    Between arrays of at most `few` elements, it computes both at once.
    """

    def binary_pullback(z_bar: Any) -> tuple[Any, Any, Any]:
        z_bar = unthunk(z_bar)
        x_bar = y_bar = None
        if z_bar.__class__ is np.ndarray:
            if z_bar.size <= few and z.__class__ is np.ndarray and z.dtype is z_bar.dtype:
                x_bar, y_bar = _products_of_few(by_x, by_y, (z, x, y), z_bar)
        elif z_bar.__class__ in REALS and x.__class__ in REALS and z_bar and x:
            # Between numbers the first product costs less than a thunk, and these need no care.
            x_bar = differentiated(by_x, z, x, y) * z_bar
        if x_bar is None:
            x_bar = Thunk(_pulled_by, by_x, (z, x, y), x, z_bar)
        if y_bar is None:
            y_bar = Thunk(_pulled_by, by_y, (z, x, y), y, z_bar)
        return NO_TANGENT, x_bar, y_bar

    return binary_pullback


def _products_of_few(by_x: Partial, by_y: Partial, values: tuple[Any, Any, Any], z_bar: Any) -> Any:
    """The cotangents of operands that are arrays like the result; `None` for what needs more care."""
    _, x, y = values
    of_x, of_y = x.__class__ is np.ndarray, y.__class__ is np.ndarray
    if (of_x and x.dtype is not z_bar.dtype) or (of_y and y.dtype is not z_bar.dtype):
        return None, None
    error_state = silence()
    try:
        return (
            product_of_arrays(by_x, values, x, z_bar) if of_x and (of_y or y.__class__ in REALS) else None,
            product_of_arrays(by_y, values, y, z_bar) if of_y and (of_x or x.__class__ in REALS) else None,
        )
    finally:
        restore(error_state)


def _pulled_by(partial: Partial, values: tuple[Any, Any, Any], operand: Any, z_bar: Any) -> Any:
    error_state = silence()  # what is infinite or undefined meets strong zeros in `pulled`
    try:
        z, x, y = values
        if not (z.__class__ is x.__class__ is y.__class__ is np.ndarray and z.dtype is x.dtype is y.dtype):
            values = (z, as_precise(x, z), as_precise(y, z))
        operand_bar = product_of_arrays(partial, values, operand, z_bar)
        if operand_bar is not None:
            return operand_bar
        return pulled(operand, differentiated(partial, *values), z_bar)
    finally:
        restore(error_state)


def pushed_by(partial: Partial, values: tuple[Any, Any, Any], operand: Any, dot: Any) -> Any:
    """What one operand contributes to the tangent of the result."""
    error_state = silence()
    try:
        term = product_of_arrays(partial, values, operand, dot)
        return strong_product(differentiated(partial, *values), dot) if term is None else term
    finally:
        restore(error_state)


def inverse(x: Any) -> Any:
    """``1 / x``, where `x` may be the number 0.

    Python's numbers raise an error there and NumPy's warn; for arrays, rules switch warnings off.
    """
    return copysign(inf, x) if x.__class__ in REALS and x == 0 else 1 / x


def nonzero(x: Any) -> Any:
    """`x`, but 1 where it is 0, so that zeros can be divided by it."""
    return x + (primal_of(x) == 0)


@np.errstate(invalid="ignore")
def portion(x_dot: Any, share: Any) -> Any:
    """The product, where a share of nothing is a strong zero: nothing is left of infinity, either."""
    return strong_product(x_dot, share)


def is_complex(x: Any) -> bool:
    """Whether `x` is a complex number or an array of them."""
    return x.__class__ not in REALS and np.iscomplexobj(primal_of(x))


def like_result(x: Any, y: Any) -> Any:
    """`x` as a complex number if the result `y` is one, and otherwise as one that is not an integer."""
    return x + 0j if is_complex(y) else 1.0 * x


def as_precise(x: Any, z: Any) -> Any:
    """`x` in the precision of the result `z`.

    The logarithm of a float32, and all the more of an int8, is too coarse where the result is a float64, and
    ``x - 1`` of an integer may overflow.
    """
    own, of_z = getattr(primal_of(x), "dtype", None), getattr(primal_of(z), "dtype", None)
    if own is of_z or own is None or of_z is None or of_z.kind not in "fc":
        return x
    dtype = np.result_type(own, np.finfo(of_z).dtype)
    return x if dtype == own else astype(x, dtype)
