"""The density of Kolmogorov's statistic and its derivatives as a function with rules."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules.operations.kolmogorov_density import kolmogorov_density
from tests.chainrules.rule_checks import check_rule


def test_rules():
    """Each order is known by the next one."""
    check_rule(kolmogorov_density.__primitive__, 0, np.array([0.07, 0.23, 0.61]), 10)
    check_rule(kolmogorov_density.__primitive__, 1, np.array([0.23, 0.33]), np.array([[5], [9]]))
    assert grad(kolmogorov_density, 1)(0, 0.3, 9) == kolmogorov_density(1, 0.3, 9)


def test_density():
    """That of SciPy, at points between which it takes differences of probabilities with all their digits."""
    for n in (1, 2, 7, 40):
        x = (0.5 + np.array([0.2, 0.5, 1.0, 1.4, 3.3, 0.4 * n])) / n
        x = x[(x < 1.0) & (n * x * x < 2.0)]
        np.testing.assert_allclose(kolmogorov_density(0, x, n), stats.kstwo.pdf(x, n), rtol=1e-9)


def test_beside_the_support():
    """There is nothing outside; numbers of observations are whole."""
    x = np.array([0.1, 0.2, 1.1, np.nan])
    np.testing.assert_array_equal(kolmogorov_density(0, x, 2), (0.0, 0.0, 0.0, np.nan))
    assert np.isnan(kolmogorov_density(1, 0.3, 2.5))
    assert np.isnan(kolmogorov_density(1, 0.3, 0))
    assert kolmogorov_density(0, np.float32(0.4), 3).dtype == np.float32
    assert kolmogorov_density(0, np.zeros((0, 2)), 3).shape == (0, 2)


def test_knots():
    """At the first knot the density is the one on the left, as in SciPy; elsewhere it has no jump."""
    for n in (2, 5, 9):
        assert kolmogorov_density(0, 1.0 / n, n) == pytest.approx(stats.kstwo.pdf(1.0 / n, n), rel=1e-12)
        x = np.arange(2, n) / n
        left = kolmogorov_density(0, x * (1.0 - 1e-15), n)
        np.testing.assert_allclose(kolmogorov_density(0, x, n), left, rtol=1e-12)
