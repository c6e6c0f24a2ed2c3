"""What is known of the continuous distributions of `scipy.stats`.

Most are given by their equations alone, in `chainrules/formulas/probabilities/`. Those here have formulas
of their own, which are quicker, or hold where the equations divide by 0. The densities are those of N. L.
Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions" (1994), and the derivatives of
probabilities by shapes those of the incomplete gamma and beta functions:
`chainrules/operations/incomplete_gamma.py`, `incomplete_beta.py`.
"""

from functools import partial
from typing import Any

import numpy as np
from scipy import special, stats

from chainrules.formulas.calls.partial_derivatives import partial_derivative
from chainrules.formulas.probabilities import (
    angles,
    distributions_on_half_lines,
    distributions_on_intervals,
    distributions_on_lines,
    extreme_values,
    generalized_normal,
    lambda_distribution,
    limits_of_kolmogorov,
    noncentral_mixtures,
    noncentral_student,
    pearson_distribution,
    smirnov_distribution,
)
from chainrules.formulas.probabilities.student_distribution import student_slope
from chainrules.makers.distribution_methods import Family
from chainrules.makers.standard_families import family_of
from chainrules.operations.incomplete_beta import beta_probability
from chainrules.operations.incomplete_gamma import gamma_probability
from chainrules.operations.kolmogorov_density import kolmogorov_density
from chainrules.operations.landau_ratio import landau_ratio
from chainrules.operations.polygamma import polygamma_increment
from chainrules_core import primal_of, primitive

_density = primitive(stats.rv_continuous.pdf)
_log_below, _log_above = primitive(stats.rv_continuous.logcdf), primitive(stats.rv_continuous.logsf)

# --- Formulas of some --------------------------------------------------------------------------------------


def _quotient(power: Any, z: Any) -> Any:
    """``power / z``, also where the power is 0 at the end of the support: the density is even there."""
    is_even = (primal_of(power) == 0) & (primal_of(z) == 0)
    return np.where(is_even, 0.0, power / z)


def _student_score_of_df(z: Any, df: Any) -> Any:
    """The limits, for infinitely many degrees of freedom, are those of the normal distribution."""
    square = z * z
    quotient = square / df
    change = polygamma_increment(0, 0.5 * df, 0.5) - 1.0 / df - np.log1p(quotient)
    by_df = 0.5 * (change + (1.0 + 1.0 / df) * quotient / (1.0 + quotient))
    return np.where(np.isinf(primal_of(df)), 0.0, by_df)


def _skewed_ratio(z: Any, a: Any) -> Any:
    """``φ(az) / Φ(az)``."""
    w = a * z
    return np.exp(-0.5 * w * w - special.log_ndtr(w)) / np.sqrt(2 * np.pi)


def _bessel_ratio(x: Any) -> Any:
    """``I₁(x) / I₀(x)``; the scaled functions have a kink at 0, which their ratio has not."""
    return special.i1e(x) / special.i0e(x)


def _inverse_normal_slope(z: Any, mu: Any) -> Any:
    """``∂F/∂μ``."""
    return -_inverse_normal_part(z, mu, lambda *_: 0.0)


def _inverse_normal_part(z: Any, mu: Any, log_probability: Any) -> Any:
    """``-∂F/∂μ`` as a part of a probability, which may underflow."""
    log_part = 2.0 / mu + special.log_ndtr(-(z / mu + 1.0) / np.sqrt(z))
    return 2.0 / (mu * mu) * np.exp(log_part - log_probability(stats.invgauss, z, mu))


def _inverse_normal_above(z: Any, mu: Any) -> Any:
    """``∂ log (1 - F)/∂μ``; above the mean the logarithms of SciPy's two terms are almost the same."""
    is_above = primal_of(z) > primal_of(mu)
    root = np.sqrt(2.0 * z)
    low, high = np.where(is_above, z / mu - 1.0, 0.0) / root, special.erfcx((z / mu + 1.0) / root)
    above = 2.0 / (mu * mu) * high / (special.erfcx(low) - high)
    return np.where(is_above, above, _inverse_normal_part(z, mu, _log_above))


def _is_left(z: Any, c: Any) -> Any:
    """Whether the density still rises."""
    z, c = primal_of(z), primal_of(c)
    return (z < c) | (c == 1)


def _triangular_slope(z: Any, c: Any) -> Any:
    """``∂F/∂c``."""
    is_left = _is_left(z, c)
    near, far = np.where(is_left, c, 1.0), np.where(is_left, 1.0, 1.0 - c)
    return np.where(is_left, -((z / near) ** 2), -(((1.0 - z) / far) ** 2))


def _triangular_score(z: Any, c: Any) -> Any:
    is_left = _is_left(z, c)
    return np.where(is_left, 1.0 / np.where(is_left, z, 1.0), -1.0 / np.where(is_left, 1.0, 1.0 - z))


def _triangular_score_of_c(z: Any, c: Any) -> Any:
    is_left = _is_left(z, c)
    return np.where(is_left, -1.0 / np.where(is_left, c, 1.0), 1.0 / np.where(is_left, 1.0, 1.0 - c))


def _log_normal_slope(z: Any, s: Any) -> Any:
    u = np.log(z) / s
    return -np.exp(-0.5 * u * u) / np.sqrt(2 * np.pi) * u / s


def _sum_score(z: Any, n: Any) -> Any:
    """Of a sum of uniform numbers: the slope is the difference of two densities of a sum of one less."""
    fewer = np.maximum(primal_of(n) - 1, 1)
    difference = _density(stats.irwinhall, z, fewer) - _density(stats.irwinhall, z - 1.0, fewer)
    return np.where(primal_of(n) > 1, difference / _density(stats.irwinhall, z, n), 0.0)


FAMILIES: dict[type, Family] = {
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
        log_below=(partial_derivative(lambda z, s: special.log_ndtr(np.log(z) / s), 1),),
        log_above=(partial_derivative(lambda z, s: special.log_ndtr(-np.log(z) / s), 1),),
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
        log_below=(lambda z, mu: -_inverse_normal_part(z, mu, _log_below),),
        log_above=(_inverse_normal_above,),
    ),
    # For a shape of 0, or at an end of what it may be, SciPy's code takes formulas without the shape.
    type(stats.genextreme): Family(
        extreme_values.extreme_score,
        (extreme_values.extreme_score_of_c,),
        (extreme_values.extreme_slope,),
        log_below=(extreme_values.extreme_log_slope,),
        ends=(lambda p, end, c: np.where(np.isfinite(primal_of(end)), -end * end, 0.0),),
        within=0.0,
    ),
    type(stats.genpareto): Family(
        extreme_values.pareto_score,
        (extreme_values.pareto_score_of_c,),
        (extreme_values.pareto_slope,),
        log_above=(lambda z, c: extreme_values.reduced_by_c(-c, z),),
        ends=(lambda p, end, c: np.where(np.isfinite(primal_of(end)), end * end, 0.0),),
        within=0.0,
    ),
    type(stats.kappa4): Family(
        extreme_values.kappa_score,
        (extreme_values.kappa_score_of_h, extreme_values.kappa_score_of_k),
        (extreme_values.kappa_slope_of_h, extreme_values.kappa_slope_of_k),
        log_below=(extreme_values.kappa_log_slope_of_h, extreme_values.kappa_log_slope_of_k),
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
    type(stats.rice): Family(
        lambda z, b: 1.0 / z - z + b * _bessel_ratio(z * b),
        (lambda z, b: z * _bessel_ratio(z * b) - b,),
        (lambda z, b: 2.0 * b * noncentral_mixtures.chi_by_nc(z * z, 2.0, b * b),),
    ),
    type(stats.vonmises): Family(
        lambda z, kappa: -kappa * np.sin(z),
        (angles.score_of_concentration,),
        (angles.slope_of_concentration,),
        is_periodic=True,
    ),
    type(stats.tukeylambda): Family(
        lambda_distribution.score,
        (lambda_distribution.score_of_shape,),
        (lambda_distribution.slope_of_shape,),
        ends=(lambda_distribution.end_slope,),
        within=0.0,
    ),
    type(stats.ksone): Family(smirnov_distribution.score, (None,), (None,)),
    # The width of SciPy's is 2/π times that of Landau's own.
    type(stats.landau): Family(
        lambda z: 0.5 * np.pi * landau_ratio(1, 0.5 * np.pi * z + np.log(0.5 * np.pi))
    ),
    type(stats.kstwobign): Family(limits_of_kolmogorov.score),
    # SciPy's density is a difference of probabilities, of which nothing is left where they are near to 1.
    type(stats.kstwo): Family(
        lambda z, n: kolmogorov_density(1, z, n) / kolmogorov_density(0, z, n),
        (None,),
        (None,),
        density=partial(kolmogorov_density, 0),
        within=lambda n: np.minimum(2.5 / np.sqrt(n), 0.75),
    ),
    type(stats.irwinhall): Family(_sum_score, (None,), (None,)),
}

STANDARDS = (
    distributions_on_half_lines.STANDARDS
    | distributions_on_lines.STANDARDS
    | distributions_on_intervals.STANDARDS
)
# Some are not in every version of SciPy; the methods of `levy_stable` are its own, and not ruled.
FAMILIES |= {
    type(instance): family_of(standard, instance.numargs, (instance.a, instance.b))
    for name, standard in STANDARDS.items()
    if (instance := getattr(stats, name, None)) is not None
}
