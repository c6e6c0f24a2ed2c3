"""Rules for arithmetic operations."""

from typing import Any

import numpy as np
from chainrules_core import AbstractZero, NoTangent, frule, rrule, scalar_rule, thunk, typeof_, unthunk
from chainrules_core.scalar_products import pulled, strong_product, total

from chainrules import powers
from chainrules.operands import Operand

scalar_rule(np.add, lambda Ω, x, y: (1, 1))
scalar_rule(np.subtract, lambda Ω, x, y: (1, -1))
scalar_rule(np.multiply, lambda Ω, x, y: (y, x))
# -Ω / y, not -x / y**2, whose denominator overflows and underflows long before the result does.
scalar_rule(np.divide, lambda Ω, x, y: (1 / y, -Ω / y))
scalar_rule(np.negative, lambda Ω, x: -1)
scalar_rule(np.positive, lambda Ω, x: 1)
scalar_rule(np.square, lambda Ω, x: 2 * x)

# --- power: its derivative by the exponent costs a logarithm and is seldom wanted ---------------------------------


@frule.dispatch
def power_frule(tangents: tuple, f: typeof_(np.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, np.power(x, p), x, p)


@rrule.dispatch
def power_rrule(f: typeof_(np.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return pull_power(np.power(x, p), x, p)


def push_power(tangents: tuple, y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    """The forward rule of ``y = x ** p``, however the power was written."""
    _, x_dot, p_dot = map(unthunk, tangents)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [strong_product(powers.by_base(x, p), x_dot)]
        if not isinstance(p_dot, AbstractZero):
            terms.append(strong_product(powers.by_exponent(y, x, p), p_dot))
        return y, total(y, terms)


def pull_power(y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    """The reverse rule of ``y = x ** p``, however the power was written."""

    def power_pullback(y_bar: Any) -> tuple[Any, Any, Any]:
        y_bar = unthunk(y_bar)

        def p_bar() -> Any:
            with np.errstate(divide="ignore", invalid="ignore"):
                return pulled(p, powers.by_exponent(y, x, p), y_bar)

        with np.errstate(divide="ignore", invalid="ignore"):
            return NoTangent(), pulled(x, powers.by_base(x, p), y_bar), thunk(p_bar)

    return y, power_pullback
