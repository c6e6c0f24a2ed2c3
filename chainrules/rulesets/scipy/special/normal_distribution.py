"""Rules for the normal distribution.

Its density ``φ(x) = exp(-x²/2) / √(2π)`` is the derivative of `ndtr`. The relative ones, ``φ/Φ``, which do
not underflow, are ``√(2/π) / erfcx(-x/√2)``. Of Owen's function ``T(h, a)`` the derivatives are ``-φ(h)
erf(ah/√2) / 2`` and ``exp(-h²(1 + a²)/2) / (2π(1 + a²))``: D. B. Owen, "Tables for computing bivariate
normal probabilities", Annals of Mathematical Statistics 27 (1956).
"""

from math import pi, sqrt

import numpy as np
from scipy import special

from chainrules.formulas.numbers.far_ends import without_infinities
from chainrules.makers.elementwise import binary_rule
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import scalar_rule

SQRT_HALF, SQRT_2_PI = sqrt(0.5), sqrt(2 * pi)


# From here on, on either side, the density is zero, and the probability 0 or 1.
_FAR_AWAY = 40.0


def _density(x):
    x = without_infinities(x, -_FAR_AWAY, _FAR_AWAY)
    return np.exp(-0.5 * x * x) / SQRT_2_PI


def _relative_density(x):
    return sqrt(2 / pi) / special.erfcx(-SQRT_HALF * without_infinities(x, -np.inf, _FAR_AWAY))


scalar_rule(special.ndtr, lambda y, x: _density(x))
scalar_rule(special.log_ndtr, lambda y, x: _relative_density(x))
scalar_rule(special.ndtri, lambda x, p: SQRT_2_PI * np.exp(0.5 * x * x))
scalar_rule(special.ndtri_exp, lambda x, log_p: sqrt(pi / 2) * special.erfcx(-SQRT_HALF * x))

# --- Means and standard deviations: x = μ + σ z of the probability p, where z = ndtri(p) -------------------


def _mean_by_p(mean, p, sigma, x):
    return -sigma * SQRT_2_PI * np.exp(0.5 * special.ndtri(p) ** 2)


def _sigma_by_p(sigma, mean, p, x):
    z = special.ndtri(p)
    return -(sigma / z) * SQRT_2_PI * np.exp(0.5 * z * z)


lazy_scalar_rule(
    special.nrdtrimn,
    _mean_by_p,
    lambda mean, p, sigma, x: -special.ndtri(p),
    lambda mean, p, sigma, x: np.ones_like(x),
)
lazy_scalar_rule(
    special.nrdtrisd,
    lambda sigma, mean, p, x: -1.0 / special.ndtri(p),
    _sigma_by_p,
    lambda sigma, mean, p, x: 1.0 / special.ndtri(p),
)

# --- Owen's function ---------------------------------------------------------------------------------------


def _owens_t_by_a(_, h, a):
    square = 1.0 + a * a
    return np.exp(-0.5 * h * h * square) / (2 * pi * square)


binary_rule(
    special.owens_t, lambda _, h, a: -0.5 * _density(h) * special.erf(SQRT_HALF * a * h), _owens_t_by_a
)
