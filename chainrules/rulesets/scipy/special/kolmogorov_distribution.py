"""Rules for the distributions of the statistics of Kolmogorov and Smirnov.

Of the limiting one, ``K(x) = 2 Σ (-1)^(k-1) exp(-2k²x²)``, near 0 also ``1 - √(2π)/x Σ
exp(-(2k-1)²π²/(8x²))``, the derivative is that of whichever series converges fast:
https://dlmf.nist.gov/20.7.E32 makes one of the other. That of n observations is ``Σ C(n, v) d (d +
v/n)^(v-1) (1 - d - v/n)^(n-v)`` over ``v <= n (1 - d)``: Z. W. Birnbaum and F. H. Tingey, "One-sided
confidence contours", Annals of Mathematical Statistics 22 (1951). The number of observations has no
tangent.
"""

from math import pi, sqrt

import numpy as np
from scipy import special

from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.values.quotients import inverse
from chainrules_core import primal_of, scalar_rule, without_warnings

# Both series need few terms here.
_MIDDLE = 0.82
_TERMS = range(1, 6)


@without_warnings
def _slope(x):
    """``K'(x)``."""
    is_near = primal_of(x) < _MIDDLE
    return np.where(
        is_near, _slope_near_zero(np.where(is_near, x, _MIDDLE)), _slope_far(np.where(is_near, _MIDDLE, x))
    )


def _slope_near_zero(x):
    x = np.where(primal_of(x) < 1e-3, 1e-3, x)  # where all exponentials are 0
    exponents = [(2 * k - 1) ** 2 * pi * pi / 8 / (x * x) for k in _TERMS]
    return -sqrt(2 * pi) / (x * x) * sum(np.exp(-u) * (2.0 * u - 1.0) for u in exponents)


def _slope_far(x):
    return 8.0 * x * sum((-1) ** k * k * k * np.exp(-2.0 * k * k * x * x) for k in _TERMS)


scalar_rule(special.kolmogorov, lambda y, x: _slope(x))
scalar_rule(special.kolmogi, lambda x, p: inverse(_slope(x)))

# --- Of a number of observations ---------------------------------------------------------------------------


@without_warnings
def _smirnov_slope(n, d):
    """The sum over `v` of the terms, each times its logarithmic derivative by ``d``."""
    n = np.floor(np.asarray(primal_of(n), float))
    ndim = len(np.broadcast_shapes(n.shape, np.shape(d)))
    v = np.reshape(np.arange(1, np.max(n, initial=0) + 1), (-1, *(1,) * ndim))
    low = d + v / n
    is_term = primal_of(low) < 1
    low, rest = np.where(is_term, low, 0.5), np.abs(n - v)
    high = 1.0 - low
    log_choices = special.gammaln(n + 1) - special.gammaln(v + 1) - special.gammaln(rest + 1)
    size = np.exp(log_choices + (v - 2.0) * np.log(low) + (rest - 1.0) * np.log(high))
    change = low * high + d * ((v - 1.0) * high - rest * low)
    return np.sum(np.where(is_term, size * change, 0.0), axis=0) - n * (1.0 - d) ** (n - 1.0)


def _smirnov_by_d(_, n, d):
    is_inside = (primal_of(d) >= 0) & (primal_of(d) < 1)
    return np.where(is_inside, _smirnov_slope(n, np.where(is_inside, d, 0.5)), 0.0)


lazy_scalar_rule(special.smirnov, None, _smirnov_by_d)
lazy_scalar_rule(special.smirnovi, None, lambda d, n, p: 1.0 / _smirnov_slope(n, d))
