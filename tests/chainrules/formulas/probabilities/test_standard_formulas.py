"""The small functions of which tables of distributions consist."""

import numpy as np
import pytest
from scipy import stats

from chainrules.formulas.calls.partial_derivatives import partial_derivative
from chainrules.formulas.probabilities.standard_formulas import (
    log_power,
    log_power_sum,
    log_rest,
    log_sum,
    modulus,
    normal,
)


def test_powers():
    """Where power and number are 0, the number makes no difference, and the power all."""
    z = np.array([0.0, 0.5, 2.0])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(partial_derivative(log_power, 1)(np.float64(0.0), z), 0.0)
        np.testing.assert_allclose(partial_derivative(log_power, 0)(np.float64(0.0), z), np.log(z))
        np.testing.assert_allclose(partial_derivative(log_power, 1)(1.5, z), 1.5 / z)


def test_sums():
    """Without overflow."""
    np.testing.assert_allclose(log_sum(np.array([-800.0, 0.0, 800.0])), [0.0, np.log(2.0), 800.0])


def test_transformed():
    """The logarithm of a number with a log-normal distribution is normal."""
    standard = normal(np.log, lambda z: -np.log(z))
    assert standard.log_density(1.7) == pytest.approx(stats.lognorm.logpdf(1.7, 1.0))
    assert standard.log_below(1.7) == pytest.approx(stats.lognorm.logcdf(1.7, 1.0))
    assert standard.log_above(1.7) == pytest.approx(stats.lognorm.logsf(1.7, 1.0))


def test_sums_of_powers():
    """Without overflow, and at 0."""
    z = np.array([0.0, 0.3, 2.0, 1e200])
    expected = [0.0, *(np.log1p(z[1:3] ** 1.7)), 1.7 * np.log(1e200)]
    with np.errstate(over="raise"):
        np.testing.assert_allclose(log_power_sum(1.7, z), expected)
    np.testing.assert_array_equal(partial_derivative(log_power_sum, 1)(1.0, np.array([0.0])), 1.0)


def test_moduli():
    """One-sided at 0."""
    np.testing.assert_array_equal(modulus(np.array([-2.0, 0.0, 3.0])), [2.0, 0.0, 3.0])
    slopes = partial_derivative(modulus, 0)(np.array([-2.0, 0.0, 3.0]))
    np.testing.assert_array_equal(slopes, [-1.0, 1.0, 1.0])


def test_rests():
    """With all digits at both ends."""
    w = np.array([1e-20, 0.5, 0.8, 60.0])
    expected = [np.log(1e-20), *np.log(1.0 - np.exp(-w[1:3])), -np.exp(-60.0)]
    np.testing.assert_allclose(log_rest(w), expected, rtol=1e-14)
