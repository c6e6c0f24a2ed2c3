"""Hankel's expansion for the derivatives of scaled Bessel functions, against mpmath."""

import mpmath
import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.special_functions.bessel_slopes import (
    direction,
    far_or_near,
    is_large,
    logarithmic_slope,
)


@pytest.mark.parametrize("order", [0, 1, 1 / 3, 3.5, 12.0])
@pytest.mark.parametrize("size", [1.001, 3.0, 1e4])
def test_logarithmic_slope(order, size):
    """Of ``e^z K_v(z)``, from where it is used on: on the right, and on the imaginary axis."""
    size *= max(30.0, 2.0 * order * order)
    for z in (size, 1j * size, -1j * size):
        assert is_large(order, z)
        with mpmath.workdps(40):
            exact = mpmath.mpmathify(z)
            below, value, above = (mpmath.besselk(order + i, exact) for i in (-1, 0, 1))
            expected = complex(1 - (below + above) / (2 * value))
        assert abs(logarithmic_slope(order, z) - expected) <= 1e-14 * abs(expected)


def test_where_it_is_not_used():
    """It is finite, so that a choice between it and another value can be differentiated."""
    for z in (0.0, 1e-300, 5.0, np.array([0.0, 40.0])):
        assert np.all(np.isfinite(logarithmic_slope(2.5, z)))
        assert not np.any(is_large(6.0, z))
    assert grad(logarithmic_slope, 1)(2.5, 0.0) == 0.0


def test_single_precision():
    """It stays, also for a number of Python's beside an array."""
    x = np.array([40.0, 50.0], dtype=np.float32)
    assert logarithmic_slope(0, x).dtype == logarithmic_slope(0.5, x).dtype == np.float32


def test_far_or_near():
    """The expansion is computed where it is needed, and not elsewhere."""
    near = np.array([1.0, 2.0])
    assert far_or_near(np.array([False, False]), lambda: 1 / 0, near) is near
    np.testing.assert_array_equal(far_or_near(np.array([False, True]), lambda: 7.0, near), [1.0, 7.0])


def test_direction():
    """The sign of the real part, a constant."""
    assert (direction(-2.0), direction(0.0), direction(3 - 1j), direction(-2j)) == (-1, 0, 1, 0)
    assert type(direction(-2.0)) is int
    x = np.array([-1.0, 0.0, 2.0], dtype=np.float32)
    assert direction(x).dtype == np.float32
    np.testing.assert_array_equal(direction(x), [-1, 0, 1])
