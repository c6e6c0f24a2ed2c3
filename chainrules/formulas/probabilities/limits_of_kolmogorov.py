"""The limit of the distribution of Kolmogorov's statistic.

A. Kolmogorov, Giornale dell'Istituto Italiano degli Attuari 4 (1933). It has two series, for large numbers
and, by a theta function's transformation, for small ones::

    F = 1 - 2 Σ (-1)^(k-1) exp(-2 k² z²) = √(2π)/z Σ exp(-(2k - 1)² π²/(8 z²))
"""

from math import pi
from typing import Any

import numpy as np

from chainrules.values.elsewhere import one_elsewhere, one_where
from chainrules_core import primal_of

_K = np.arange(1.0, 9.0)


def score(z: Any) -> Any:
    """``∂ log f/∂z``."""
    is_small = primal_of(z) < 1.0
    return np.where(is_small, _of_small(one_elsewhere(is_small, z)), _of_large(one_where(is_small, z)))


def _of_small(z: Any) -> Any:
    z = np.expand_dims(z, -1)
    powers = (2.0 * _K - 1.0) ** 2 * (pi * pi / 8.0)
    terms = np.exp((powers[0] - powers) / (z * z))
    s0, s1, s2 = (np.sum(powers**n * terms, -1) for n in range(3))
    z = z[..., 0]
    curvature = 2.0 * s0 / z - 10.0 * s1 / z**3 + 4.0 * s2 / z**5
    return curvature / (2.0 * s1 / z**2 - s0)


def _of_large(z: Any) -> Any:
    z = np.expand_dims(z, -1)
    terms = (-1.0) ** (_K - 1.0) * _K**2 * np.exp(-2.0 * (_K**2 - 1.0) * z * z)
    slope, curvature = np.sum(terms, -1), np.sum(_K**2 * terms, -1)
    z = z[..., 0]
    return 1.0 / z - 4.0 * z * curvature / slope
