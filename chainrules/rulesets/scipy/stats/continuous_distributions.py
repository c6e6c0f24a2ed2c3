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

from chainrules.formulas.probabilities import (
    extreme_values,
    generalized_normal,
    noncentral_mixtures,
    noncentral_student,
    pearson_distribution,
)
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


def _skewed_ratio(z, a):
    """``φ(az) / Φ(az)``."""
    w = a * z
    return np.exp(-0.5 * w * w - special.log_ndtr(w)) / np.sqrt(2 * np.pi)


def _bessel_ratio(x):
    """``I₁(x) / I₀(x)``; the scaled functions have a kink at 0, which their ratio has not."""
    return special.i1e(x) / special.i0e(x)


def _inverse_normal_slope(z, mu):
    """``∂F/∂μ``."""
    return -2.0 / (mu * mu) * np.exp(2.0 / mu + special.log_ndtr(-(z / mu + 1.0) / np.sqrt(z)))


def _is_left(z, c):
    """Whether the density still rises."""
    z, c = primal_of(z), primal_of(c)
    return (z < c) | (c == 1)


def _triangular_slope(z, c):
    """``∂F/∂c``."""
    is_left = _is_left(z, c)
    near, far = np.where(is_left, c, 1.0), np.where(is_left, 1.0, 1.0 - c)
    return np.where(is_left, -((z / near) ** 2), -(((1.0 - z) / far) ** 2))


def _triangular_score(z, c):
    is_left = _is_left(z, c)
    return np.where(is_left, 1.0 / np.where(is_left, z, 1.0), -1.0 / np.where(is_left, 1.0, 1.0 - z))


def _triangular_score_of_c(z, c):
    is_left = _is_left(z, c)
    return np.where(is_left, -1.0 / np.where(is_left, c, 1.0), 1.0 / np.where(is_left, 1.0, 1.0 - c))


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
    type(stats.invgauss): Family(
        lambda z, mu: 0.5 / (z * z) - 1.5 / z - 0.5 / (mu * mu),
        (lambda z, mu: (z - mu) / mu**3,),
        (_inverse_normal_slope,),
    ),
    # For a shape of 0, or at an end of what it may be, SciPy's code takes formulas without the shape.
    type(stats.genextreme): Family(
        extreme_values.extreme_score,
        (extreme_values.extreme_score_of_c,),
        (extreme_values.extreme_slope,),
        ends=(lambda p, end, c: np.where(np.isfinite(primal_of(end)), -end * end, 0.0),),
        within=0.0,
    ),
    type(stats.genpareto): Family(
        extreme_values.pareto_score,
        (extreme_values.pareto_score_of_c,),
        (extreme_values.pareto_slope,),
        ends=(lambda p, end, c: np.where(np.isfinite(primal_of(end)), end * end, 0.0),),
        within=0.0,
    ),
    type(stats.kappa4): Family(
        extreme_values.kappa_score,
        (extreme_values.kappa_score_of_h, extreme_values.kappa_score_of_k),
        (extreme_values.kappa_slope_of_h, extreme_values.kappa_slope_of_k),
        ends=(extreme_values.kappa_end_of_h, extreme_values.kappa_end_of_k),
        within=stats.kappa4.median,
    ),
    type(stats.pearson3): Family(
        pearson_distribution.pearson_score,
        (pearson_distribution.pearson_score_of_skewness,),
        (pearson_distribution.pearson_slope,),
        ends=(lambda p, end, s: np.where(np.isfinite(primal_of(end)), 0.5 * end * end, 0.0),),
        within=0.0,
    ),
    # At its centre SciPy's code has a kink, which probabilities do not have.
    type(stats.gennorm): Family(
        generalized_normal.normal_score,
        (generalized_normal.normal_score_of_b,),
        (generalized_normal.normal_slope,),
    ),
    type(stats.triang): Family(_triangular_score, (_triangular_score_of_c,), (_triangular_slope,)),
    type(stats.ncx2): Family(
        noncentral_mixtures.chi_score,
        (noncentral_mixtures.chi_score_of_df, noncentral_mixtures.chi_score_of_nc),
        (noncentral_mixtures.chi_by_df, noncentral_mixtures.chi_by_nc),
    ),
    type(stats.ncf): Family(
        noncentral_mixtures.f_score,
        (
            noncentral_mixtures.f_score_of_n,
            noncentral_mixtures.f_score_of_m,
            noncentral_mixtures.f_score_of_nc,
        ),
        (
            lambda z, n, m, nc: noncentral_mixtures.f_by_n(n, m, nc, z),
            lambda z, n, m, nc: noncentral_mixtures.f_by_m(n, m, nc, z),
            lambda z, n, m, nc: noncentral_mixtures.f_by_nc(n, m, nc, z),
        ),
    ),
    type(stats.nct): Family(
        noncentral_student.score,
        (noncentral_student.score_of_df, noncentral_student.score_of_nc),
        (noncentral_student.slope_of_df, noncentral_student.slope_of_nc),
    ),
    type(stats.skewnorm): Family(
        lambda z, a: a * _skewed_ratio(z, a) - z,
        (lambda z, a: z * _skewed_ratio(z, a),),
        (lambda z, a: -np.exp(-0.5 * z * z * (1.0 + a * a)) / (np.pi * (1.0 + a * a)),),
    ),
    # Of these, probabilities are left to the code of SciPy.
    type(stats.rice): Family(
        lambda z, b: 1.0 / z - z + b * _bessel_ratio(z * b),
        (lambda z, b: z * _bessel_ratio(z * b) - b,),
        None,
    ),
    type(stats.vonmises): Family(
        lambda z, kappa: -kappa * np.sin(z),
        (lambda z, kappa: special.cosm1(z) + (1.0 - _bessel_ratio(kappa)),),
        None,
    ),
}
WITH_SLOPES = {kind: family for kind, family in FAMILIES.items() if family.slopes is not None}

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
    """Of `ppf`, or with a negative sign of `isf`: at 0 and 1 they are the ends of the support."""

    def partials(at):
        p = primal_of(at.x)
        ends = at.family.ends or (None,) * len(at.shapes)

        def by_p():
            return sign / at.call(CONTINUOUS.pdf, at.y)

        def by_shape(slope, end):
            inside = (p > 0) & (p < 1)
            z = at.standardized(at.y)
            rest = 0.0 * p
            if end is not None and not np.all(inside):
                lower = p if sign > 0 else 1.0 - p
                rest = rest + at.scale * end(lower, z, *at.shapes)
            inner = np.where(inside, z, at.within)
            return np.where(inside, -slope(inner, *at.shapes) / at.call(CONTINUOUS.pdf, at.y), rest)

        return (
            by_p,
            *(lambda pair=pair: by_shape(*pair) for pair in zip(at.family.slopes, ends, strict=True)),
            lambda: np.where(np.isnan(primal_of(at.y)), np.nan, 1.0),
            lambda: at.standardized(at.y),
        )

    return partials


for _method, _families, _partials in (
    (CONTINUOUS.logpdf, FAMILIES, _log_density),
    (CONTINUOUS.pdf, FAMILIES, _density),
    (CONTINUOUS.cdf, WITH_SLOPES, _probability(1.0)),
    (CONTINUOUS.sf, WITH_SLOPES, _probability(-1.0)),
    (CONTINUOUS.logcdf, WITH_SLOPES, _log_probability(1.0)),
    (CONTINUOUS.logsf, WITH_SLOPES, _log_probability(-1.0)),
    (CONTINUOUS.ppf, WITH_SLOPES, _quantile(1.0)),
    (CONTINUOUS.isf, WITH_SLOPES, _quantile(-1.0)),
):
    distribution_rule(_method, CONTINUOUS, _families, _partials)
