"""Rules for the functions of `math`, which take numbers one at a time.

The partial derivatives call the functions of `math` too, as primitives: on a float they cost a tenth of
NumPy's, and of a traced number they are traced. Where a function has no derivative, but subgradients, the
rule gives the mean of the slopes on both sides: 0 for ``fabs`` at 0, for ``copysign(0, y)`` and for the
distance of a point from itself. ``sqrt`` and ``cbrt`` are infinitely steep at 0.
"""

import itertools
import math
import operator

import numpy as np

from chainrules.formulas.numbers import powers
from chainrules.formulas.numbers.signs import sign
from chainrules.makers.sequences import sequence_rule
from chainrules.makers.versions import present
from chainrules.operations.polygamma import polygamma
from chainrules.values.operands import NumberOperand
from chainrules.values.quotients import inverse, quotient_or_zero
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    ZeroTangent,
    frule,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    scalar_rule,
    strong_product,
    typeof_,
)

cos = primitive(math.cos)
cosh = primitive(math.cosh)
exp = primitive(math.exp)
hypot = primitive(math.hypot)
ldexp = primitive(math.ldexp)
log = primitive(math.log)
sin = primitive(math.sin)
sinh = primitive(math.sinh)
sqrt = primitive(math.sqrt)

# --- Power and logarithmic functions -----------------------------------------------------------------------

LOG_2, LOG_10 = math.log(2), math.log(10)

scalar_rule(math.exp, lambda y, x: y)
scalar_rule(math.expm1, lambda y, x: y + 1)
scalar_rule(math.log, lambda y, x: 1 / x)
scalar_rule(math.log, lambda y, x, base: (1 / (x * log(base)), -y / (base * log(base))))
scalar_rule(math.log1p, lambda y, x: 1 / (1 + x))
scalar_rule(math.log2, lambda y, x: 1 / (x * LOG_2))
scalar_rule(math.log10, lambda y, x: 1 / (x * LOG_10))
scalar_rule(math.sqrt, lambda y, x: 0.5 / y)

scalar_rule(math.exp2, lambda y, x: y * LOG_2)
scalar_rule(math.cbrt, lambda y, x: 1 / (3 * y * y))


@scalar_rule(math.pow)
def _(y, x, p):
    if primal_of(x) > 0:
        return p * x ** (p - 1), y * log(x)
    return powers.by_base(y, x, p), powers.by_exponent(y, x, p)


# --- Trigonometric, angular and hyperbolic functions -------------------------------------------------------

scalar_rule(math.sin, lambda y, x: cos(x))
scalar_rule(math.cos, lambda y, x: -sin(x))
scalar_rule(math.tan, lambda y, x: 1 + y * y)
# Factors, since squares lose digits near 1 and overflow far from it.
scalar_rule(math.asin, lambda y, x: inverse(sqrt((1 - x) * (1 + x))))
scalar_rule(math.acos, lambda y, x: -inverse(sqrt((1 - x) * (1 + x))))
scalar_rule(math.atan, lambda y, x: 1 / (1 + x * x))

scalar_rule(math.sinh, lambda y, x: cosh(x))
scalar_rule(math.cosh, lambda y, x: sinh(x))
scalar_rule(math.tanh, lambda y, x: 1 - y * y)
scalar_rule(math.asinh, lambda y, x: 1 / hypot(1.0, x))
scalar_rule(math.acosh, lambda y, x: inverse(sqrt(x - 1) * sqrt(x + 1)))
scalar_rule(math.atanh, lambda y, x: 1 / ((1 - x) * (1 + x)))

scalar_rule(math.degrees, lambda y, x: 180 / math.pi)
scalar_rule(math.radians, lambda y, x: math.pi / 180)


@scalar_rule(math.atan2)
def _(angle, y, x):
    r = hypot(x, y)  # its square may overflow or underflow
    return quotient_or_zero(quotient_or_zero(x, r), r), -quotient_or_zero(quotient_or_zero(y, r), r)


# --- Special functions -------------------------------------------------------------------------------------

TWO_BY_SQRT_PI = 2 / math.sqrt(math.pi)


def _gaussian(x):
    """Zero at infinity with all derivatives, whose formula is a product of zero and infinity."""
    return 0.0 if abs(primal_of(x)) == math.inf else TWO_BY_SQRT_PI * exp(-x * x)


scalar_rule(math.erf, lambda y, x: _gaussian(x))
scalar_rule(math.erfc, lambda y, x: -_gaussian(x))
scalar_rule(math.gamma, lambda y, x: y * polygamma(0, x))
scalar_rule(math.lgamma, lambda y, x: polygamma(0, x))

# --- Signs, remainders and the parts of a number -----------------------------------------------------------


scalar_rule(math.fabs, lambda y, x: sign(x))
scalar_rule(math.copysign, lambda z, x, y: (sign(x) * np.copysign(1.0, primal_of(y)), ZeroTangent()))


def whole_quotient(z, x, y):
    """The whole number ``n`` in ``z = x - n y``, which is constant between jumps."""
    return np.rint((primal_of(x) - primal_of(z)) / primal_of(y))


scalar_rule(math.fmod, lambda z, x, y: (1, -whole_quotient(z, x, y)))
scalar_rule(math.remainder, lambda z, x, y: (1, -whole_quotient(z, x, y)))

# As functions of real numbers these are x itself, and the neighbour is as far away as numbers are coarse.
scalar_rule(math.nextafter, lambda z, x, y: (1, ZeroTangent()))


@scalar_rule(math.modf)
def _(parts, x):
    return (1,), (ZeroTangent(),)


@scalar_rule(math.frexp)
def _(parts, x):
    mantissa, _ = parts
    return (mantissa / x if primal_of(x) else 1.0,), (ZeroTangent(),)


@frule.dispatch
def ldexp_frule(tangents, f: typeof_(math.ldexp), x: NumberOperand, i: int):
    return ldexp(x, i), ldexp(tangents[1], i)


@rrule.dispatch
def ldexp_rrule(f: typeof_(math.ldexp), x: NumberOperand, i: int):
    project = ProjectTo(x)

    def ldexp_pullback(y_bar):
        return NO_TANGENT, project(ldexp(np.real(y_bar), i)), NO_TANGENT

    return ldexp(x, i), ldexp_pullback


# --- Distances, sums and products --------------------------------------------------------------------------


@frule.dispatch
def hypot_frule(tangents, f: typeof_(math.hypot), *xs: NumberOperand):
    y = hypot(*xs)
    return y, sum(quotient_or_zero(x, y) * x_dot for x, x_dot in zip(xs, tangents[1:], strict=True))


@rrule.dispatch
def hypot_rrule(f: typeof_(math.hypot), *xs: NumberOperand):
    y = hypot(*xs)

    def hypot_pullback(y_bar):
        product = operator.mul if y - y == 0 else strong_product  # of an infinite or undefined one
        return NO_TANGENT, *(ProjectTo(x)(product(quotient_or_zero(x, y), y_bar)) for x in xs)

    return y, hypot_pullback


def distance_gradient(y, p, q):
    direction = [quotient_or_zero(a - b, y) for a, b in zip(p, q, strict=True)]
    return direction, [-component for component in direction]


def product_gradient(y, xs, start=1):
    """The products of all factors but one, which need no division: one of them may be zero."""
    before = list(itertools.accumulate(xs, operator.mul, initial=start))[:-1]
    after = list(itertools.accumulate(reversed(xs), operator.mul, initial=1))[-2::-1]
    return ([b * a for b, a in zip(before, after, strict=True)],)


sequence_rule(math.dist, distance_gradient)
sequence_rule(math.fsum, lambda y, xs: ([1.0 for _ in xs],))
sequence_rule(math.prod, product_gradient)

for _sumprod in present(math, "sumprod"):  # since Python 3.12
    sequence_rule(_sumprod, lambda y, p, q: (list(q), list(p)))

for _fma in present(math, "fma"):  # since Python 3.13
    scalar_rule(_fma, lambda w, x, y, z: (y, x, 1))

# --- Functions without a derivative ------------------------------------------------------------------------

non_differentiable(
    math.ceil,
    math.comb,
    math.factorial,
    math.floor,
    math.gcd,
    math.isclose,
    math.isfinite,
    math.isinf,
    math.isnan,
    math.isqrt,
    math.lcm,
    math.perm,
    math.trunc,
    math.ulp,
)
