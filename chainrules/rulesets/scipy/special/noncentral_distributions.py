"""Rules for the noncentral distributions of chi-square and F: mixtures of the central ones.

With the weights ``wⱼ`` of the Poisson distribution of mean ``λ/2``, the distribution functions are ``Σ wⱼ
P(v/2 + j, x/2)`` and ``Σ wⱼ I_y(n/2 + j, m/2)`` at ``y = nx / (m + nx)``. Derivatives by the arguments of
``P`` and ``I`` are mixtures as well; that by λ is half of one of differences, ``P(a + 1, x) - P(a, x) =
-f(x; a + 1)`` and ``I_y(a + 1, b) - I_y(a, b) = -y (1 - y) f(y; a, b) / a``: https://dlmf.nist.gov/8.8.E5,
https://dlmf.nist.gov/8.17.E20. All terms of each have one sign. The noncentral t distribution has no
derivatives yet.
"""

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.distribution_slopes import of_probability
from chainrules.makers.lazy_partials import inverse_rule, lazy_scalar_rule
from chainrules.operations.incomplete_beta import beta_density, beta_probability
from chainrules.operations.incomplete_gamma import gamma_density, gamma_probability
from chainrules_core import not_implemented, primal_of

# The weights that are left out are less than the rounding of those that are not.
_DEVIATIONS, _LEAST = 9.0, 30


def _mixture(term, noncentrality, *others):
    """``Σ wⱼ term(j)``: the numbers j are along a first axis, before those of all arguments."""
    mean = 0.5 * noncentrality
    ndim = len(np.broadcast_shapes(np.shape(mean), *map(np.shape, others)))
    means = np.nan_to_num(np.asarray(primal_of(mean), float), posinf=0.0)
    spread = _DEVIATIONS * np.sqrt(np.maximum(means, 0)) + _LEAST
    last = np.max(means + spread, initial=0)
    first = np.clip(np.floor(np.min(means - spread, initial=last)), 0, None)
    j = np.reshape(np.arange(first, last + 1), (-1, *(1,) * ndim))
    weights = np.exp(special.xlogy(j, mean) - mean - special.gammaln(j + 1))
    return np.sum(weights * term(j), axis=0)


# --- Chi-square --------------------------------------------------------------------------------------------


def _chi_density(x, v, nc):
    return 0.5 * _mixture(lambda j: gamma_density(0, 0.5 * v + j, 0.5 * x), nc, x, v)


def _chi_by_v(x, v, nc):
    return 0.5 * _mixture(lambda j: gamma_probability(1, 0.5 * v + j, 0.5 * x), nc, x, v)


def _chi_by_nc(x, v, nc):
    return -0.5 * _mixture(lambda j: gamma_density(0, 0.5 * v + j + 1.0, 0.5 * x), nc, x, v)


CHI_SQUARE = of_probability(_chi_density, _chi_by_v, _chi_by_nc)

lazy_scalar_rule(special.chndtr, *CHI_SQUARE)
inverse_rule(special.chndtrix, 0, CHI_SQUARE, solves=special.chndtr)
inverse_rule(special.chndtridf, 1, CHI_SQUARE, solves=special.chndtr)
inverse_rule(special.chndtrinc, 2, CHI_SQUARE, solves=special.chndtr)

# --- F -----------------------------------------------------------------------------------------------------


def _f_terms(of_each, i, j, *parameters):
    """The mixture of densities at y, or that of derivatives of probabilities."""
    n, m, nc, x = parameters
    y = n * x / (m + n * x)
    return _mixture(lambda k: of_each(i, j, 0.5 * n + k, 0.5 * m, y), nc, n, m, x)


def _f_by_x(n, m, nc, x):
    return _f_terms(beta_density, 0, 0, n, m, nc, x) * n * m / (m + n * x) ** 2


def _f_by_n(n, m, nc, x):
    return (
        0.5 * _f_terms(beta_probability, 1, 0, n, m, nc, x)
        + _f_terms(beta_density, 0, 0, n, m, nc, x) * m * x / (m + n * x) ** 2
    )


def _f_by_m(n, m, nc, x):
    return (
        0.5 * _f_terms(beta_probability, 0, 1, n, m, nc, x)
        - _f_terms(beta_density, 0, 0, n, m, nc, x) * n * x / (m + n * x) ** 2
    )


def _f_by_nc(n, m, nc, x):
    y, rest = n * x / (m + n * x), m / (m + n * x)
    differences = _mixture(lambda j: beta_density(0, 0, 0.5 * n + j, 0.5 * m, y) / (0.5 * n + j), nc, n, m, x)
    return -0.5 * y * rest * differences


F = of_probability(_f_by_n, _f_by_m, _f_by_nc, _f_by_x)

lazy_scalar_rule(special.ncfdtr, *F)
inverse_rule(special.ncfdtridfn, 0, F, solves=special.ncfdtr)
inverse_rule(special.ncfdtridfd, 1, F, solves=special.ncfdtr)
inverse_rule(special.ncfdtrinc, 2, F, solves=special.ncfdtr)
inverse_rule(special.ncfdtri, 3, F, solves=special.ncfdtr)

# --- Student's distribution --------------------------------------------------------------------------------


def _unknown(*_):
    return not_implemented("no rule knows the derivatives of the noncentral t distribution")


for _function in (special.nctdtr, special.nctdtridf, special.nctdtrinc, special.nctdtrit):
    lazy_scalar_rule(_function, _unknown, _unknown, _unknown)
