"""Rules for the parts of complex numbers, which are linear over the real numbers only, and for the angle.

The angle is the imaginary part of the logarithm, so that its gradient is ``i z / |z|²``: across the direction
of z. At 0, where it has no gradient, zero is taken.
"""

from math import pi

import numpy as np

from chainrules.values.operands import Operand
from chainrules.values.quotients import nonzero
from chainrules_core import NO_TANGENT, ProjectTo, frule, is_complex, rrule, typeof_, unbroadcast


@frule.dispatch
def real_frule(tangents, f: typeof_(np.real), x: Operand):
    return np.real(x), np.real(tangents[1])


@rrule.dispatch
def real_rrule(f: typeof_(np.real), x: Operand):
    project = ProjectTo(x)

    def real_pullback(y_bar):
        return NO_TANGENT, project(np.real(y_bar))

    return np.real(x), real_pullback


@frule.dispatch
def imag_frule(tangents, f: typeof_(np.imag), x: Operand):
    return np.imag(x), np.imag(tangents[1])


@rrule.dispatch
def imag_rrule(f: typeof_(np.imag), x: Operand):
    project = ProjectTo(x)

    def imag_pullback(y_bar):
        return NO_TANGENT, project(1j * np.real(y_bar))

    return np.imag(x), imag_pullback


@frule.dispatch
def conjugate_frule(tangents, f: typeof_(np.conjugate), x: Operand):
    return np.conjugate(x), np.conjugate(tangents[1])


@rrule.dispatch
def conjugate_rrule(f: typeof_(np.conjugate), x: Operand):
    project = ProjectTo(x)

    def conjugate_pullback(y_bar):
        return NO_TANGENT, project(np.conjugate(y_bar))

    return np.conjugate(x), conjugate_pullback


@frule.dispatch
def angle_frule(tangents, f: typeof_(np.angle), z: Operand, *options, **named):
    z_dot = tangents[1]
    return np.angle(z, *options, **named), np.real(np.conj(_across(z, *options, **named)) * z_dot)


@rrule.dispatch
def angle_rrule(f: typeof_(np.angle), z: Operand, *options, **named):
    def angle_pullback(theta_bar):
        z_bar = unbroadcast(z, _across(z, *options, **named) * np.real(theta_bar))
        return NO_TANGENT, z_bar, *(NO_TANGENT,) * len(options)

    return np.angle(z, *options, **named), angle_pullback


def _across(z, deg=False):
    """The gradient of the angle, in radians or degrees."""
    r = nonzero(np.absolute(z))
    gradient = 1j * (z / r / r)  # not by the square, which overflows and underflows
    return 180 / pi * gradient if deg else gradient


@frule.dispatch
def real_if_close_frule(tangents, f: typeof_(np.real_if_close), x: Operand, *options, **named):
    y = np.real_if_close(x, *options, **named)
    x_dot = tangents[1]
    return y, x_dot if is_complex(y) else np.real(x_dot)


@rrule.dispatch
def real_if_close_rrule(f: typeof_(np.real_if_close), x: Operand, *options, **named):
    project = ProjectTo(x)

    def real_if_close_pullback(y_bar):
        return NO_TANGENT, project(y_bar), *(NO_TANGENT,) * len(options)

    return np.real_if_close(x, *options, **named), real_if_close_pullback
