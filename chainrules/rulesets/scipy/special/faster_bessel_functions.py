"""Rules for the faster versions of common Bessel functions, of the orders 0 and 1.

As for all orders: https://dlmf.nist.gov/10.6 and https://dlmf.nist.gov/10.29. Scaled functions of a large
argument: see `chainrules.formulas.special_functions.bessel_slopes`.
"""

from scipy import special

from chainrules.formulas.special_functions.bessel_slopes import (
    direction,
    far_or_near,
    is_large,
    logarithmic_slope,
)
from chainrules_core import scalar_rule

scalar_rule(special.j0, lambda y, x: -special.j1(x))
scalar_rule(special.j1, lambda y, x: 0.5 * (special.j0(x) - special.jv(2, x)))
scalar_rule(special.y0, lambda y, x: -special.y1(x))
scalar_rule(special.y1, lambda y, x: 0.5 * (special.y0(x) - special.yv(2, x)))
scalar_rule(special.i0, lambda y, x: special.i1(x))
scalar_rule(special.i1, lambda y, x: 0.5 * (special.i0(x) + special.iv(2, x)))
scalar_rule(special.k0, lambda y, x: -special.k1(x))
scalar_rule(special.k1, lambda y, x: -0.5 * (special.k0(x) + special.kv(2, x)))


def _of_scaled_i(order, y, slope, x):
    """By x, where ``exp(-|x|)`` would multiply `slope`; 0 for the kink of the factor at 0."""
    sign = direction(x)

    def far():
        return -sign * y * logarithmic_slope(order, -sign * x)

    return far_or_near(is_large(order, x), far, slope - sign * y)


def _of_scaled_k(order, y, slope, x):
    return far_or_near(is_large(order, x), lambda: y * logarithmic_slope(order, x), y + slope)


scalar_rule(special.i0e, lambda y, x: _of_scaled_i(0, y, special.i1e(x), x))
scalar_rule(special.i1e, lambda y, x: _of_scaled_i(1, y, 0.5 * (special.i0e(x) + special.ive(2, x)), x))
scalar_rule(special.k0e, lambda y, x: _of_scaled_k(0, y, -special.k1e(x), x))
scalar_rule(special.k1e, lambda y, x: _of_scaled_k(1, y, -0.5 * (special.k0e(x) + special.kve(2, x)), x))
