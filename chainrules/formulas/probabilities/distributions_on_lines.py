"""Distributions of all numbers, or of all negative ones.

The equations are those of N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions"
(1994, 1995), and where SciPy's documentation cites others, theirs.
"""

from math import pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.standard_formulas import (
    LOG_2,
    LOG_PI,
    LOG_ROOT_2PI,
    Standard,
    log_power,
    log_sum,
    modulus,
    normal,
)
from chainrules.values.elsewhere import one_elsewhere, one_where

# --- Two sides ---------------------------------------------------------------------------------------------


def _crystal_ball_tail(beta: Any, m: Any) -> Any:
    """The integral of the tail, of the power `m`, beside ``∫ exp(-z²/2) dz`` over the rest."""
    return m / beta / (m - 1.0) * np.exp(-0.5 * beta * beta)


def _crystal_ball_log_total(beta: Any, m: Any) -> Any:
    return np.log(_crystal_ball_tail(beta, m) + np.exp(LOG_ROOT_2PI + special.log_ndtr(beta)))


def _crystal_ball_ratio(z: Any, beta: Any, m: Any) -> Any:
    """How far beyond its beginning the tail is, in units that make the density a power."""
    return (m / beta - beta - one_where(z > -beta, z)) / (m / beta)


def _crystal_ball_log_density(z: Any, beta: Any, m: Any) -> Any:
    is_tail = z <= -beta
    u = one_elsewhere(is_tail, _crystal_ball_ratio(z, beta, m))
    tail = -0.5 * beta * beta - m * np.log(u)
    return np.where(is_tail, tail, -0.5 * z * z) - _crystal_ball_log_total(beta, m)


def _crystal_ball_probability(z: Any, beta: Any, m: Any) -> Any:
    is_tail = z <= -beta
    u = one_elsewhere(is_tail, _crystal_ball_ratio(z, beta, m))
    tail = _crystal_ball_tail(beta, m) * u ** (1.0 - m)
    rest = -np.exp(LOG_ROOT_2PI + special.log_ndtr(-z))
    return np.where(is_tail, tail, rest) / np.exp(_crystal_ball_log_total(beta, m))


def _asymmetric_probability(z: Any, k: Any) -> Any:
    is_right = z >= 0
    right, left = np.where(is_right, z, 0.0), np.where(is_right, 0.0, z)
    return np.where(is_right, -np.exp(-k * right) / (1.0 + k * k), np.exp(left / k) * k * k / (1.0 + k * k))


def _skew_cauchy_probability(z: Any, a: Any) -> Any:
    is_right = z > 0
    right = -(1.0 + a) * np.arctan2(1.0 + a, np.where(is_right, z, 1.0))
    left = (1.0 - a) * np.arctan2(1.0 - a, -np.where(is_right, -1.0, z))
    return np.where(is_right, right, left) / pi


def _two_sided(upper: Any) -> Any:
    """The probability, less 1 on the right, from the one that the modulus is larger than a number."""

    def probability(z: Any, shape: Any) -> Any:
        return np.where(z > 0, -0.5, 0.5) * upper(np.abs(z), shape)

    return probability


SIDES = {
    "crystalball": Standard(_crystal_ball_log_density, probability=_crystal_ball_probability),
    "dgamma": Standard(
        lambda z, a: log_power(a - 1.0, np.abs(z)) - np.abs(z) - LOG_2 - special.gammaln(a),
        probability=_two_sided(lambda u, a: special.gammaincc(a, u)),
    ),
    "dweibull": Standard(
        lambda z, c: np.log(c) - LOG_2 + log_power(c - 1.0, np.abs(z)) - np.abs(z) ** c,
        probability=_two_sided(lambda u, c: np.exp(-(u**c))),
    ),
    "laplace_asymmetric": Standard(
        lambda z, k: np.where(z >= 0, -k * z, z / k) - np.log(k + 1.0 / k),
        probability=_asymmetric_probability,
    ),
    "skewcauchy": Standard(
        lambda z, a: -np.log1p((z / (1.0 + a * np.sign(z))) ** 2) - LOG_PI,
        probability=_skew_cauchy_probability,
    ),
}

# --- One formula -------------------------------------------------------------------------------------------


def _student_sides(z: Any, a: Any, b: Any) -> Any:
    """``(1 + x/r)/2`` and ``(1 - x/r)/2`` for ``r² = a + b + x²``, each without cancellation."""
    r, size = np.sqrt(a + b + z * z), modulus(z)
    small = 0.5 * (a + b) / (r * (r + size))
    large = 0.5 * (1.0 + size / r)
    return np.where(z < 0, small, large), np.where(z < 0, large, small)


def _jones_log_density(z: Any, a: Any, b: Any) -> Any:
    up, down = _student_sides(z, a, b)
    constant = -special.betaln(a, b) - 0.5 * np.log(a + b) + 2.0 * LOG_2
    return constant + (a + 0.5) * np.log(up) + (b + 0.5) * np.log(down)


def _jones_probability(z: Any, a: Any, b: Any) -> Any:
    up, down = _student_sides(z, a, b)
    return np.where(up <= 0.5, special.betainc(a, b, up), -special.betainc(b, a, down))


def _log_gamma_probability(z: Any, c: Any) -> Any:
    """For a small exponential, which may underflow, its power is all."""
    is_small = z < -40.0
    small, large = np.where(is_small, z, -40.0), np.where(is_small, -40.0, z)
    power = np.exp(c * small - special.gammaln(c + 1.0))
    return np.where(is_small, power, special.gammainc(c, np.exp(large)))


def _exponnorm_log_above(z: Any, k: Any) -> Any:
    """The logarithm of the part that the exponential number adds to the probability of the normal one."""
    return 0.5 / (k * k) - z / k + special.log_ndtr(z - 1.0 / k)


LINES = {
    "exponnorm": Standard(
        lambda z, k: _exponnorm_log_above(z, k) - np.log(k),
        probability=lambda z, k: -np.exp(_exponnorm_log_above(z, k)),
    ),
    "genlogistic": Standard(
        lambda z, c: np.log(c) - z - (c + 1.0) * log_sum(-z), log_below=lambda z, c: -c * log_sum(-z)
    ),
    "gumbel_l": Standard(lambda z: z - np.exp(z)),
    "hypsecant": Standard(lambda z: LOG_2 - LOG_PI - np.logaddexp(z, -z)),
    "jf_skew_t": Standard(_jones_log_density, probability=_jones_probability),
    "johnsonsu": normal(
        lambda z, a, b: a + b * np.arcsinh(z), lambda z, a, b: np.log(b) - 0.5 * np.log1p(z * z)
    ),
    "levy_l": Standard(lambda z: -1.5 * np.log(-z) + 0.5 / z - LOG_ROOT_2PI, within=-0.5),
    "loggamma": Standard(
        lambda z, c: c * z - np.exp(z) - special.gammaln(c),
        probability=_log_gamma_probability,
    ),
    "moyal": Standard(lambda z: -0.5 * (z + np.exp(-z)) - LOG_ROOT_2PI),
    "powernorm": Standard(
        lambda z, c: np.log(c) - 0.5 * z * z - LOG_ROOT_2PI + (c - 1.0) * special.log_ndtr(-z),
        log_above=lambda z, c: c * special.log_ndtr(-z),
    ),
    "weibull_max": Standard(
        lambda z, c: np.log(c) + log_power(c - 1.0, -z) - (-z) ** c,
        log_below=lambda z, c: -((-z) ** c),
        within=-0.5,
    ),
}

# --- Probabilities that are integrals ----------------------------------------------------------------------


def _hyperbolic_log_density(z: Any, p: Any, a: Any, b: Any) -> Any:
    d, r = np.sqrt((a - b) * (a + b)), np.hypot(1.0, z)
    constant = p * np.log(d) - LOG_ROOT_2PI - (p - 0.5) * np.log(a) - np.log(special.kve(p, d)) + d
    return constant + (p - 0.5) * np.log(r) + np.log(special.kve(p - 0.5, a * r)) - a * r + b * z


def _inverse_normal_log_density(z: Any, a: Any, b: Any) -> Any:
    r = np.hypot(1.0, z)
    constant = np.log(a) - LOG_PI + np.sqrt((a - b) * (a + b))
    return constant + b * z - a * r + np.log(special.k1e(a * r)) - np.log(r)


INTEGRALS = {
    "genhyperbolic": Standard(_hyperbolic_log_density),
    "norminvgauss": Standard(_inverse_normal_log_density),
}

STANDARDS = SIDES | LINES | INTEGRALS
