"""Rules for the functions without a public name by which `scipy.stats` computes, most of them Boost's.

They are densities ``f``, probabilities ``F`` and quantiles: the derivative of ``F`` is ``f``, that of a
quantile by its probability ``1/f``, and by a parameter ``-∂F/∂θ / f``. With ``q = 1 - p``::

    beta            f = x^(a-1) (1-x)^(b-1) / B(a, b)     F = I_x(a, b)
    binomial        f = C(n, k) pᵏ qⁿ⁻ᵏ                   ∂f/∂p = f (k - np) / (pq)
                                                          ∂F/∂p = -n f(k; n - 1, p)
    negative        f = C(k + n - 1, k) pⁿ qᵏ             ∂f/∂p = n/p (f - f(k - 1; n + 1, p))
                                                          F = I_p(n, k + 1)
    Cauchy          f = 1 / (πσ (1 + z²))                 z = (x - μ) / σ
    skewed normal   f = 2 φ(z) Φ(az) / σ                  ∂F/∂a = -exp(-z² (1 + a²) / 2) / (π (1 + a²))

A. Azzalini and A. Capitanio, "Statistical applications of the multivariate skew normal distribution", Journal
of the Royal Statistical Society B 61 (1999); https://dlmf.nist.gov/8.17. Numbers of successes and trials have
no tangent.
"""

from math import pi, sqrt

import numpy as np
from scipy import special
from scipy.special import _ufuncs

from chainrules.formulas.probabilities.distribution_slopes import of_complement, of_probability
from chainrules.formulas.probabilities.noncentral_student import (
    score,
    score_of_df,
    score_of_nc,
    slope_of_df,
    slope_of_nc,
    slope_of_x,
)
from chainrules.makers.lazy_partials import inverse_rule, lazy_scalar_rule
from chainrules.makers.versions import present
from chainrules.operations.incomplete_beta import beta_density, beta_probability
from chainrules.operations.polygamma import polygamma_increment
from chainrules_core import non_differentiable, primal_of, scalar_rule

# --- The beta distribution: x, a, b ------------------------------------------------------------------------

BETA_PDF, BETA_PPF = present(_ufuncs, "_beta_pdf", "_beta_ppf")


def _beta_by_x(x, a, b):
    return beta_density(0, 0, a, b, x)


lazy_scalar_rule(
    BETA_PDF,
    lambda y, x, a, b: y * ((a - 1.0) / x - (b - 1.0) / (1.0 - x)),
    lambda y, x, a, b: beta_density(1, 0, a, b, x),
    lambda y, x, a, b: beta_density(0, 1, a, b, x),
)
inverse_rule(
    BETA_PPF,
    0,
    (
        lambda _, x, a, b: _beta_by_x(x, a, b),
        lambda _, x, a, b: beta_probability(1, 0, a, b, x),
        lambda _, x, a, b: beta_probability(0, 1, a, b, x),
    ),
)

# --- The binomial distribution: k, n, p --------------------------------------------------------------------

BINOM_CDF, BINOM_ISF, BINOM_PMF, BINOM_PPF, BINOM_SF = present(
    _ufuncs, "_binom_cdf", "_binom_isf", "_binom_pmf", "_binom_ppf", "_binom_sf"
)


def _binomial(k, n, p):
    """The probability of `k` successes, 0 of numbers that there cannot be."""
    is_possible = (k >= 0) & (k <= n)
    return np.where(is_possible, BINOM_PMF(np.where(is_possible, k, 0), np.where(is_possible, n, 0), p), 0.0)


def _binomial_by_p(y, k, n, p):
    k, n = primal_of(k), primal_of(n)
    is_inside = (primal_of(p) > 0) & (primal_of(p) < 1)
    inner = np.where(is_inside, p, 0.5)
    # The difference of probabilities is their derivative everywhere, but cancels beside the mean.
    at_end = n * (_binomial(k - 1, n - 1, p) - _binomial(k, n - 1, p))
    return np.where(is_inside, y * (k - n * p) / (inner * (1.0 - inner)), at_end)


def _binomial_cdf_by_p(_, k, n, p):
    k, n = np.floor(primal_of(k)), primal_of(n)
    return -n * _binomial(k, n - 1, p)


lazy_scalar_rule(BINOM_PMF, None, None, _binomial_by_p)
lazy_scalar_rule(BINOM_CDF, None, None, _binomial_cdf_by_p)
lazy_scalar_rule(BINOM_SF, None, None, lambda y, k, n, p: -_binomial_cdf_by_p(y, k, n, p))
non_differentiable(BINOM_PPF)
non_differentiable(BINOM_ISF)

# --- The negative binomial distribution: k, n, p -----------------------------------------------------------

NBINOM_CDF, NBINOM_ISF, NBINOM_PMF, NBINOM_PPF, NBINOM_SF = present(
    _ufuncs, "_nbinom_cdf", "_nbinom_isf", "_nbinom_pmf", "_nbinom_ppf", "_nbinom_sf"
)


def _negative_by_p(y, k, n, p):
    k = primal_of(k)
    before = np.where(k >= 1, NBINOM_PMF(np.maximum(k - 1.0, 0.0), n + 1.0, p), 0.0)
    return n / p * (y - before)


def _whole(k):
    return np.floor(primal_of(k))


NEGATIVE_BINOMIAL = (
    lambda _, k, n, p: beta_probability(1, 0, n, _whole(k) + 1.0, p),
    lambda _, k, n, p: beta_density(0, 0, n, _whole(k) + 1.0, p),
)

lazy_scalar_rule(
    NBINOM_PMF,
    None,
    lambda y, k, n, p: y * (np.log(p) + polygamma_increment(0, n, primal_of(k) + 0.0)),
    _negative_by_p,
)
lazy_scalar_rule(NBINOM_CDF, None, *NEGATIVE_BINOMIAL)
lazy_scalar_rule(NBINOM_SF, None, *of_complement(NEGATIVE_BINOMIAL))
non_differentiable(NBINOM_PPF)
non_differentiable(NBINOM_ISF)

# --- The Cauchy distribution: p, loc, scale ----------------------------------------------------------------

CAUCHY_ISF, CAUCHY_PPF = present(_ufuncs, "_cauchy_isf", "_cauchy_ppf")


def _cauchy_by_p(_, p, loc, scale):
    return pi * scale / np.sin(pi * p) ** 2


lazy_scalar_rule(
    CAUCHY_PPF,
    _cauchy_by_p,
    lambda x, p, loc, scale: np.ones_like(x),
    lambda x, p, loc, scale: (x - loc) / scale,
)
lazy_scalar_rule(
    CAUCHY_ISF,
    lambda x, p, loc, scale: -_cauchy_by_p(x, p, loc, scale),
    lambda x, p, loc, scale: np.ones_like(x),
    lambda x, p, loc, scale: (x - loc) / scale,
)

# --- The skewed normal distribution: x, loc, scale, a ------------------------------------------------------

SKEWNORM_CDF, SKEWNORM_ISF, SKEWNORM_PPF = present(_ufuncs, "_skewnorm_cdf", "_skewnorm_isf", "_skewnorm_ppf")


def _skewed_by_x(_, x, loc, scale, a):
    z = (x - loc) / scale
    return sqrt(2 / pi) * np.exp(-0.5 * z * z) * special.ndtr(a * z) / scale


def _skewed_by_a(_, x, loc, scale, a):
    z, square = (x - loc) / scale, 1.0 + a * a
    return -np.exp(-0.5 * z * z * square) / (pi * square)


SKEWED = (
    _skewed_by_x,
    lambda *values: -_skewed_by_x(*values),
    lambda y, x, loc, scale, a: -_skewed_by_x(y, x, loc, scale, a) * (x - loc) / scale,
    _skewed_by_a,
)

lazy_scalar_rule(SKEWNORM_CDF, *SKEWED)
inverse_rule(SKEWNORM_PPF, 0, SKEWED)
inverse_rule(SKEWNORM_ISF, 0, of_complement(SKEWED))

# --- The noncentral t distribution: x, df, nc --------------------------------------------------------------

NCT_ISF, NCT_PDF, NCT_SF = present(_ufuncs, "_nct_isf", "_nct_pdf", "_nct_sf")
STUDENT = of_complement(of_probability(slope_of_x, slope_of_df, slope_of_nc))

lazy_scalar_rule(
    NCT_PDF,
    lambda y, x, df, nc: y * score(x, df, nc),
    lambda y, x, df, nc: y * score_of_df(x, df, nc),
    lambda y, x, df, nc: y * score_of_nc(x, df, nc),
)
lazy_scalar_rule(NCT_SF, *STUDENT)
inverse_rule(NCT_ISF, 0, STUDENT)


# --- Logarithms of complements: log(1 - exp x) -------------------------------------------------------------

for LOG1MEXP in present(_ufuncs, "_log1mexp"):  # since SciPy 1.16
    scalar_rule(LOG1MEXP, lambda y, x: -np.exp(x - y))
