"""What each interval between two samples contributes, against SciPy's integrals."""

import numpy as np
import pytest
import scipy.integrate

from chainrules.formulas.arrays.sampled_integrals import by_parabolas, by_trapezoids, romberg_weights

RULES = [(by_trapezoids, scipy.integrate.trapezoid), (by_parabolas, scipy.integrate.simpson)]


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
@pytest.mark.parametrize(("contributions", "integral"), RULES)
def test_samples(contributions, integral, n):
    """The contributions are linear in the samples, and their sum is the integral."""
    rng = np.random.default_rng(n)
    y, h = rng.normal(size=(2, n)), rng.uniform(0.5, 1.5, size=n - 1)
    x = np.append(0.0, np.cumsum(h))
    found = contributions(y, h).pushed(y, None)
    np.testing.assert_allclose(np.sum(found, axis=-1), integral(y, x), rtol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize(("contributions", "integral"), RULES)
def test_pushed_and_pulled(contributions, integral, n):
    """Each is the adjoint of the other."""
    rng = np.random.default_rng(n)
    y, h = rng.normal(size=(2, n)), rng.uniform(0.5, 1.5, size=(2, n - 1))
    y_dot, h_dot, bar = rng.normal(size=(2, n)), rng.normal(size=(2, n - 1)), rng.normal(size=(2, n - 1))
    found = contributions(y, h)
    pulled = np.sum(found.pulled_to_samples(bar, (2, n)) * y_dot)
    pulled += np.sum(found.pulled_to_lengths(bar, (2, n - 1)) * h_dot)
    np.testing.assert_allclose(np.sum(found.pushed(y_dot, h_dot) * bar), pulled, rtol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 5, 9, 17])
def test_romberg_weights(n):
    """They give SciPy's integral."""
    y = np.random.default_rng(n).normal(size=n)
    np.testing.assert_allclose(romberg_weights(n) @ y, scipy.integrate.romb(y), rtol=1e-12)
