"""Rules for the incomplete gamma function, and for the distributions that it gives the probabilities of.

With ``P(a, x)`` and its density ``f(x; a)`` the distribution functions are those of gamma, ``P(b, ax)``,
chi-square, ``P(v/2, x/2)``, and Poisson, ``1 - P(k + 1, m)``: https://dlmf.nist.gov/8.2. The derivative by
the shape, ``∂P/∂a``, is negative everywhere. It is computed in `chainrules/operations/incomplete_gamma.py`.
"""

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.distribution_slopes import of_complement
from chainrules.makers.lazy_partials import inverse_rule, lazy_scalar_rule
from chainrules.operations.incomplete_gamma import gamma_density, gamma_probability
from chainrules_core import primal_of


def _density(a, x):
    return gamma_density(0, a, x)


def _slope(a, x):
    """``∂P/∂a``."""
    return gamma_probability(1, a, x)


INCOMPLETE = (lambda _, a, x: _slope(a, x), lambda _, a, x: _density(a, x))

lazy_scalar_rule(special.gammainc, *INCOMPLETE)
lazy_scalar_rule(special.gammaincc, *of_complement(INCOMPLETE))
inverse_rule(special.gammaincinv, 1, INCOMPLETE, ends=(0.0,))
inverse_rule(special.gammainccinv, 1, of_complement(INCOMPLETE), ends=(1.0,))

# --- The gamma distribution, with the rate a and the shape b -----------------------------------------------

GAMMA = (
    lambda _, a, b, x: x * _density(b, a * x),
    lambda _, a, b, x: _slope(b, a * x),
    lambda _, a, b, x: a * _density(b, a * x),
)

lazy_scalar_rule(special.gdtr, *GAMMA)
lazy_scalar_rule(special.gdtrc, *of_complement(GAMMA))
inverse_rule(special.gdtria, 0, GAMMA)
inverse_rule(special.gdtrib, 1, GAMMA)
inverse_rule(special.gdtrix, 2, GAMMA)

# --- The chi-square distribution ---------------------------------------------------------------------------

CHI_SQUARE = (
    lambda _, v, x: 0.5 * _slope(0.5 * v, 0.5 * x),
    lambda _, v, x: 0.5 * _density(0.5 * v, 0.5 * x),
)

lazy_scalar_rule(special.chdtr, *CHI_SQUARE)
lazy_scalar_rule(special.chdtrc, *of_complement(CHI_SQUARE))
inverse_rule(special.chdtri, 1, of_complement(CHI_SQUARE))
inverse_rule(special.chdtriv, 0, CHI_SQUARE)

# --- The Poisson distribution ------------------------------------------------------------------------------

# With numbers of events that are rounded down, and with real ones, which one inverse has.


def _whole_density(_, k, m):
    return _density(np.floor(primal_of(k)) + 1.0, m)


POISSON = (lambda _, k, m: -_slope(k + 1.0, m), lambda _, k, m: -_density(k + 1.0, m))

lazy_scalar_rule(special.pdtr, None, *of_complement((_whole_density,)))
lazy_scalar_rule(special.pdtrc, None, _whole_density)
lazy_scalar_rule(special.pdtri, None, lambda m, k, p: -1.0 / _whole_density(p, k, m))
inverse_rule(special.pdtrik, 0, POISSON, least=0.0)
