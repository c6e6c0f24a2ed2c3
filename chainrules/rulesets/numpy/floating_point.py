"""Rules for floating point routines, which take numbers apart and put them together."""

import numpy as np

from chainrules.makers.elementwise import binary_rule
from chainrules_core import NO_TANGENT, ZeroTangent, non_differentiable, primal_of, scalar_rule

non_differentiable(np.signbit, np.spacing)

# The magnitude of x with the sign of s; at x = 0 it has a kink, as the magnitude has.
binary_rule(np.copysign, lambda z, x, s: np.sign(x) * np.sign(z), lambda *_: ZeroTangent())

# Which way the next number lies makes no difference, and how far it is changes at powers of two only.
binary_rule(np.nextafter, lambda z, x, to: np.ones_like(primal_of(z)), lambda *_: ZeroTangent())


def _power_of_two(exponent, like):
    return np.ldexp(np.ones_like(primal_of(like)), exponent)


scalar_rule(np.ldexp, lambda y, x, exponent: (_power_of_two(exponent, x), NO_TANGENT))
scalar_rule(np.frexp, lambda y, x: ((_power_of_two(-primal_of(y[1]), y[0]),), (ZeroTangent(),)))
