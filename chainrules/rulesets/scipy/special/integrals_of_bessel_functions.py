"""Rules for integrals of Bessel functions.

Integrals up to x have the integrand for a derivative. Those of `it2j0y0` and `it2i0k0` are
``(1 - J₀(x)) / x`` and ``(I₀(x) - 1) / x``, which near 0 are the power series
``Σ_{k≥1} (∓1)^(k+1) x^(2k-1) / (4^k k!²)``, and from x to infinity ``-Y₀(x) / x`` and ``-K₀(x) / x``.

``besselpoly(a, λ, ν) = ∫₀¹ x^λ J_ν(2 a x) dx`` is differentiated under the integral sign, by
``2 J_ν' = J_{ν-1} - J_{ν+1}``; by λ and ν see `chainrules.formulas.special_functions.differences_in_order`.
"""

from math import factorial

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.differences_in_order import derivative_by_order, rate_of_powers
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import primal_of, scalar_rule

_N_TERMS = 10


def _share_near_zero(x, sign):
    """``|J₀(x) - 1| / x`` or the same of I₀, for ``|x| < 1``; the next term is less than 1e-19."""
    series = 0.0
    for k in range(_N_TERMS, 0, -1):
        series = series * (x * x) + sign ** (k + 1) / (4**k * factorial(k) ** 2)
    return series * x


def _share(x, distance, sign):
    is_near = np.abs(primal_of(x)) < 1.0
    return np.where(is_near, _share_near_zero(x, sign), distance / np.where(is_near, 1.0, x))


scalar_rule(special.itj0y0, lambda y, x: ((special.j0(x),), (special.y0(x),)))
scalar_rule(special.iti0k0, lambda y, x: ((special.i0(x),), (special.k0(x),)))


@scalar_rule(special.it2j0y0)
def _(y, x):
    return (_share(x, 1.0 - special.j0(x), -1),), (-special.y0(x) / x,)


@scalar_rule(special.it2i0k0)
def _(y, x):
    return (_share(x, special.i0(x) - 1.0, 1),), (-special.k0(x) / x,)


def _rate(a, power, order):
    """How fast `besselpoly` varies with the order and the power; where they add up to -1 it has a pole."""
    pole = np.abs(primal_of(power) + primal_of(order) + 1.0)
    return np.maximum(rate_of_powers(order, primal_of(a)), 16.0 / np.maximum(pole, np.finfo(float).tiny))


def _by_factor(y, a, power, order):
    return special.besselpoly(a, power + 1, order - 1) - special.besselpoly(a, power + 1, order + 1)


def _by_power(y, a, power, order):
    def function(power, a, order):
        return special.besselpoly(a, power, order)

    return derivative_by_order(function, y, power, a, order, rate=_rate(a, power, order))


def _by_order(y, a, power, order):
    def function(order, a, power):
        return special.besselpoly(a, power, order)

    return derivative_by_order(function, y, order, a, power, rate=_rate(a, power, order))


lazy_scalar_rule(special.besselpoly, _by_factor, _by_power, _by_order, orders=(1, 2))
