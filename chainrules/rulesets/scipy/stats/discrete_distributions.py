"""Rules for the methods of discrete distributions: `poisson` and `binom`.

Their derivatives by the mean μ and the probability p, with the probabilities ``f(k)``::

    poisson   ∂ log f/∂μ = k/μ - 1                ∂f/∂μ = f(k - 1) - f(k)                  ∂F/∂μ = -f(k)
    binom     ∂ log f/∂p = k/p - (n - k)/(1 - p)  ∂f/∂p = n (f(k - 1; n - 1) - f(k; n - 1))
                                                  ∂F/∂p = -n f(k; n - 1)

The numbers of events and trials, and the location, which shifts them, have no tangents. The methods of other
distributions are differentiated as the code of SciPy that they are: https://dlmf.nist.gov/8.17#iii.
"""

import numpy as np
from scipy import stats

from chainrules.makers.distribution_methods import Family, distribution_rule
from chainrules_core import non_differentiable, primal_of, primitive

DISCRETE = stats.rv_discrete

_mass = primitive(DISCRETE.pmf)

# --- What is known of each distribution --------------------------------------------------------------------


def _quotient(k, p):
    """``k / p``, also for an impossible event that did not happen."""
    return np.where(k == 0, 0.0, k / np.where(k == 0, 1.0, p))


def _binomial_score(k, n, p):
    return _quotient(k, p) - _quotient(n - k, 1.0 - p)


def _fewer(k, n, p):
    """``n f(k; n - 1, p)``."""
    n = primal_of(n)
    return n * _mass(stats.binom, k, np.maximum(n - 1, 0), p)


FAMILIES = {
    type(stats.poisson): Family(
        None,
        (lambda k, mu: _quotient(k, mu) - 1.0,),
        (lambda k, mu: -_mass(stats.poisson, np.floor(k), mu),),
        (lambda k, mu: _mass(stats.poisson, k - 1.0, mu) - _mass(stats.poisson, k, mu),),
    ),
    type(stats.binom): Family(
        None,
        (None, _binomial_score),
        (None, lambda k, n, p: -_fewer(np.floor(k), n, p)),
        (None, lambda k, n, p: _fewer(k - 1.0, n, p) - _fewer(k, n, p)),
    ),
}

# --- The methods -------------------------------------------------------------------------------------------


def _by_shapes(at, partials, factor=lambda: 1.0):
    def by(partial):
        return lambda: at.only_inside(factor() * partial(primal_of(at.z), *at.shapes))

    return None, *(partial and by(partial) for partial in partials), None


def _log_mass(at):
    at.keep(np.isfinite(primal_of(at.y)))
    return _by_shapes(at, at.family.scores)


def _mass_function(at):
    at.keep(~np.isnan(primal_of(at.y)))
    return _by_shapes(at, at.family.densities)


def _probability(sign):
    """Of `cdf`, or with a negative sign of `sf`."""

    def partials(at):
        at.keep(~np.isnan(primal_of(at.y)))
        return _by_shapes(at, at.family.slopes, lambda: sign)

    return partials


def _log_probability(sign):
    """Of `logcdf`, or with a negative sign of `logsf`."""

    def partials(at):
        at.keep(np.isfinite(primal_of(at.y)))
        return _by_shapes(at, at.family.slopes, lambda: sign * np.exp(-at.y))

    return partials


for _method, _partials in (
    (DISCRETE.logpmf, _log_mass),
    (DISCRETE.pmf, _mass_function),
    (DISCRETE.cdf, _probability(1.0)),
    (DISCRETE.sf, _probability(-1.0)),
    (DISCRETE.logcdf, _log_probability(1.0)),
    (DISCRETE.logsf, _log_probability(-1.0)),
):
    distribution_rule(_method, DISCRETE, FAMILIES, _partials)

non_differentiable(DISCRETE.ppf)
non_differentiable(DISCRETE.isf)
