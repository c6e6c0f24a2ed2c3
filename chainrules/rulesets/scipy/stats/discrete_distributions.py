"""Rules for the methods of discrete distributions, by their real parameters.

They are made of what is known of each distribution, in
`chainrules/makers/known_discrete_distributions.py`. The numbers of events and trials, and the location,
which shifts them, have no tangents. The methods of classes of others are differentiated as the code that
they are.
"""

import numpy as np
from scipy import stats

from chainrules.makers.distribution_methods import distribution_rule, each
from chainrules.makers.known_discrete_distributions import FAMILIES
from chainrules.makers.reparameterization import not_reparameterized
from chainrules.makers.versions import also_named
from chainrules_core import non_differentiable, primal_of

DISCRETE = stats.rv_discrete


def _by_shapes(at, partials, factor=lambda: 1.0):
    def value(partial):
        return at.only_inside(factor() * partial(primal_of(at.z), *at.shapes))

    return None, *each(partials, value), None


def _keep_inside(at, inside, *, to_end):
    """Note where the result depends on its arguments: in the support, if formulas hold nowhere else.

    At infinity it is constant.
    """
    inside = inside & np.isfinite(primal_of(at.x))
    if at.family.is_inside:
        low, high = at.distribution._get_support(*map(primal_of, at.shapes))  # noqa: SLF001 - quicker
        k = primal_of(at.x) - primal_of(at.loc)
        inside = inside & (k >= low) & ((k <= high) if to_end else (k < high))
        if to_end:
            inside &= k == np.floor(k)
    at.keep(inside)


def _log_mass(at):
    _keep_inside(at, np.isfinite(primal_of(at.y)), to_end=True)
    return _by_shapes(at, at.family.scores)


def _mass_function(at):
    _keep_inside(at, ~np.isnan(primal_of(at.y)), to_end=True)
    return _by_shapes(at, at.family.densities)


def _probability(sign):
    """Of `cdf`, or with a negative sign of `sf`."""

    def partials(at):
        _keep_inside(at, ~np.isnan(primal_of(at.y)), to_end=False)
        if sign < 0 and at.family.log_above:
            return _by_shapes(at, at.family.log_above, lambda: at.y)
        return _by_shapes(at, at.family.slopes, lambda: sign)

    return partials


def _log_probability(sign):
    """Of `logcdf`, or with a negative sign of `logsf`."""

    def partials(at):
        _keep_inside(at, np.isfinite(primal_of(at.y)), to_end=False)
        if sign < 0 and at.family.log_above:
            return _by_shapes(at, at.family.log_above)
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

# SciPy 1.18 gives the discrete distributions methods of their own.
for _name in ("interval", "median", "support"):
    also_named(f"rv_generic.{_name}", f"rv_discrete.{_name}")
# These are whole numbers, which stay where they are.
distribution_rule(DISCRETE.median, DISCRETE, FAMILIES, lambda at: (None,) * (len(at.shapes) + 1), 0)
distribution_rule(DISCRETE.support, DISCRETE, FAMILIES, lambda at: [(None,) * (len(at.shapes) + 1)] * 2, 0)
distribution_rule(DISCRETE.interval, DISCRETE, FAMILIES, lambda at: [(None,) * (len(at.shapes) + 2)] * 2)
not_reparameterized(DISCRETE.rvs, DISCRETE, "a whole number that is drawn jumps with the parameters")
non_differentiable(DISCRETE.ppf)
non_differentiable(DISCRETE.isf)
