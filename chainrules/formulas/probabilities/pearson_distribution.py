"""Pearson's distribution of type III, of mean 0, variance 1 and skewness ``s``, which may be 0.

With ``α = 4/s²`` and ``u = s z/2`` it is the gamma distribution of shape ``α`` at ``y = α (1 + u)``, or for
a negative skewness the reflected one. Its own formulas divide by ``s``. What is left of them, once powers of
``s`` are cancelled, is smooth at 0, where the distribution is the normal one::

    log f       = -log(2π)/2 - z²/2 + (s z³/2) r(u) - log(1 + u) - J(α)
    ∂ log f/∂s  = z³ (1/(1 + u) - 2 r(u)) / 2 - z/(2 (1 + u)) - 8 D(α)/s³

    r(u) = ∫₀¹ t²/(1 + ut) dt = (log(1 + u) - u + u²/2) / u³
    J(α) = 1/(12α) - 1/(360α³) + ...    D(α) = log α - ψ(α) - 1/(2α) = 1/(12α²) - 1/(120α⁴) + ...

N. L. Johnson, S. Kotz and N. Balakrishnan, "Continuous Univariate Distributions", volume 1 (1994), 12.4;
https://dlmf.nist.gov/5.11. SciPy takes the normal distribution for skewnesses below 1.6e-5.
"""

from math import log, pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.numerics.bernoulli import of_digamma, of_log_gamma, polynomial
from chainrules.operations.incomplete_gamma import gamma_density, gamma_probability
from chainrules.values.elsewhere import one_elsewhere, one_where
from chainrules_core import primal_of

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_FINE_NODES, _FINE_WEIGHTS = np.polynomial.legendre.leggauss(64)

# Below this skewness the derivative of a probability, the difference of two large terms, is an integral;
# below the other one the series of D has the precision of a double.
_SMALL, _OF_SERIES = 0.1, 0.6
_OF_J, _OF_D = of_log_gamma(4), of_digamma(7)
# An integrand has fallen by the exponential of this where its integral ends.
_DEPTH = 60.0


def pearson_score(z: Any, s: Any) -> Any:
    """``∂ log f/∂z``."""
    return -(z + 0.5 * s) / (1.0 + 0.5 * s * z)


def pearson_score_of_skewness(z: Any, s: Any) -> Any:
    """``∂ log f/∂s``."""
    u = 0.5 * s * z
    cube = 0.5 * z * z * z * (1.0 / (1.0 + u) - 2.0 * _remainder(u))
    return cube - 0.5 * z / (1.0 + u) - _digamma_term(s)


def pearson_slope(z: Any, s: Any) -> Any:
    """``∂F/∂s``, with a relative error of about 1e-11."""
    is_small = np.abs(primal_of(s)) < _SMALL
    small, other = one_elsewhere(is_small, s), one_where(is_small, s)
    return np.where(is_small, _integrated_slope(z, small), _slope_of_gamma(z, other))


def _remainder(u: Any) -> Any:
    """``r(u)``."""
    is_near = np.abs(primal_of(u)) < 0.25
    near, far = one_elsewhere(is_near, u), one_where(is_near, u)
    points = 0.5 * (_NODES + 1.0)
    of_near = sum(0.5 * w * t * t / (1.0 + near * t) for t, w in zip(points, _WEIGHTS, strict=True))
    return np.where(is_near, of_near, (np.log1p(far) - far + 0.5 * far * far) / (far * far * far))


def _digamma_term(s: Any) -> Any:
    """``8 D(4/s²) / s³``."""
    is_small = np.abs(primal_of(s)) < _OF_SERIES
    small, other = one_elsewhere(is_small, s), one_where(is_small, s)
    square = (0.25 * small * small) ** 2
    alpha = 4.0 / (other * other)
    direct = 8.0 / other**3 * (np.log(alpha) - special.psi(alpha) - 0.5 / alpha)
    return np.where(is_small, 0.5 * small * polynomial(_OF_D, square), direct)


def _density(z: Any, s: Any) -> Any:
    """``f``, for a small skewness."""
    u, inverse = 0.5 * s * z, 0.25 * s * s
    stirling = inverse * polynomial(_OF_J, inverse * inverse)
    cube = 0.5 * s * z * z * z * _remainder(u)
    return np.exp(-0.5 * log(2 * pi) - 0.5 * z * z + cube - np.log1p(u) - stirling)


def _integrated_slope(z: Any, s: Any) -> Any:
    """The integral of ``∂f/∂s`` over the tail on the side of `z`."""
    value = primal_of(z)
    side = np.copysign(1.0, value)
    length = np.sqrt(value * value + 2.0 * _DEPTH) - np.abs(value)
    total: Any = 0.0
    for node, weight in zip(0.5 * (_FINE_NODES + 1.0), 0.5 * _FINE_WEIGHTS, strict=True):
        point = z + side * length * node
        is_inside = primal_of(1.0 + 0.5 * s * point) > 0
        point = one_elsewhere(is_inside, point)
        term = _density(point, s) * pearson_score_of_skewness(point, s)
        total = total + np.where(is_inside, weight * term, 0.0)
    return -side * length * total


def _slope_of_gamma(z: Any, s: Any) -> Any:
    """By both arguments of the gamma distribution."""
    alpha, u = 4.0 / (s * s), 0.5 * s * z
    y = alpha * (1.0 + u)
    by_alpha, by_y = -2.0 * alpha / s, -alpha / s * (2.0 + u)
    return np.sign(primal_of(s)) * (
        by_alpha * gamma_probability(1, alpha, y) + by_y * gamma_density(0, alpha, y)
    )
