"""Rules for Struve functions.

By the argument, https://dlmf.nist.gov/11.4, with ``c = (x/2)^v / (sqrt π Γ(v + 3/2))``::

    2 H_v' = H_{v-1} - H_{v+1} + c,   2 L_v' = L_{v-1} + L_{v+1} + c
    H_v' = H_{v-1} - v/x H_v,         L_v' = L_{v-1} - v/x L_v

The first two hold at 0, and the others keep their digits where x is large. The integrals have
their integrands for derivatives, and near 0 that of `it2struve0` is the power series
``H₀(x)/x = 2/π Σ (-1)^k x^2k / ((2k + 1)!!)²``.

By the order: see `chainrules.formulas.special_functions.differences_in_order`. The derivatives are accurate
to 1e-11, relative to the sum of the sizes of the function and its derivative.
"""

from math import pi, prod

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.differences_in_order import (
    derivative_by_order,
    or_power_of_zero,
    rate_of_powers,
)
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import primal_of


def _slope(function, sign):
    """By the argument, with this sign of ``function(v + 1, x)`` in the form that holds at 0."""

    def by_argument(y, v, x):
        is_near = np.abs(primal_of(x)) < 2.0
        near_x, far_x = np.where(is_near, x, 1.0), np.where(is_near, 1.0, x)
        source = np.power(0.5 * near_x, v) * special.rgamma(v + 1.5) / np.sqrt(np.pi)
        below = function(v - 1, x)
        near = 0.5 * (below + sign * function(v + 1, near_x) + source)
        return np.where(is_near, near, below - v * y / far_x)

    return by_argument


def define_rule(function, by_argument):
    """Define the rules of a function of an order and an argument, from the derivative by the argument."""

    def by_order(y, v, x):
        # Beside the powers of Bessel functions there are those of c, which grow with x as well.
        rate = rate_of_powers(v, x) + np.log1p(np.abs(primal_of(x)))
        slope = derivative_by_order(function, y, v, x, rate=rate)
        return or_power_of_zero(slope, x, exponent=v + 1.0)

    lazy_scalar_rule(function, by_order, by_argument, orders=(0,))


define_rule(special.struve, _slope(special.struve, -1.0))
define_rule(special.modstruve, _slope(special.modstruve, 1.0))

lazy_scalar_rule(special.itstruve0, lambda y, x: special.struve(0, x))
lazy_scalar_rule(special.itmodstruve0, lambda y, x: special.modstruve(0, x))


def _slope_of_it2struve0(y, x):
    is_near = np.abs(primal_of(x)) < 1.0
    return -np.where(is_near, _quotient_near_zero(x), special.struve(0, x) / np.where(is_near, 1.0, x))


lazy_scalar_rule(special.it2struve0, _slope_of_it2struve0)


def _quotient_near_zero(x):
    """``H₀(x) / x`` for ``|x| < 1``; the next term is less than 1e-18."""
    series = 0.0
    for k in range(9, -1, -1):
        series = series * (x * x) + (-1) ** k * 2 / pi / prod(range(1, 2 * k + 2, 2)) ** 2
    return series
