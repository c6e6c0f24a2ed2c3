"""Rules for magnitudes and signs.

The magnitude ``r = |z|`` and the sign ``s = z / |z|`` are not holomorphic. As maps of the plane their
derivatives are ``r_dot = Re(s* z_dot)`` and ``s_dot = i s Im(s* z_dot) / r``, where ``s*`` is the conjugate;
the second is its own adjoint. At 0, where neither has a derivative, both are taken to be zero.
"""

import numpy as np

from chainrules.makers.elementwise import binary_rule
from chainrules.shortcuts.numpy.magnitudes import cotangent_by_sign
from chainrules.values.operands import Operand
from chainrules.values.quotients import nonzero
from chainrules_core import (
    NO_TANGENT,
    ZeroTangent,
    frule,
    is_complex,
    primal_of,
    rrule,
    scalar_rule,
    shortened_by,
    strong_product,
    typeof_,
    unbroadcast,
)

scalar_rule(np.fabs, lambda _, x: np.sign(x))
binary_rule(np.heaviside, lambda *_: ZeroTangent(), lambda z, x, at_zero: np.equal(primal_of(x), 0))


@frule.dispatch
def absolute_frule(tangents, f: typeof_(np.absolute), z: Operand):
    z_dot = tangents[1]
    r = np.absolute(z)
    if is_complex(z):
        return r, np.real(strong_product(np.conj(z / nonzero(r)), z_dot))
    return r, strong_product(np.sign(z), z_dot)


@rrule.dispatch
def absolute_rrule(f: typeof_(np.absolute), z: Operand):
    r = np.absolute(z)

    def absolute_pullback(r_bar):
        return NO_TANGENT, _cotangent(z, r, r_bar)

    return r, absolute_pullback


@shortened_by(cotangent_by_sign)
def _cotangent(z, r, r_bar):
    if is_complex(z):
        return unbroadcast(z, strong_product(z / nonzero(r), np.real(r_bar)))
    return unbroadcast(z, strong_product(np.sign(z), r_bar))


@frule.dispatch
def sign_frule(tangents, f: typeof_(np.sign), z: Operand):
    s = np.sign(z)
    return s, _along_circle(z, s, tangents[1])


@rrule.dispatch
def sign_rrule(f: typeof_(np.sign), z: Operand):
    s = np.sign(z)

    def sign_pullback(s_bar):
        return NO_TANGENT, unbroadcast(z, _along_circle(z, s, s_bar))

    return s, sign_pullback


def _along_circle(z, s, z_dot):
    """The part of a tangent that moves the direction of a number along the unit circle."""
    if not is_complex(z):
        return ZeroTangent()
    return 1j * strong_product(s / nonzero(np.absolute(z)), np.imag(strong_product(np.conj(s), z_dot)))
