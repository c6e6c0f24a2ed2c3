"""Rules for the functions of `cmath`.

Most are holomorphic, and have one complex derivative. On a branch cut, the sign of a zero part of z says on
which side z lies, and derivatives are the ones on that side. So 1 + w is written as ``-(-w - 1)``, which
keeps the sign of a zero imaginary part, unlike ``1 + w``.

The modulus r and the phase φ of z are not holomorphic; with dz = (dr + i r dφ) z / r::

    dr = Re(conj(z) dz) / r        z_bar = r_bar z / r
    dφ = Im(conj(z) dz) / r²       z_bar = φ_bar i z / r²

At 0, where neither has a derivative, both are taken to be 0.
"""

import cmath
import math

import numpy as np

from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules.values.operands import NumberOperand
from chainrules.values.quotients import quotient_or_zero
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    scalar_rule,
    typeof_,
)

cos = primitive(cmath.cos)
cosh = primitive(cmath.cosh)
log = primitive(cmath.log)
phase = primitive(cmath.phase)
polar = primitive(cmath.polar)
rect = primitive(cmath.rect)
sin = primitive(cmath.sin)
sinh = primitive(cmath.sinh)
sqrt = primitive(cmath.sqrt)


def one_plus(w):
    """``1 + w``, with the sign of a zero imaginary part kept."""
    return -(-w - 1)


def reciprocal(z):
    """``1 / z``, infinite at 0: real, since a complex infinity times a number is NaN in both parts."""
    return 1 / z if primal_of(z) else math.inf


def leg(z):
    """``sqrt(1 - z²)`` on the side of the branch cuts on which `z` is; a real number is above them."""
    z = z if np.iscomplexobj(primal_of(z)) else z + 0j
    return sqrt(one_plus(-z)) * sqrt(one_plus(z))


# --- Power and logarithmic functions -----------------------------------------------------------------------

scalar_rule(cmath.exp, lambda y, z: y)
scalar_rule(cmath.log, lambda y, z: 1 / z)
scalar_rule(cmath.log, lambda y, z, base: (1 / (z * log(base)), -y / (base * log(base))))
scalar_rule(cmath.log10, lambda y, z: 1 / (z * math.log(10)))
scalar_rule(cmath.sqrt, lambda y, z: 0.5 * reciprocal(y))

# --- Trigonometric and hyperbolic functions ----------------------------------------------------------------

scalar_rule(cmath.sin, lambda y, z: cos(z))
scalar_rule(cmath.cos, lambda y, z: -sin(z))
scalar_rule(cmath.tan, lambda y, z: 1 + y * y)
scalar_rule(cmath.asin, lambda y, z: reciprocal(leg(z)))
scalar_rule(cmath.acos, lambda y, z: -reciprocal(leg(z)))
scalar_rule(cmath.atan, lambda y, z: 1 / (1 + z * z))

scalar_rule(cmath.sinh, lambda y, z: cosh(z))
scalar_rule(cmath.cosh, lambda y, z: sinh(z))
scalar_rule(cmath.tanh, lambda y, z: 1 - y * y)
scalar_rule(cmath.asinh, lambda y, z: reciprocal(sqrt(one_plus(z * z))))
scalar_rule(cmath.acosh, lambda y, z: reciprocal(sqrt(z - 1) * sqrt(one_plus(z))))
scalar_rule(cmath.atanh, lambda y, z: 1 / ((1 - z) * (1 + z)))

# --- Polar coordinates -------------------------------------------------------------------------------------

scalar_rule(cmath.rect, lambda z, r, phi: (rect(1.0, phi), 1j * z))


def phase_and_modulus_dots(z, z_dot):
    r = abs(z)
    moved = np.conjugate(quotient_or_zero(z, r)) * z_dot
    return quotient_or_zero(np.imag(moved), r), np.real(moved)


def pulled_phase(z, phi_bar):
    r = abs(z)
    return 1j * quotient_or_zero(quotient_or_zero(z, r), r) * np.real(phi_bar)


@frule.dispatch
def phase_frule(tangents, f: typeof_(cmath.phase), z: NumberOperand):
    return phase(z), phase_and_modulus_dots(z, tangents[1])[0]


@rrule.dispatch
def phase_rrule(f: typeof_(cmath.phase), z: NumberOperand):
    project = ProjectTo(z)

    def phase_pullback(phi_bar):
        return NO_TANGENT, project(pulled_phase(z, phi_bar))

    return phase(z), phase_pullback


@frule.dispatch
def polar_frule(tangents, f: typeof_(cmath.polar), z: NumberOperand):
    phi_dot, r_dot = phase_and_modulus_dots(z, tangents[1])
    return polar(z), tuple_tangent(tuple, (r_dot, phi_dot))


@rrule.dispatch
def polar_rrule(f: typeof_(cmath.polar), z: NumberOperand):
    project = ProjectTo(z)

    def polar_pullback(y_bar):
        r_bar, phi_bar = item_tangents(y_bar, 2)
        z_bar = quotient_or_zero(z, abs(z)) * np.real(r_bar) + pulled_phase(z, phi_bar)
        return NO_TANGENT, project(z_bar)

    return polar(z), polar_pullback


# --- Functions without a derivative ------------------------------------------------------------------------

non_differentiable(cmath.isclose, cmath.isfinite, cmath.isinf, cmath.isnan)
