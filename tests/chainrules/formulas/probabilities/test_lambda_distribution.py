"""Derivatives of Tukey's distribution, whose quantile is known, against mpmath."""

import mpmath
import pytest

from chainrules.formulas.probabilities.lambda_distribution import (
    end_slope,
    score,
    score_of_shape,
    slope_of_shape,
)


def quantile(p, shape):
    """With many digits."""
    return (p**shape - (1 - p) ** shape) / shape if shape else mpmath.log(p / (1 - p))


@pytest.mark.parametrize("shape", [1e-9, 0.3, 2.5, -0.4])
def test_derivatives(shape):
    """By implicit differentiation of the quantile's definition."""
    with mpmath.workdps(40):
        p, h = mpmath.mpf("0.2"), mpmath.mpf(10) ** -12
        z = quantile(p, mpmath.mpf(shape))

        def probability(z, shape):
            return mpmath.findroot(lambda p: quantile(p, shape) - z, mpmath.mpf("0.2"))

        def log_density(z, shape):
            p = probability(z, shape)
            return -mpmath.log(p ** (shape - 1) + (1 - p) ** (shape - 1))

        def slope(f):
            return float((f(h) - f(-h)) / (2 * h))

        at = mpmath.mpf(shape)
        by_z = slope(lambda t: log_density(z + t, at))
        by_shape = slope(lambda t: log_density(z, at + t))
        of_probability = slope(lambda t: probability(z, at + t))
    assert score(float(z), shape) == pytest.approx(by_z, rel=1e-8)
    assert score_of_shape(float(z), shape) == pytest.approx(by_shape, rel=1e-7)
    assert slope_of_shape(float(z), shape) == pytest.approx(of_probability, rel=1e-7)


def test_ends():
    """They are ``±1/λ``."""
    assert end_slope(0.0, -0.5, 2.0) == 0.25
    assert end_slope(1.0, 0.5, 2.0) == -0.25
