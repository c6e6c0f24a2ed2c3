"""Sums of normal densities around points."""

import numpy as np
import pytest
from scipy import stats

from chainrules.numerics.kernel_densities import log_kernel_density


@pytest.mark.parametrize("d", [1, 2])
def test_density(d):
    """It is SciPy's, in the far tail too."""
    rng = np.random.default_rng(d)
    kde = stats.gaussian_kde(rng.normal(size=(d, 6)), weights=rng.uniform(size=6))
    x = rng.normal(size=(d, 3)) * [1.0, 1.0, 100.0]
    y = log_kernel_density(x, kde.dataset, kde.weights, kde.cho_cov)
    np.testing.assert_allclose(y, kde.logpdf(x), rtol=1e-11)
