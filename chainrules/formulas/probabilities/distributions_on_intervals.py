"""Distributions of numbers between two ends.

The equations are those of N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions"
(1994, 1995), and where SciPy's documentation cites others, theirs.
"""

from math import log, pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.standard_formulas import (
    LOG_2,
    LOG_PI,
    LOG_ROOT_2PI,
    Standard,
    log_power,
    modulus,
    normal,
)
from chainrules.values.elsewhere import one_elsewhere

# --- Fixed ends --------------------------------------------------------------------------------------------


def _argus_log_density(z: Any, chi: Any) -> Any:
    rest = (1.0 - z) * (1.0 + z)
    half = 0.5 * chi * chi
    constant = 3.0 * np.log(chi) - LOG_ROOT_2PI + LOG_2 - np.log(special.gammainc(1.5, half))
    return constant + np.log(z) + log_power(0.5, rest) - half * rest


def _argus_log_above(z: Any, chi: Any) -> Any:
    half = 0.5 * chi * chi
    return np.log(special.gammainc(1.5, half * (1.0 - z) * (1.0 + z))) - np.log(special.gammainc(1.5, half))


def _rdist_probability(z: Any, c: Any) -> Any:
    half = 0.5 * c
    return np.where(z < 0, 1.0, -1.0) * special.betainc(half, half, 0.5 * (1.0 - modulus(z)))


def _trapezoid_log_density(z: Any, c: Any, d: Any) -> Any:
    is_left, is_right = z < c, z > d
    left = np.log(one_elsewhere(is_left, z)) - np.log(one_elsewhere(is_left, c + 0.0 * z))
    right = np.log(one_elsewhere(is_right, 1.0 - z)) - np.log(one_elsewhere(is_right, 1.0 - d + 0.0 * z))
    return LOG_2 - np.log(d - c + 1.0) + np.where(is_left, left, np.where(is_right, right, 0.0 * z))


def _trapezoid_probability(z: Any, c: Any, d: Any) -> Any:
    is_left, is_right = z < c, z > d
    left = z * z / one_elsewhere(is_left, c + 0.0 * z)
    right = -((1.0 - z) ** 2) / one_elsewhere(is_right, 1.0 - d + 0.0 * z)
    between = c + 2.0 * (z - c)
    total = d - c + 1.0
    return np.where(is_right, right, np.where(is_left, left, between)) / total


def _wrapped_probability(z: Any, c: Any) -> Any:
    quotient = (1.0 + c) / (1.0 - c)
    half = np.where(z < pi, 0.5 * z, 0.5 * (2.0 * pi - z))
    return np.where(z < pi, 1.0, -1.0) * np.arctan2(quotient * np.sin(half), np.cos(half)) / pi


FIXED = {
    "anglit": Standard(lambda z: np.log(np.cos(2.0 * z))),
    "arcsine": Standard(lambda z: -0.5 * (np.log(z) + np.log1p(-z)) - LOG_PI),
    "argus": Standard(_argus_log_density, log_above=_argus_log_above),
    "bradford": Standard(
        lambda z, c: np.log(c) - np.log1p(c * z) - np.log(np.log1p(c)),
        probability=lambda z, c: np.log1p(c * z) / np.log1p(c),
    ),
    "cosine": Standard(lambda z: 2.0 * np.log(np.cos(0.5 * z)) - LOG_PI),
    "gausshyper": Standard(
        lambda x, a, b, c, z: (
            log_power(a - 1.0, x)
            + log_power(b - 1.0, 1.0 - x)
            - c * np.log1p(z * x)
            - special.betaln(a, b)
            - np.log(special.hyp2f1(c, a, a + b, -z))
        )
    ),
    "johnsonsb": normal(
        lambda z, a, b: a + b * special.logit(z), lambda z, a, b: np.log(b) - np.log(z) - np.log1p(-z)
    ),
    "powerlaw": Standard(
        lambda z, a: np.log(a) + log_power(a - 1.0, z), log_below=lambda z, a: a * np.log(z)
    ),
    "rdist": Standard(
        lambda z, c: log_power(0.5 * c - 1.0, (1.0 - z) * (1.0 + z)) - special.betaln(0.5 * c, 0.5),
        probability=_rdist_probability,
    ),
    "semicircular": Standard(lambda z: 0.5 * np.log((1.0 - z) * (1.0 + z)) + LOG_2 - LOG_PI),
    "trapezoid": Standard(_trapezoid_log_density, probability=_trapezoid_probability),
    "wrapcauchy": Standard(
        lambda z, c: (
            np.log((1.0 - c) * (1.0 + c))
            - np.log((1.0 - c) ** 2 + 4.0 * c * np.sin(0.5 * z) ** 2)
            - log(2.0 * pi)
        ),
        probability=_wrapped_probability,
    ),
}

# --- Ends that depend on the shapes ------------------------------------------------------------------------


def _logistic_reduced(z: Any, c: Any) -> Any:
    """``-log((1 - c z)^(1/c))``."""
    return -np.log1p(-c * z) / c


def _logistic_log_density(z: Any, c: Any) -> Any:
    u = _logistic_reduced(z, c)
    return LOG_2 - (1.0 - c) * u - 2.0 * np.log1p(np.exp(-u))


def _logistic_log_above(z: Any, c: Any) -> Any:
    u = _logistic_reduced(z, c)
    return LOG_2 - u - np.log1p(np.exp(-u))


def _log_normal_mass(a: Any, b: Any) -> Any:
    """``log(Φ(b) - Φ(a))``, from the tail that both are in."""
    is_right = a > 0
    low, high = np.where(is_right, -b, a), np.where(is_right, -a, b)
    upper = special.log_ndtr(high)
    is_whole = low == -np.inf
    lower = special.log_ndtr(np.where(is_whole, high - 1.0, low))
    return upper + np.where(is_whole, 0.0 * upper, np.log(-np.expm1(lower - upper)))


def _log_normal_density(x: Any) -> Any:
    return -0.5 * x * x - LOG_ROOT_2PI


def _truncated_log_density(z: Any, a: Any, b: Any) -> Any:
    return _log_normal_density(z) - _log_normal_mass(a, b)


def _truncated_log_below(z: Any, a: Any, b: Any) -> Any:
    return _log_normal_mass(a, z) - _log_normal_mass(a, b)


def _truncated_log_above(z: Any, a: Any, b: Any) -> Any:
    return _log_normal_mass(z, b) - _log_normal_mass(a, b)


def _truncated_slope_of_a(z: Any, a: Any, b: Any) -> Any:
    """``∂F/∂a``, which is finite at the end too."""
    return -np.exp(_log_normal_density(a) - _log_normal_mass(a, b) + _truncated_log_above(z, a, b))


def _truncated_slope_of_b(z: Any, a: Any, b: Any) -> Any:
    """``∂F/∂b``."""
    return -np.exp(_log_normal_density(b) - _log_normal_mass(a, b) + _truncated_log_below(z, a, b))


def _truncated_weibull_log_density(z: Any, c: Any, a: Any, b: Any) -> Any:
    powers = a**c - b**c
    return np.log(c) + log_power(c - 1.0, z) + (a**c - z**c) - np.log(-np.expm1(powers))


MOVING = {
    "genhalflogistic": Standard(
        _logistic_log_density,
        log_above=_logistic_log_above,
        ends=(None, lambda c: 1.0 / c),
        within=lambda c: 0.5 / c,
    ),
    "loguniform": Standard(
        lambda z, a, b: -np.log(z) - np.log(np.log(b / a)),
        probability=lambda z, a, b: np.log(z / a) / np.log(b / a),
        ends=(lambda a, b: a, lambda a, b: b),
        within=lambda a, b: np.sqrt(a * b),
    ),
    "truncexpon": Standard(
        lambda z, b: -z - np.log(-np.expm1(-b)),
        probability=lambda z, b: np.expm1(-z) / np.expm1(-b),
        ends=(None, lambda b: b),
        within=lambda b: 0.5 * b,
    ),
    "truncnorm": Standard(
        _truncated_log_density,
        log_below=_truncated_log_below,
        log_above=_truncated_log_above,
        slopes=(_truncated_slope_of_a, _truncated_slope_of_b),
        ends=(lambda a, b: a, lambda a, b: b),
        within=lambda a, b: (
            0.5 * (np.maximum(a, np.minimum(b, 0.0) - 2.0) + np.minimum(b, np.maximum(a, 0.0) + 2.0))
        ),
    ),
    "truncpareto": Standard(
        lambda z, b, c: np.log(-b / np.expm1(-b * np.log(c))) - (b + 1.0) * np.log(z),
        probability=lambda z, b, c: np.expm1(-b * np.log(z)) / np.expm1(-b * np.log(c)),
        ends=(None, lambda b, c: c),
        within=lambda b, c: np.sqrt(c),
    ),
    "truncweibull_min": Standard(
        _truncated_weibull_log_density,
        log_below=lambda z, c, a, b: np.log(-np.expm1(a**c - z**c)) - np.log(-np.expm1(a**c - b**c)),
        log_above=lambda z, c, a, b: (
            a**c - z**c + np.log(-np.expm1(z**c - b**c)) - np.log(-np.expm1(a**c - b**c))
        ),
        ends=(lambda c, a, b: a, lambda c, a, b: b),
        within=lambda c, a, b: 0.5 * (a + np.minimum(b, a + 1.0)),
    ),
}
MOVING["reciprocal"] = MOVING["loguniform"]

STANDARDS = FIXED | MOVING
