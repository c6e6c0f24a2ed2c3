"""Integrals over intervals of their own, against closed forms."""

import numpy as np

from chainrules.numerics.quadrature import integrals


def test_panels():
    """Each element has its own ends and parameters; empty panels contribute nothing."""
    rate, end = np.array([1.0, 3.0, 0.5]), np.array([2.0, 1.0, 4.0])
    ends = [0 * end, 0 * end, np.minimum(end, 1.5), end]
    y = integrals(lambda t, rate: np.exp(-rate * t), ends, rate)
    np.testing.assert_allclose(y, -np.expm1(-rate * end) / rate, rtol=1e-14)


def test_many_elements():
    """More than are computed at once, and none."""
    end = np.linspace(0.1, 2.0, 3000)
    np.testing.assert_allclose(integrals(np.cos, [0 * end, end]), np.sin(end), rtol=1e-14)
    assert integrals(np.cos, [np.zeros(0), np.zeros(0)]).shape == (0,)


def test_empty_panels():
    """Where all are, so is the integral, and the integrand need not be finite there."""
    zero = np.zeros(2)
    assert integrals(lambda t: 1 / t, [zero, zero, zero]).tolist() == [0.0, 0.0]
