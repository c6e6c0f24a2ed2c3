"""Rules for the distributions of the statistics of Kolmogorov and Smirnov.

Of the limiting one, ``K(x) = 2 Σ (-1)^(k-1) exp(-2k²x²)``, near 0 also ``1 - √(2π)/x Σ
exp(-(2k-1)²π²/(8x²))``, the derivative is that of whichever series converges fast:
https://dlmf.nist.gov/20.7.E32 makes one of the other. That of n observations has
`chainrules.formulas.probabilities.smirnov_distribution`; their number has no tangent.
"""

from math import pi, sqrt

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.smirnov_distribution import smirnov_slope
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


def _smirnov_by_d(_, n, d):
    is_inside = (primal_of(d) >= 0) & (primal_of(d) < 1)
    return np.where(is_inside, smirnov_slope(n, np.where(is_inside, d, 0.5)), 0.0)


lazy_scalar_rule(special.smirnov, None, _smirnov_by_d)
lazy_scalar_rule(special.smirnovi, None, lambda d, n, p: 1.0 / smirnov_slope(n, d))
