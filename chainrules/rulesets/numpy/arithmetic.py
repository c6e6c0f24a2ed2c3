"""Rules for arithmetic operations."""

import numpy as np

from chainrules.formulas.numbers import powers
from chainrules.formulas.numbers.arithmetic import PRODUCT, QUOTIENT, REMAINDER
from chainrules.formulas.numbers.binary_functions import pullbacks
from chainrules.makers.elementwise import binary_rule, sign_rule, sum_rule
from chainrules.operations.casting import astype
from chainrules.values.operands import Operand
from chainrules_core import ZeroTangent, frule, non_differentiable, primal_of, rrule, scalar_rule, typeof_

sum_rule(np.add, 1)
sum_rule(np.subtract, -1)
binary_rule(np.multiply, *PRODUCT, symmetric=True)
binary_rule(np.divide, *QUOTIENT)
sign_rule(np.negative, -1)
sign_rule(np.positive, 1)
scalar_rule(np.square, lambda _, x: 2.0 * x)  # twice an integer may overflow
scalar_rule(np.reciprocal, lambda y, _: -y * y)

# --- Quotients that are whole numbers, and remainders ------------------------------------------------------

non_differentiable(np.floor_divide)

binary_rule(np.remainder, *REMAINDER)
binary_rule(np.fmod, lambda *_: 1, lambda z, x, y: np.rint((primal_of(z) - primal_of(x)) / primal_of(y)))
scalar_rule(np.divmod, lambda z, x, y: ((ZeroTangent(), ZeroTangent()), (1, -primal_of(z[0]))))
scalar_rule(np.modf, lambda z, x: ((1,), (ZeroTangent(),)))

# --- power -------------------------------------------------------------------------------------------------


@frule.dispatch
def power_frule(tangents, f: typeof_(np.power), x: Operand, p: Operand):
    y = np.power(x, p)
    return y, powers.push_power(tangents, y, x, p)


@rrule.dispatch
def power_rrule(f: typeof_(np.power), x: Operand, p: Operand):
    y = np.power(x, p)
    return y, powers.pullback_of(y, x, p)


@frule.dispatch
def float_power_frule(tangents, f: typeof_(np.float_power), x: Operand, p: Operand):
    y = np.float_power(x, p)
    return y, powers.push_power(tangents, y, _in_double(x), p)


@rrule.dispatch
def float_power_rrule(f: typeof_(np.float_power), x: Operand, p: Operand):
    y = np.float_power(x, p)
    return y, _pullback_of_float_power(y, x, p)


_pullback_of_float_power = pullbacks(
    lambda y, x, p: powers.by_base(y, _in_double(x), p), powers.by_exponent, both=False
)


def _in_double(x):
    return astype(x, np.result_type(primal_of(x), np.float64))
