"""Rules for floating point routines, which take numbers apart and put them together."""

from typing import Any

import numpy as np

from chainrules.makers.elementwise import binary_rule
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    scalar_rule,
    typeof_,
    unbroadcast,
)

non_differentiable(np.signbit, np.spacing)

# The magnitude of x with the sign of s; at x = 0 it has a kink, as the magnitude has.
binary_rule(np.copysign, lambda z, x, s: np.sign(x) * np.sign(z), lambda *_: ZeroTangent())

# Which way the next number lies makes no difference, and how far it is changes at powers of two only.
binary_rule(np.nextafter, lambda z, x, to: np.ones_like(primal_of(z)), lambda *_: ZeroTangent())


def _power_of_two(exponent, like):
    return np.ldexp(np.ones_like(primal_of(like)), exponent)


# A product with a power of two, which may be too large or too small to be a factor by itself.
@frule.dispatch
def ldexp_frule(tangents: Any, f: typeof_(np.ldexp), x: Operand, exponent: Operand):
    y, x_dot = np.ldexp(x, exponent), tangents[1]
    return y, x_dot if isinstance(x_dot, AbstractZero) else np.ldexp(x_dot, exponent)


@rrule.dispatch
def ldexp_rrule(f: typeof_(np.ldexp), x: Operand, exponent: Operand):
    def ldexp_pullback(y_bar):
        return NO_TANGENT, unbroadcast(x, np.ldexp(np.real(y_bar), exponent)), NO_TANGENT

    return np.ldexp(x, exponent), ldexp_pullback


scalar_rule(np.frexp, lambda y, x: ((_power_of_two(-primal_of(y[1]), y[0]),), (ZeroTangent(),)))
