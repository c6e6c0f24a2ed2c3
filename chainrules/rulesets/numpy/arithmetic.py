"""Rules for arithmetic operations."""

from typing import Any

import numpy as np

from chainrules.formulas import powers
from chainrules.makers.elementwise import as_precise, binary_rule, lazy_pullbacks, pushed, sign_rule, sum_rule
from chainrules.operations.casting import astype
from chainrules.values.operands import Operand
from chainrules_core import (
    ProjectTo,
    ZeroTangent,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    scalar_rule,
    typeof_,
)

sum_rule(np.add, 1)
sum_rule(np.subtract, -1)
binary_rule(np.multiply, lambda _, x, y: y, lambda _, x, y: x, symmetric=True)
# Not -x / y**2, whose denominator overflows and underflows long before the result does.
binary_rule(np.divide, lambda z, x, y: 1.0 / y, lambda z, x, y: -z / y)
sign_rule(np.negative, -1)
sign_rule(np.positive, 1)
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
    return y, pullback_of_power(y, x, p)


@frule.dispatch
def float_power_frule(tangents: Any, f: typeof_(np.float_power), x: Operand, p: Operand) -> tuple[Any, Any]:
    return push_power(tangents, np.float_power(x, p), _in_double(x), p)


@rrule.dispatch
def float_power_rrule(f: typeof_(np.float_power), x: Operand, p: Operand) -> tuple[Any, Any]:
    y = np.float_power(x, p)
    return y, _pullback_of_float_power(y, x, p)


pullback_of_power = lazy_pullbacks(powers.by_base, powers.by_exponent, both=False)
_pullback_of_float_power = lazy_pullbacks(
    lambda y, x, p: powers.by_base(y, _in_double(x), p), powers.by_exponent, both=False
)


def _in_double(x: Any) -> Any:
    return astype(x, np.result_type(primal_of(x), np.float64))


def push_power(tangents: Any, y: Any, x: Any, p: Any) -> tuple[Any, Any]:
    """The forward rule of ``y = x ** p``, however the power was written."""
    x, p = as_precise(x, y), as_precise(p, y)
    y_dot = pushed(powers.by_base, powers.by_exponent, (y, x, p), tangents)
    if y_dot.__class__ is y.__class__ is np.ndarray and y_dot.dtype is y.dtype:
        return y, y_dot
    return y, ProjectTo(y)(y_dot)
