"""Rules for arithmetic operations."""

from typing import Any

import numpy as np

from chainrules import powers
from chainrules.casting import astype
from chainrules.elementwise import as_precise, binary_rule, lazy_pullback, pushed_by, sum_rule
from chainrules.operands import Operand
from chainrules_core import (
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    scalar_rule,
    typeof_,
    unthunk,
)
from chainrules_core.scalar_products import total

sum_rule(np.add, 1)
sum_rule(np.subtract, -1)
binary_rule(np.multiply, lambda _, x, y: y, lambda _, x, y: x)
# Not -x / y**2, whose denominator overflows and underflows long before the result does.
binary_rule(np.divide, lambda z, x, y: 1 / y, lambda z, x, y: -z / y)
scalar_rule(np.negative, lambda y, _: -1)
scalar_rule(np.positive, lambda y, _: 1)
scalar_rule(np.square, lambda _, x: 2.0 * x)  # twice an integer may overflow
scalar_rule(np.reciprocal, lambda y, _: -y * y)

# --- Quotients that are whole numbers, and what is left ----------------------------------------------------
#
# Where the quotient jumps, the derivatives are those of the side on which the result lies.

non_differentiable(np.floor_divide)

binary_rule(np.remainder, lambda *_: 1, lambda z, x, y: -np.floor_divide(primal_of(x), primal_of(y)))
binary_rule(np.fmod, lambda *_: 1, lambda z, x, y: np.rint((primal_of(z) - primal_of(x)) / primal_of(y)))
scalar_rule(np.divmod, lambda z, x, y: ((ZeroTangent(), ZeroTangent()), (1, -primal_of(z[0]))))
scalar_rule(np.modf, lambda z, x: ((1,), (ZeroTangent(),)))

# --- power: its derivative by the exponent costs a logarithm and is seldom wanted ------------------


@frule.dispatch
def power_frule(tangents: Any, f: typeof_(np.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, np.power(x, p), x, p)


@rrule.dispatch
def power_rrule(f: typeof_(np.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    y = np.power(x, p)
    return y, lazy_pullback(y, x, p, powers.by_base, powers.by_exponent)


@frule.dispatch
def float_power_frule(tangents: Any, f: typeof_(np.float_power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, np.float_power(x, p), _in_double(x), p)


@rrule.dispatch
def float_power_rrule(f: typeof_(np.float_power), x: Operand, p: Operand) -> tuple[Any, Any]:
    y = np.float_power(x, p)
    return y, lazy_pullback(y, x, p, lambda y, x, p: powers.by_base(y, _in_double(x), p), powers.by_exponent)


def _in_double(x: Any) -> Any:
    return astype(x, np.result_type(primal_of(x), np.float64))


def push_power(tangents: Any, y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    """The forward rule of ``y = x ** p``, however the power was written."""
    _, x_dot, p_dot = map(unthunk, tangents)
    x, p = as_precise(x, y), as_precise(p, y)
    terms = [
        pushed_by(partial, (y, x, p), operand, dot)
        for partial, operand, dot in ((powers.by_base, x, x_dot), (powers.by_exponent, p, p_dot))
        if not isinstance(dot, AbstractZero)
    ]
    return y, ProjectTo(y)(total(y, terms or [x_dot]))
