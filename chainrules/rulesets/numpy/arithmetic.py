"""Rules for arithmetic operations."""

from typing import Any

import numpy as np

from chainrules import powers
from chainrules.operands import Operand
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    frule,
    rrule,
    scalar_rule,
    thunk,
    typeof_,
    unthunk,
)
from chainrules_core.scalar_products import pulled, strong_product, total

scalar_rule(np.add, lambda _, x, y: (1, 1))
scalar_rule(np.subtract, lambda _, x, y: (1, -1))
scalar_rule(np.multiply, lambda _, x, y: (y, x))
# Not -x / y**2, whose denominator overflows and underflows long before the result does.
scalar_rule(np.divide, lambda z, x, y: (1 / y, -z / y))
scalar_rule(np.negative, lambda _, x: -1)
scalar_rule(np.positive, lambda _, x: 1)
scalar_rule(np.square, lambda _, x: 2 * x)

# --- power: its derivative by the exponent costs a logarithm and is seldom wanted ------------------


@frule.dispatch
def power_frule(tangents: tuple, f: typeof_(np.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, np.power(x, p), x, p)


@rrule.dispatch
def power_rrule(f: typeof_(np.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return pull_power(np.power(x, p), x, p)


def push_power(tangents: tuple, y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    """The forward rule of ``y = x ** p``, however the power was written."""
    _, x_dot, p_dot = map(unthunk, tangents)
    with np.errstate(all="ignore"):
        terms = [
            strong_product(partial(y, x, p), dot)
            for partial, dot in ((powers.by_base, x_dot), (powers.by_exponent, p_dot))
            if not isinstance(dot, AbstractZero)
        ]
        return y, ProjectTo(y)(total(y, terms or [x_dot]))


def pull_power(y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    """The reverse rule of ``y = x ** p``, however the power was written."""

    def power_pullback(y_bar: Any) -> tuple[Any, Any, Any]:
        y_bar = unthunk(y_bar)

        def pull(partial: Any, operand: Any) -> Any:
            with np.errstate(all="ignore"):
                return pulled(operand, partial(y, x, p), y_bar)

        return NoTangent(), thunk(pull, powers.by_base, x), thunk(pull, powers.by_exponent, p)

    return y, power_pullback
