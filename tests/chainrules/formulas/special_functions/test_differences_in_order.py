"""Derivatives by an order, against those that are known."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules.formulas.special_functions.differences_in_order import (
    derivative_by_order,
    longest_reach,
    or_power_of_zero,
    rate_of_powers,
)


@pytest.mark.parametrize("rate", [0.1, 1.0, 1.5, 30.0])
@pytest.mark.parametrize("v", [0.0, 2.5, -700.0])
def test_exponentials(rate, v):
    """Of functions that grow as fast as is said, in all directions of the complex plane."""
    for factor in (rate, -rate, 1j * rate, rate * np.exp(0.25j * np.pi)):

        def f(order, factor=factor):
            return np.exp(factor * (order - v))

        assert derivative_by_order(f, f(v), v, rate=rate) == pytest.approx(factor, rel=3e-14)


def test_polynomials():
    """Of few powers they are exact but for rounding, whatever the step."""
    for rate in (0.3, 5.0):
        slope = derivative_by_order(lambda v: (0.1 * v) ** 15, 1.0, 10.0, rate=rate)
        assert slope == pytest.approx(1.5, rel=1e-12)


def test_broadcasting():
    """The order, other arguments and the rate have shapes that broadcast."""
    v, x = np.array([[1.0], [2.5]]), np.array([0.5, 2.0, 3.0])
    y = x**v
    slope = derivative_by_order(lambda v, x: x**v, y, v, x, rate=rate_of_powers(v, x))
    np.testing.assert_allclose(slope, y * np.log(x), rtol=1e-13)


def test_precision():
    """It is computed in double precision, and given in that of the result."""
    v, x = np.float32(1.5), np.array([0.5, 2.0], dtype=np.float32)
    slope = derivative_by_order(lambda v, x: x**v, x**v, v, x, rate=2.0)
    assert slope.dtype == np.float32
    np.testing.assert_allclose(slope, np.float64(x) ** 1.5 * np.log(np.float64(x)), rtol=1e-7)


def test_what_grows_faster_is_nan():
    """Jumps, noise and values out of range have no derivative, and spoil no others."""
    v = np.array([0.0, 3.0, -3.0, 30.0])

    def f(v):
        return np.where(v > 20.0, np.inf, np.where(np.abs(v) < 1.0, np.sign(v), v))

    with np.errstate(invalid="ignore"):
        slopes = derivative_by_order(f, f(v), v, rate=2.0)
    np.testing.assert_allclose(slopes, [np.nan, 1.0, 1.0, np.nan], rtol=1e-13)
    wave = derivative_by_order(lambda v: np.sin(20.0 * v), 0.0, 0.0, rate=2.0)
    assert np.isnan(wave)


def test_derivatives_of_derivatives():
    """It is a sum of values of the function, and differentiated as one."""

    def slope(v, x):
        return derivative_by_order(special.jv, special.jv(1.0, 1.0), v, x, rate=3.0)

    mixed = grad(slope, 1)(0.0, 1.3)
    assert mixed == pytest.approx(-0.5 * np.pi * special.y1(1.3), rel=1e-13)


@pytest.mark.parametrize("distance", [0.3, 1.0, 7.0])
def test_longest_reach(distance):
    """Values are needed up to a distance from the order, and not much nearer."""
    orders = []

    def f(v):
        orders.append(v)
        return np.sin(0.1 * v)

    derivative_by_order(f, f(2.0), 2.0, rate=longest_reach(distance))
    assert 0.5 * distance <= np.max(np.abs(np.array(orders) - 2.0)) <= distance


def test_powers_of_zero():
    """At 0 the derivative by the order is 0, and is differentiated as a power; elsewhere it is given."""
    slope, z, v = np.full(4, 7.0), np.array([0.0, 0.0, 0.0, 1.0]), np.array([0.5, 2.5, -0.5, 2.5])
    np.testing.assert_array_equal(or_power_of_zero(slope, z, v), [0.0, 0.0, 7.0, 7.0])
    np.testing.assert_array_equal(or_power_of_zero(slope, z, 0.0), slope)
    assert or_power_of_zero(slope, z + 1.0, v) is slope
    by_z = grad(lambda z: np.sum(or_power_of_zero(slope, z, np.array([0.5, 1.0, 1.005, 2.5]))))
    with np.errstate(divide="ignore"):  # as rules have it
        np.testing.assert_array_equal(by_z(z), [-np.inf, -np.inf, -np.inf, 0.0])
        np.testing.assert_array_equal(grad(lambda z: or_power_of_zero(7.0, z, 1.02))(0.0), 0.0)


def test_rate_of_powers():
    """At least that of ``1/Γ``; more for small and complex numbers, and finite at 0."""
    assert rate_of_powers(0.0, 1e3) == pytest.approx(0.5 * np.pi, rel=1e-5)
    assert rate_of_powers(0.0, 1e-6) > np.log(1e6)
    assert rate_of_powers(0.0, -1e3 + 0.0j) == pytest.approx(1.5 * np.pi, rel=1e-5)
    assert np.isfinite(rate_of_powers(0.5, 0.0))
