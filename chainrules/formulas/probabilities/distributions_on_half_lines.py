"""Distributions of positive numbers.

The equations are those of N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions"
(1994, 1995), and where SciPy's documentation cites others, theirs.
"""

from math import pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.formulas.probabilities import studentized_range
from chainrules.formulas.probabilities.standard_formulas import (
    LOG_2,
    LOG_PI,
    LOG_ROOT_2PI,
    Standard,
    log_power,
    log_power_sum,
    log_rest,
    log_sum,
    normal,
)

# --- Powers of numbers with the distributions of gamma and beta --------------------------------------------


def _below_beta(a: Any, b: Any, odds: Any) -> Any:
    """The probability of lower odds, less 1 above even odds."""
    is_low = odds <= 1.0
    low, high = np.where(is_low, odds, 1.0), np.where(is_low, 1.0, odds)
    return np.where(
        is_low,
        special.betainc(a, b, low / (1.0 + low)),
        -special.betainc(b, a, 1.0 / (1.0 + high)),
    )


def _f_log_density(z: Any, n: Any, m: Any) -> Any:
    a, b = 0.5 * n, 0.5 * m
    constant = a * np.log(n) + b * np.log(m) - special.betaln(a, b)
    return constant + log_power(a - 1.0, z) - (a + b) * np.log(m + n * z)


GAMMA_AND_BETA = {
    "betaprime": Standard(
        lambda z, a, b: log_power(a - 1.0, z) - (a + b) * np.log1p(z) - special.betaln(a, b),
        probability=lambda z, a, b: _below_beta(a, b, z),
    ),
    "chi": Standard(
        lambda z, df: (
            (1.0 - 0.5 * df) * LOG_2 - special.gammaln(0.5 * df) + log_power(df - 1.0, z) - 0.5 * z * z
        ),
        probability=lambda z, df: special.gammainc(0.5 * df, 0.5 * z * z),
    ),
    "erlang": Standard(
        lambda z, a: log_power(a - 1.0, z) - z - special.gammaln(a),
        probability=lambda z, a: special.gammainc(a, z),
    ),
    "f": Standard(_f_log_density, probability=lambda z, n, m: _below_beta(0.5 * n, 0.5 * m, n * z / m)),
    "gengamma": Standard(
        lambda z, a, c: np.log(np.abs(c)) - special.gammaln(a) + log_power(a * c - 1.0, z) - z**c,
        probability=lambda z, a, c: np.sign(c) * special.gammainc(a, z**c),
    ),
    "halfgennorm": Standard(
        lambda z, b: np.log(b) - z**b - special.gammaln(1.0 / b),
        probability=lambda z, b: special.gammainc(1.0 / b, z**b),
    ),
    "invgamma": Standard(
        lambda z, a: -(a + 1.0) * np.log(z) - special.gammaln(a) - 1.0 / z,
        probability=lambda z, a: -special.gammainc(a, 1.0 / z),
    ),
    "maxwell": Standard(lambda z: 2.0 * np.log(z) - 0.5 * z * z + (0.5 * (LOG_2 - LOG_PI))),
    "nakagami": Standard(
        lambda z, nu: (
            LOG_2 + special.xlogy(nu, nu) - special.gammaln(nu) + log_power(2.0 * nu - 1.0, z) - nu * z * z
        ),
        probability=lambda z, nu: special.gammainc(nu, nu * z * z),
    ),
}

# --- Elementary probabilities ------------------------------------------------------------------------------


def _kappa_log_above_one(z: Any, a: Any) -> Any:
    """``log F``: of ``z = 1`` on in powers of its inverse."""
    is_low = z <= 1.0
    low, high = np.where(is_low, z, 1.0), np.where(is_low, 1.0, z)
    return np.where(is_low, np.log(low) - np.log(a + low**a) / a, -np.log1p(a * high**-a) / a)


def _mielke_log_below(z: Any, k: Any, s: Any) -> Any:
    return -k / s * log_sum(-s * np.log(z))


def _fold_log_density(z: Any, c: Any) -> Any:
    return np.logaddexp(-0.5 * (z - c) ** 2, -0.5 * (z + c) ** 2) - LOG_ROOT_2PI


def _genexpon_log_above(z: Any, a: Any, b: Any, c: Any) -> Any:
    return -(a + b) * z - b * np.expm1(-c * z) / c


def _log_lap_log_density(z: Any, c: Any) -> Any:
    is_low = z < 1.0
    return (
        np.log(c)
        - LOG_2
        + np.where(is_low, log_power(c - 1.0, np.where(is_low, z, 1.0)), -(c + 1.0) * np.log(z))
    )


ELEMENTARY = {
    "burr": Standard(
        lambda z, c, d: np.log(c) + np.log(d) + log_power(c * d - 1.0, z) - (d + 1.0) * log_power_sum(c, z),
        log_below=lambda z, c, d: -d * log_sum(-c * np.log(z)),
    ),
    "burr12": Standard(
        lambda z, c, d: np.log(c) + np.log(d) + log_power(c - 1.0, z) - (d + 1.0) * log_power_sum(c, z),
        log_above=lambda z, c, d: -d * log_power_sum(c, z),
    ),
    "exponpow": Standard(
        lambda z, b: np.log(b) + log_power(b - 1.0, z) + 1.0 + z**b - np.exp(z**b),
        log_above=lambda z, b: -np.expm1(z**b),
    ),
    "exponweib": Standard(
        lambda z, a, c: (
            np.log(a) + np.log(c) + log_power(a - 1.0, -np.expm1(-(z**c))) - z**c + log_power(c - 1.0, z)
        ),
        log_below=lambda z, a, c: a * log_rest(z**c),
    ),
    "fisk": Standard(
        lambda z, c: np.log(c) + log_power(c - 1.0, z) - 2.0 * log_power_sum(c, z),
        log_below=lambda z, c: -log_sum(-c * np.log(z)),
        log_above=lambda z, c: -log_power_sum(c, z),
    ),
    "foldcauchy": Standard(
        lambda z, c: np.log(1.0 / (1.0 + (z - c) ** 2) + 1.0 / (1.0 + (z + c) ** 2)) - LOG_PI,
        probability=lambda z, c: -(np.arctan2(1.0, z - c) + np.arctan2(1.0, z + c)) / pi,
    ),
    "genexpon": Standard(
        lambda z, a, b, c: np.log(a - b * np.expm1(-c * z)) + _genexpon_log_above(z, a, b, c),
        log_above=_genexpon_log_above,
    ),
    "gompertz": Standard(
        lambda z, c: np.log(c) + z - c * np.expm1(z), log_above=lambda z, c: -c * np.expm1(z)
    ),
    "halfcauchy": Standard(lambda z: LOG_2 - LOG_PI - np.log1p(z * z)),
    "halflogistic": Standard(lambda z: LOG_2 - z - 2.0 * log_sum(-z)),
    "invweibull": Standard(
        lambda z, c: np.log(c) - (c + 1.0) * np.log(z) - z**-c, log_below=lambda z, c: -(z**-c)
    ),
    "kappa3": Standard(
        lambda z, a: np.log(a) - (1.0 + 1.0 / a) * np.log(a + z**a), log_below=_kappa_log_above_one
    ),
    "loglaplace": Standard(
        _log_lap_log_density,
        probability=lambda z, c: np.where(z < 1.0, 0.5 * z**c, -0.5 * z**-c),
    ),
    "lomax": Standard(
        lambda z, c: np.log(c) - (c + 1.0) * np.log1p(z), log_above=lambda z, c: -c * np.log1p(z)
    ),
    "mielke": Standard(
        lambda z, k, s: np.log(k) + log_power(k - 1.0, z) - (1.0 + k / s) * log_power_sum(s, z),
        log_below=_mielke_log_below,
    ),
    "pareto": Standard(
        lambda z, b: np.log(b) - (b + 1.0) * np.log(z), log_above=lambda z, b: -b * np.log(z), within=1.5
    ),
    "weibull_min": Standard(
        lambda z, c: np.log(c) + log_power(c - 1.0, z) - z**c, log_above=lambda z, c: -(z**c)
    ),
}

# --- Normal numbers, and those of Lévy and Wald ------------------------------------------------------------


def _power_log_density(z: Any, c: Any, s: Any) -> Any:
    w = np.log(z) / s
    return np.log(c) - np.log(z) - np.log(s) - 0.5 * w * w - LOG_ROOT_2PI + (c - 1.0) * special.log_ndtr(-w)


def _log_mills(x: Any) -> Any:
    """``log((1 - Φ(x)) / φ(x))``."""
    return special.log_ndtr(-x) + 0.5 * x * x + LOG_ROOT_2PI


def _double_pareto(z: Any, u: Any, s: Any) -> Any:
    return (np.log(z) - u) / s


def _double_log_density(z: Any, u: Any, s: Any, a: Any, b: Any) -> Any:
    w = _double_pareto(z, u, s)
    tails = np.logaddexp(_log_mills(a * s - w), _log_mills(b * s + w))
    return np.log(a) + np.log(b) - np.log(a + b) - np.log(z) - 0.5 * w * w - LOG_ROOT_2PI + tails


def _double_probability(z: Any, u: Any, s: Any, a: Any, b: Any) -> Any:
    w = _double_pareto(z, u, s)
    density = np.exp(-0.5 * w * w - LOG_ROOT_2PI)
    tails = b * np.exp(_log_mills(a * s - w)) - a * np.exp(_log_mills(b * s + w))
    return np.where(w < 0, special.ndtr(w), -special.ndtr(-w)) - density * tails / (a + b)


def _reciprocal_slope(z: Any, mu: Any) -> Any:
    """``∂F/∂μ``."""
    return 2.0 / (mu * mu) * np.exp(2.0 / mu + special.log_ndtr(-(z + 1.0 / mu) / np.sqrt(z)))


NORMAL = {
    "alpha": Standard(
        lambda z, a: -2.0 * np.log(z) - 0.5 * (a - 1.0 / z) ** 2 - LOG_ROOT_2PI - special.log_ndtr(a),
        log_below=lambda z, a: special.log_ndtr(a - 1.0 / z) - special.log_ndtr(a),
    ),
    "dpareto_lognorm": Standard(_double_log_density, probability=_double_probability),
    "fatiguelife": normal(
        lambda z, c: (np.sqrt(z) - 1.0 / np.sqrt(z)) / c,
        lambda z, c: np.log1p(z) - LOG_2 - np.log(c) - 1.5 * np.log(z),
    ),
    "foldnorm": Standard(
        _fold_log_density, probability=lambda z, c: -(special.ndtr(c - z) + special.ndtr(-c - z))
    ),
    "gibrat": normal(np.log, lambda z: -np.log(z)),
    "levy": Standard(lambda z: -1.5 * np.log(z) - 0.5 / z - LOG_ROOT_2PI),
    "powerlognorm": Standard(
        _power_log_density, log_above=lambda z, c, s: c * special.log_ndtr(-np.log(z) / s)
    ),
    "recipinvgauss": Standard(
        lambda z, mu: -0.5 * np.log(z) - (1.0 - mu * z) ** 2 / (2.0 * z * mu * mu) - LOG_ROOT_2PI,
        slopes=(_reciprocal_slope,),
    ),
    "wald": Standard(lambda z: -1.5 * np.log(z) - (z - 1.0) ** 2 / (2.0 * z) - LOG_ROOT_2PI),
}

# --- Probabilities that are integrals ----------------------------------------------------------------------


def _breit_wigner_log_density(z: Any, rho: Any) -> Any:
    root = np.sqrt(1.0 + rho**-2.0)
    constant = 1.5 * LOG_2 - LOG_PI + np.log(root) - 0.5 * np.log1p(root)
    return constant - np.log1p(((z - rho) * (z + rho) / rho) ** 2)


INTEGRALS = {
    "geninvgauss": Standard(
        lambda z, p, b: (
            log_power(p - 1.0, z) - 0.5 * b * (z + 1.0 / z - 2.0) - LOG_2 - np.log(special.kve(p, b))
        )
    ),
    "rel_breitwigner": Standard(_breit_wigner_log_density),
}

RANGES = {
    "studentized_range": Standard(
        studentized_range.log_density,
        log_below=studentized_range.log_below,
        log_above=studentized_range.log_above,
    ),
}

STANDARDS = GAMMA_AND_BETA | ELEMENTARY | NORMAL | INTEGRALS | RANGES
