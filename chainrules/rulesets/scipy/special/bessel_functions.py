"""Rules for Bessel functions, and for those that are scaled by an exponential.

By the argument, with C for J, Y and the Hankel functions, https://dlmf.nist.gov/10.6 and
https://dlmf.nist.gov/10.29::

    2 C_v' = C_{v-1} - C_{v+1},   2 I_v' = I_{v-1} + I_{v+1},   -2 K_v' = K_{v-1} + K_{v+1}

These have no quotients, so they hold at 0, too. Scaled functions have the derivative of the exponential
besides; where the argument is large that cancels, and Hankel's expansion is differentiated instead. The
factors ``exp(-|Im z|)`` and ``exp(-|Re z|)`` are not holomorphic, and have the derivative 0 at their kinks.

Wright's function ``Φ(a, b, x) = Σ x^k / (k! Γ(a k + b))`` has the derivative ``Φ(a, a + b, x)``, and the
functions ``Λ_v(x) = Γ(v + 1) J_v(x) / (x/2)^v`` of Jahnke and Emde have, https://dlmf.nist.gov/10.6 ::

    Λ_v' = -x / (2 (v + 1)) Λ_{v+1}

By the order there is no closed form: see `chainrules.formulas.special_functions.differences_in_order`. The
derivatives are accurate to 1e-12, relative to the sum of the sizes of the function and its derivative, as far
as SciPy's own values are; those of Wright's function by a and b to 1e-11 (and NaN where these are 0, beyond
which there is nothing). Integer orders have no tangent.
"""

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.bessel_slopes import (
    direction,
    far_or_near,
    is_large,
    logarithmic_slope,
)
from chainrules.formulas.special_functions.differences_in_order import (
    derivative_by_order,
    or_power_of_zero,
    rate_of_powers,
)
from chainrules.makers.lazy_partials import TwoPartials, lazy_scalar_rule
from chainrules_core import is_complex, not_implemented, primal_of, primitive

# These are powers of small arguments; the others are infinite at 0.
_POWERS = frozenset({special.jv, special.iv, special.jve, special.ive})


def define_rule(function, by_argument):
    """Define the rules of a function of an order and an argument, from the derivative by the argument."""

    def by_order(y, v, z):
        slope = derivative_by_order(function, y, v, z, rate=rate_of_powers(v, z))
        return or_power_of_zero(slope, z, exponent=v) if function in _POWERS else slope

    lazy_scalar_rule(function, by_order, by_argument, orders=(0,))


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

lazy_scalar_rule(special.yn, None, lambda y, n, x: _difference(special.yv, np.trunc(n), x))
lazy_scalar_rule(special.kn, None, lambda y, n, x: -_sum(special.kv, np.trunc(n), x))

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
    sign = direction(z)
    if is_complex(z):
        half = 0.5 * sign * y
        return TwoPartials(slope - half, -half)

    def far():
        return -sign * y * logarithmic_slope(v, -sign * z)

    return far_or_near(is_large(v, z), far, slope - sign * y)


def _by_argument_of_kve(y, v, z):
    is_far = is_large(v, z) & (np.real(primal_of(z)) >= 0.0)
    return far_or_near(is_far, lambda: y * logarithmic_slope(v, z), y - _sum(special.kve, v, z))


def _by_argument_of_scaled_hankel(function, factor):
    """By z, of ``exp(factor z) H_v(z)``, where the factor is -i or i."""

    def by_argument(y, v, z):
        side = np.real(factor * primal_of(z))
        # The expansion of the second kind does not hold on the branch cut, which SciPy reaches from above.
        is_beyond = (factor.imag > 0.0) & (side == 0.0) & (np.real(primal_of(z)) < 0.0)
        is_far = is_large(v, z) & (side >= 0.0) & np.logical_not(is_beyond)

        def far():
            return factor * y * logarithmic_slope(v, factor * z)

        return far_or_near(is_far, far, _difference(function, v, z) + factor * y)

    return by_argument


define_rule(special.ive, _by_argument_of_ive)
define_rule(special.kve, _by_argument_of_kve)
define_rule(special.hankel1e, _by_argument_of_scaled_hankel(special.hankel1e, -1.0j))
define_rule(special.hankel2e, _by_argument_of_scaled_hankel(special.hankel2e, 1.0j))

# --- Other functions ---------------------------------------------------------------------------------------


def _terms(a, b, x):
    """About how many terms of the series of Wright's function count, and the argument of Γ in these."""
    a, b, x = map(primal_of, (a, b, x))
    count = 2.0 + 2.0 * np.power(x, 1.0 / (1.0 + a))
    return count, a * count + b


def _rate(bound, a, b, x, speed):
    """How fast the function varies with a parameter, below which it must not be evaluated at less than 0."""
    _, argument = _terms(a, b, x)
    rate = speed * np.hypot(np.log1p(argument), 0.5 * np.pi)
    return np.maximum(rate, 4.0 / np.maximum(primal_of(bound), np.finfo(float).tiny))


def _by_a(function, y, a, b, x):
    return derivative_by_order(function, y, a, b, x, rate=_rate(a, a, b, x, _terms(a, b, x)[0]))


def _by_b(function, y, a, b, x):
    def of_b(b, a, x):
        return function(a, b, x)

    return derivative_by_order(of_b, y, b, a, x, rate=_rate(b, a, b, x, 1.0))


lazy_scalar_rule(
    special.wright_bessel,
    lambda y, a, b, x: _by_a(special.wright_bessel, y, a, b, x),
    lambda y, a, b, x: _by_b(special.wright_bessel, y, a, b, x),
    lambda y, a, b, x: special.wright_bessel(a, a + b, x),
)


def _relative_to(y):
    """The quotient of Wright's function and its value ``exp(y)``, which does not overflow."""
    return lambda a, b, x: np.exp(special.log_wright_bessel(a, b, x) - y)


lazy_scalar_rule(
    special.log_wright_bessel,
    lambda y, a, b, x: _by_a(_relative_to(y), np.ones_like(y), a, b, x),
    lambda y, a, b, x: _by_b(_relative_to(y), np.ones_like(y), a, b, x),
    lambda y, a, b, x: np.exp(special.log_wright_bessel(a, a + b, x) - y),
)

lmbda = primitive(special.lmbda)


def _by_order_of_lmbda(y, v, x):
    why = not_implemented(
        "by the order of `lmbda`: write `gamma(v + 1) * jv(v, x) / (x / 2)**v`, which has it"
    )
    return why, why


def _by_argument_of_lmbda(y, v, x):
    # At 0 SciPy's values of integer orders are wrong, and those beside it are not.
    higher, _ = lmbda(v + 2, x + 1e-30 * (primal_of(x) == 0))
    double = 2.0 * (v - int(v) + np.arange(1, len(primal_of(higher)) - 1))
    return -x * higher[1:-1] / double, (x * x * higher[2:] / (double + 2.0) - higher[1:-1]) / double


lazy_scalar_rule(special.lmbda, _by_order_of_lmbda, _by_argument_of_lmbda, orders=(0,))
