"""Rules for the methods of everyday continuous distributions.

All come from one table, of what is known of each distribution at ``z = (x - loc) / scale``; the equations are
in `chainrules/makers/distribution_methods.py`. The methods of other distributions are differentiated as the
code of SciPy that they are. The densities are those of N. L. Johnson, S. Kotz and N. Balakrishnan,
"Continuous Univariate Distributions" (1994), and the derivatives of probabilities by shapes those of the
incomplete gamma and beta functions: `chainrules/operations/incomplete_gamma.py`, `incomplete_beta.py`.
"""

import functools

import numpy as np
from scipy import special, stats

from chainrules.formulas.probabilities.student_distribution import student_slope
from chainrules.makers.distribution_methods import Family, distribution_rule
from chainrules.operations.incomplete_beta import beta_probability
from chainrules.operations.incomplete_gamma import gamma_probability
from chainrules.operations.polygamma import polygamma_increment
from chainrules_core import primal_of

CONTINUOUS = stats.rv_continuous

# --- What is known of each distribution --------------------------------------------------------------------


def _quotient(power, z):
    """``power / z``, also where the power is 0 at the end of the support: the density is even there."""
    is_even = (primal_of(power) == 0) & (primal_of(z) == 0)
    return np.where(is_even, 0.0, power / z)


def _student_score_of_df(z, df):
    """The limits, for infinitely many degrees of freedom, are those of the normal distribution."""
    square = z * z
    quotient = square / df
    change = polygamma_increment(0, 0.5 * df, 0.5) - 1.0 / df - np.log1p(quotient)
    by_df = 0.5 * (change + (1.0 + 1.0 / df) * quotient / (1.0 + quotient))
    return np.where(np.isinf(primal_of(df)), 0.0, by_df)


def _log_normal_slope(z, s):
    u = np.log(z) / s
    return -np.exp(-0.5 * u * u) / np.sqrt(2 * np.pi) * u / s


FAMILIES = {
    type(stats.norm): Family(lambda z: -z),
    type(stats.t): Family(
        lambda z, df: -(1.0 + 1.0 / df) * z / (1.0 + z * z / df),
        (_student_score_of_df,),
        (lambda z, df: np.where(np.isinf(primal_of(df)), 0.0, student_slope(df, z)),),
    ),
    type(stats.gamma): Family(
        lambda z, a: _quotient(a - 1.0, z) - 1.0,
        (lambda z, a: np.log(z) - special.psi(a),),
        (lambda z, a: gamma_probability(1, a, z),),
    ),
    type(stats.beta): Family(
        lambda z, a, b: _quotient(a - 1.0, z) - _quotient(b - 1.0, 1.0 - z),
        (
            lambda z, a, b: np.log(z) + polygamma_increment(0, a, b),
            lambda z, a, b: np.log1p(-z) + polygamma_increment(0, b, a),
        ),
        (
            lambda z, a, b: beta_probability(1, 0, a, b, z),
            lambda z, a, b: beta_probability(0, 1, a, b, z),
        ),
    ),
    type(stats.expon): Family(lambda z: -np.ones_like(z)),
    type(stats.uniform): Family(np.zeros_like),
    type(stats.cauchy): Family(lambda z: -2.0 * z / (1.0 + z * z)),
    type(stats.laplace): Family(lambda z: -np.sign(z)),
    type(stats.logistic): Family(lambda z: -np.tanh(0.5 * z)),
    type(stats.gumbel_r): Family(lambda z: np.expm1(-z)),
    type(stats.halfnorm): Family(lambda z: -z),
    type(stats.rayleigh): Family(lambda z: 1.0 / z - z),
    type(stats.lognorm): Family(
        lambda z, s: -(np.log(z) / (s * s) + 1.0) / z,
        (lambda z, s: ((np.log(z) / s) ** 2 - 1.0) / s,),
        (_log_normal_slope,),
    ),
    type(stats.chi2): Family(
        lambda z, df: _quotient(0.5 * df - 1.0, z) - 0.5,
        (lambda z, df: 0.5 * (np.log(0.5 * z) - special.psi(0.5 * df)),),
        (lambda z, df: 0.5 * gamma_probability(1, 0.5 * df, 0.5 * z),),
    ),
}

# --- The methods -------------------------------------------------------------------------------------------


def _of_arguments(at, by_x, by_shapes, by_scale_alone=None):
    """The derivatives of a function of ``z`` and the shapes, by `x`, the shapes, `loc` and `scale`."""

    def by_scale():
        through_z = -at.z * once()
        return through_z if by_scale_alone is None else through_z - by_scale_alone()

    once = functools.cache(by_x)

    partials = once, *by_shapes, lambda: -once(), by_scale
    return tuple(lambda partial=partial: at.only_inside(partial()) for partial in partials)


def _log_density(at):
    at.keep(np.isfinite(primal_of(at.y)))
    return _of_arguments(
        at,
        lambda: at.score / at.scale,
        [lambda score=score: score(at.z, *at.shapes) for score in at.family.scores],
        lambda: np.divide(1.0, at.scale),
    )


def _density(at):
    at.keep(primal_of(at.y) > 0)
    return _of_arguments(
        at,
        lambda: at.y * at.score / at.scale,
        [lambda score=score: at.y * score(at.z, *at.shapes) for score in at.family.scores],
        lambda: at.y / at.scale,
    )


def _probability(sign):
    """Of `cdf`, or with a negative sign of `sf`."""

    def partials(at):
        at.keep((primal_of(at.y) > 0) & (primal_of(at.y) < 1))
        return _of_arguments(
            at,
            lambda: sign * at.call(CONTINUOUS.pdf, at.x),
            [lambda slope=slope: sign * slope(at.z, *at.shapes) for slope in at.family.slopes],
        )

    return partials


def _log_probability(sign):
    """Of `logcdf`, or with a negative sign of `logsf`."""

    def partials(at):
        at.keep((primal_of(at.y) < 0) & (primal_of(at.y) > -np.inf))
        return _of_arguments(
            at,
            lambda: sign * np.exp(at.call(CONTINUOUS.logpdf, at.x) - at.y),
            [
                lambda slope=slope: sign * slope(at.z, *at.shapes) * np.exp(-at.y)
                for slope in at.family.slopes
            ],
        )

    return partials


def _quantile(sign):
    """Of `ppf`, or with a negative sign of `isf`: the ends of the support do not depend on the shapes."""

    def partials(at):
        p = primal_of(at.x)

        def by_p():
            return sign / at.call(CONTINUOUS.pdf, at.y)

        def by_shape(slope):
            inside = (p > 0) & (p < 1)
            z = np.where(inside, at.standardized(at.y), 0.5)
            return np.where(inside, -slope(z, *at.shapes) / at.call(CONTINUOUS.pdf, at.y), 0.0 * p)

        return (
            by_p,
            *(lambda slope=slope: by_shape(slope) for slope in at.family.slopes),
            lambda: np.where(np.isnan(primal_of(at.y)), np.nan, 1.0),
            lambda: at.standardized(at.y),
        )

    return partials


for _method, _partials in (
    (CONTINUOUS.logpdf, _log_density),
    (CONTINUOUS.pdf, _density),
    (CONTINUOUS.cdf, _probability(1.0)),
    (CONTINUOUS.sf, _probability(-1.0)),
    (CONTINUOUS.logcdf, _log_probability(1.0)),
    (CONTINUOUS.logsf, _log_probability(-1.0)),
    (CONTINUOUS.ppf, _quantile(1.0)),
    (CONTINUOUS.isf, _quantile(-1.0)),
):
    distribution_rule(_method, CONTINUOUS, FAMILIES, _partials)
