"""Derivatives of the distribution of von Mises by its concentration."""

import mpmath
import numpy as np
import pytest

from chainrules.formulas.probabilities.angles import score_of_concentration, slope_of_concentration


@pytest.mark.parametrize(
    ("z", "kappa"), [(-2.0, 0.7), (1.0, 3.0), pytest.param(0.01, 500.0, marks=pytest.mark.at_length)]
)
def test_slopes(z, kappa):
    """By quadrature with many digits."""
    with mpmath.workdps(30):

        def density(t, kappa):
            return mpmath.exp(kappa * mpmath.cos(t)) / (2 * mpmath.pi * mpmath.besseli(0, kappa))

        def slope(t):
            ratio = mpmath.besseli(1, kappa) / mpmath.besseli(0, kappa)
            return density(t, kappa) * (mpmath.cos(t) - ratio)

        expected = float(mpmath.quad(slope, [-mpmath.pi, *(z - x for x in (1.0, 0.3, 0.1, 0.03)), z]))
        score = float(slope(mpmath.mpf(z)) / density(mpmath.mpf(z), kappa))
    assert slope_of_concentration(z, kappa) == pytest.approx(expected, rel=1e-10)
    assert slope_of_concentration(z + 4.0 * np.pi, kappa) == pytest.approx(expected, rel=1e-9)
    assert score_of_concentration(z, kappa) == pytest.approx(score, rel=1e-12)
