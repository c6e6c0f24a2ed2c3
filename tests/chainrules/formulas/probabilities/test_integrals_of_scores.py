"""Derivatives of probabilities as integrals, against those that have closed forms."""

import numpy as np
import pytest
from scipy import special

from chainrules.formulas.probabilities.integrals_of_scores import integral_to_end, probability_slope


def log_density(z, c):
    """Of the distribution of Weibull."""
    return np.log(c) + (c - 1.0) * np.log(z) - z**c


def test_slopes():
    """In the middle, in both tails, and for many points at once."""
    slope = probability_slope(
        log_density,
        lambda z, c: 1.0 / c + np.log(z) * (1.0 - z**c),
        (0.0, np.inf),
        lambda z, c: z < 1.0,
    )
    z, c = np.array([1e-6, 0.3, 0.99, 1.0, 2.0, 5.0, 30.0]), np.array([[1.7], [0.8]])
    np.testing.assert_allclose(slope(z, c), np.exp(-(z**c)) * z**c * np.log(z), rtol=1e-10, atol=1e-15)
    assert slope(2.0, 1.3) == pytest.approx(np.exp(-(2.0**1.3)) * 2.0**1.3 * np.log(2.0), rel=1e-12)


def test_ends():
    """Infinite on either side, finite, and both in one array."""

    def normal(t):
        return -0.5 * t * t

    for side, end in ((1.0, np.inf), (-1.0, -np.inf), (1.0, 3.0), (1.0, np.array([2.0, np.inf]))):
        y = integral_to_end(lambda t: np.exp(normal(t)), normal, 0.4, side, end)
        expected = np.sqrt(2.0 * np.pi) * np.abs(special.ndtr(end) - special.ndtr(0.4))
        np.testing.assert_allclose(y, expected, rtol=1e-12)
