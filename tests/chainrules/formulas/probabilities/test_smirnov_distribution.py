"""The slope of the density of Smirnov's statistic, against differences of SciPy's density."""

import numpy as np
import pytest
from scipy import stats

from chainrules.formulas.probabilities.smirnov_distribution import score, smirnov_slope


@pytest.mark.parametrize("n", [1, 2, 10, 300])
def test_score(n):
    """Between the kinks of the density, where a number of observations times the statistic is whole."""
    d, h = (np.array([0.3, 1.7, 2.2]) / np.sqrt(n) * n // 1 + 0.4) / n, 1e-5 / n
    d = d[d < 1.0]
    np.testing.assert_allclose(-smirnov_slope(n, d), stats.ksone.pdf(d, n), rtol=1e-11)
    slope = np.log(smirnov_slope(n, d + h) / smirnov_slope(n, d - h)) / (2.0 * h)
    np.testing.assert_allclose(score(d, n), slope, rtol=1e-6, atol=1e-6)
