"""Derivatives by parameters, from values in an interval."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.special_functions.parameter_derivatives import (
    derivative_by_parameter,
    radius_beside_poles,
)


@pytest.mark.parametrize("rate", [0.1, 1.0, 4.0, 10.0, -6j])
def test_exponentials(rate):
    """Entire functions of moderate growth are differentiated to the last digits."""
    assert derivative_by_parameter(lambda a: np.exp(rate * a), 0.3) == pytest.approx(
        rate * np.exp(0.3 * rate), rel=3e-13
    )


def test_arrays():
    """Elementwise, in double precision whatever the argument has."""
    a = np.array([[0.5, 1.5], [2.5, 3.5]], np.float32)

    for radius in (0.25, np.float32(0.1)):
        slopes = derivative_by_parameter(np.sin, a, radius)
        np.testing.assert_allclose(slopes, np.cos(a.astype(float)), rtol=1e-13)


def test_radius_beside_poles():
    """A quarter of the distance to the nearest pole of any of the values, and at most 1/4."""
    x = np.array([0.2, 3.0, -0.4, -0.6, -2.0])

    np.testing.assert_allclose(radius_beside_poles(x), [0.05, 0.25, 0.1, 0.1, 0.0])
    np.testing.assert_allclose(radius_beside_poles(x, 0.1), [0.025, 0.025, 0.025, 0.025, 0.0])


def test_beside_a_pole():
    """The nearest pole limits the interval, not the accuracy."""
    a = np.array([1e-3, 0.2, 5.0])

    slopes = derivative_by_parameter(lambda a: 1.0 / a, a, radius_beside_poles(a))

    np.testing.assert_allclose(slopes, -1.0 / a**2, rtol=1e-13)


def test_values_with_few_digits_give_nan():
    """A function that is wrong in its eighth digit is not differentiated."""
    a = np.array([0.3, 1.3])

    slopes = derivative_by_parameter(
        lambda a: np.exp(a) * (1.0 + 1e-8 * np.sign(np.sin(50.0 * a)) * (a < 1)), a
    )

    assert np.isnan(slopes[0])
    assert slopes[1] == pytest.approx(np.exp(1.3))


def test_derivatives_of_higher_order():
    """The sum of values is differentiated by the rules of the function."""
    slope = grad(lambda a: derivative_by_parameter(np.sin, a))

    assert slope(0.3) == pytest.approx(-np.sin(0.3), rel=1e-12)
