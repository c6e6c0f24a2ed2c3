"""Rules for Bessel functions, and for those that are scaled by an exponential.

By the argument, with C for J, Y and the Hankel functions, https://dlmf.nist.gov/10.6 and
https://dlmf.nist.gov/10.29::

    2 C_v' = C_{v-1} - C_{v+1},   2 I_v' = I_{v-1} + I_{v+1},   -2 K_v' = K_{v-1} + K_{v+1}

These have no quotients, so they hold at 0, too. Scaled functions have the derivative of the exponential
besides; where the argument is large that cancels, and Hankel's expansion is differentiated instead. The
factors ``exp(-|Im z|)`` and ``exp(-|Re z|)`` are not holomorphic, and have the derivative 0 at their kinks.

By the order there is no closed form: see `chainrules.formulas.differences_in_order`. The derivatives are
accurate to 1e-13, relative to the sum of the sizes of the function and its derivative, as far as SciPy's own
values are. Integer orders have no tangent.
"""

import numpy as np
from scipy import special

from chainrules.formulas.bessel_slopes import is_large, logarithmic_slope
from chainrules.formulas.differences_in_order import derivative_by_order, rate_of_powers
from chainrules.makers.separate_partials import TwoPartials, separate_partials_rule
from chainrules_core import NO_TANGENT, is_complex, primal_of


def define_rule(function, by_argument):
    """Define the rules of a function of an order and an argument, from the derivative by the argument."""

    def by_order(y, v, z):
        return derivative_by_order(function, y, v, z, rate=rate_of_powers(v, z))

    separate_partials_rule(function, by_order, by_argument, orders=(0,))


# --- Functions of real or complex arguments ----------------------------------------------------------------


def _difference(function, v, z):
    return 0.5 * (function(v - 1, z) - function(v + 1, z))


def _sum(function, v, z):
    return 0.5 * (function(v - 1, z) + function(v + 1, z))


define_rule(special.jv, lambda y, v, z: _difference(special.jv, v, z))
define_rule(special.yv, lambda y, v, z: _difference(special.yv, v, z))
define_rule(special.hankel1, lambda y, v, z: _difference(special.hankel1, v, z))
define_rule(special.hankel2, lambda y, v, z: _difference(special.hankel2, v, z))
define_rule(special.iv, lambda y, v, z: _sum(special.iv, v, z))
define_rule(special.kv, lambda y, v, z: -_sum(special.kv, v, z))

separate_partials_rule(special.yn, lambda y, n, x: NO_TANGENT, lambda y, n, x: _difference(special.yv, n, x))
separate_partials_rule(special.kn, lambda y, n, x: NO_TANGENT, lambda y, n, x: -_sum(special.kv, n, x))

# --- Functions that are scaled -----------------------------------------------------------------------------


def _by_scaled_oscillation(function):
    """By z, of ``exp(-|Im z|) C_v(z)``."""

    def by_argument(y, v, z):
        slope = _difference(function, v, z)
        if not is_complex(z):
            return slope
        half = 0.5j * np.sign(np.imag(primal_of(z))) * y
        return TwoPartials(slope + half, -half)

    return by_argument


define_rule(special.jve, _by_scaled_oscillation(special.jve))
define_rule(special.yve, _by_scaled_oscillation(special.yve))


def _by_argument_of_ive(y, v, z):
    slope = _sum(special.ive, v, z)
    sign = np.sign(np.real(primal_of(z)))
    if is_complex(z):
        half = 0.5 * sign * y
        return TwoPartials(slope - half, -half)
    return np.where(is_large(v, z), -sign * y * logarithmic_slope(v, -sign * z), slope - sign * y)


def _by_argument_of_kve(y, v, z):
    is_far = is_large(v, z) & (np.real(primal_of(z)) >= 0.0)
    return np.where(is_far, y * logarithmic_slope(v, z), y - _sum(special.kve, v, z))


def _by_argument_of_scaled_hankel(function, factor):
    """By z, of ``exp(factor z) H_v(z)``, where the factor is -i or i."""

    def by_argument(y, v, z):
        is_far = is_large(v, z) & (np.real(factor * primal_of(z)) >= 0.0)
        far = factor * y * logarithmic_slope(v, factor * z)
        return np.where(is_far, far, _difference(function, v, z) + factor * y)

    return by_argument


define_rule(special.ive, _by_argument_of_ive)
define_rule(special.kve, _by_argument_of_kve)
define_rule(special.hankel1e, _by_argument_of_scaled_hankel(special.hankel1e, -1.0j))
define_rule(special.hankel2e, _by_argument_of_scaled_hankel(special.hankel2e, 1.0j))
