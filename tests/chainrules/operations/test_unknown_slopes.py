"""Zeros with derivatives that are not known, or given."""

import numpy as np

from chainrules.ad import grad, hessian, jvp
from chainrules.operations.unknown_slopes import given_slope, unknown_slope


def test_both_modes():
    """The value is 0, and the derivative NaN, unless nothing depends on it."""
    assert unknown_slope(2.0) == 0.0
    assert np.isnan(grad(lambda x: x + unknown_slope(x))(2.0))
    assert np.isnan(jvp(unknown_slope, (np.ones(2),), (np.ones(2),))[1]).all()
    assert grad(lambda x, y: x + unknown_slope(y))(1.0, 2.0) == 1.0
    assert grad(lambda x: 0.0 * unknown_slope(x) if x < 0 else x)(2.0) == 1.0


def test_given_slopes():
    """The value is 0, whatever the slope, which may be infinite; its derivatives are second ones."""
    x, slope = np.array([1.0, 2.0]), np.array([3.0, -np.inf])
    assert given_slope(2.0, 3.0) == 0.0
    np.testing.assert_array_equal(given_slope(x, slope), np.zeros(2))
    np.testing.assert_array_equal(jvp(given_slope, (x, slope), (np.ones(2), np.ones(2)))[1], slope)
    np.testing.assert_array_equal(grad(lambda x: np.sum(given_slope(x, slope)))(x), slope)
    np.testing.assert_array_equal(grad(lambda c: np.sum(given_slope(x, c)))(slope), np.zeros(2))
    assert hessian(lambda x: given_slope(x, x**3))(2.0) == 12.0
