"""Both modes of a function of two operands that broadcast, from its partial derivatives.

Of ``z = f(x, y)``::

    z_dot = ∂z/∂x x_dot + ∂z/∂y y_dot
    x_bar = conj(∂z/∂x) z_bar,  y_bar = conj(∂z/∂y) z_bar

where the cotangents are summed over the axes along which their operands were repeated.

A cotangent that nobody asks for costs nothing. In ``2.0 * x`` the cotangent of the number is a sum over the
whole array; whoever differentiates by ``x`` alone does not want it, but a rule does not know that. So it
answers with thunks.
"""

from collections.abc import Callable
from typing import Any

from chainrules.formulas.numbers.precision import as_precise
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    evaluate_partials,
    pull_partial,
    shortened_by,
    strong_product,
    sum_tangents,
    without_warnings,
)
from chainrules_core.speed import product_of_operands, products_of_few, sum_of_products

# A partial derivative of z = f(x, y), as a function of z, x and y.
Partial = Callable[[Any, Any, Any], Any]

# From the cotangent of a result to the cotangents of the function and its arguments.
BinaryPullback = Callable[[Any], Any]


def pullbacks(
    by_x: Partial, by_y: Partial, *, both: bool = True, symmetric: bool = False
) -> Callable[[Any, Any, Any], BinaryPullback]:
    """A function ``pullback_of(z, x, y)``, whose pullbacks put off each cotangent until it is asked for.

    Parameters
    ----------
    by_x, by_y
        The partial derivatives.
    both
        Whether both may be computed at once where that costs less than putting them off.
    symmetric
        Whether the two cotangents of ``f(x, x)`` are equal.
    """

    def pullback_of(z: Any, x: Any, y: Any) -> BinaryPullback:
        values = z, x, y

        def binary_pullback(z_bar: Any) -> Any:
            x_bar, y_bar = products_of_few(by_x, by_y, values, z_bar, both)
            if x_bar is None:
                x_bar = Thunk(pulled_by, by_x, values, x, z_bar)
            if symmetric and x is y:
                y_bar = x_bar
            elif y_bar is None:
                y_bar = Thunk(pulled_by, by_y, values, y, z_bar)
            return NO_TANGENT, x_bar, y_bar

        return binary_pullback

    return pullback_of


@shortened_by(product_of_operands)
@without_warnings
def pulled_by(partial: Partial, values: tuple[Any, Any, Any], operand: Any, z_bar: Any) -> Any:
    """The cotangent of one operand of ``z = f(x, y)``, where `values` are ``(z, x, y)``."""
    z, x, y = values
    slope = evaluate_partials(partial, z, as_precise(x, z), as_precise(y, z))
    return pull_partial(operand, slope, z_bar)


@shortened_by(sum_of_products)
@without_warnings
def push_operands(
    by_x: Partial, by_y: Partial, values: tuple[Any, Any, Any], tangents: tuple[Any, Any, Any]
) -> Any:
    """The tangent of ``z = f(x, y)``, where `values` are ``(z, x, y)``."""
    z, x, y = values
    precise = z, as_precise(x, z), as_precise(y, z)
    _, x_dot, y_dot = tangents
    terms = [
        strong_product(evaluate_partials(partial, *precise), dot)
        for partial, dot in ((by_x, x_dot), (by_y, y_dot))
        if not isinstance(dot, AbstractZero)
    ]
    return sum_tangents(z, terms or [x_dot])
