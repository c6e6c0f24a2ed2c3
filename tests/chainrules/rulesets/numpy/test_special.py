"""The rules of other special functions, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, within


def test_sinc():
    """On real and complex numbers and arrays."""
    check_elementwise(np.sinc, anywhere, complex_numbers=True)


def test_sinc_near_zero():
    """On numbers where the derivative is that of the power series."""
    check_rule(np.sinc, np.array([0.0, 1e-9, -1e-4, 0.03, -0.09]))


@pytest.mark.parametrize("x", [0.0, -0.0, 0, np.float64(0.0), np.float32(0.0), np.array(0.0)])
def test_sinc_at_zero(x):
    """The slope at the maximum is 0."""
    assert rrule(np.sinc, x)[1](1.0)[1] == 0.0


def test_derivatives_of_sinc_have_no_seam():
    """Of all orders, where the series ends; at 0 they are ``-π²/3`` and ``π⁴/5``."""
    ends = np.nextafter(0.1, [0.0, 1.0])
    derivative = np.sinc
    for order in range(1, 5):
        derivative = grad(derivative)
        below, above = map(derivative, ends)
        assert below == pytest.approx(above, rel=1e-10 ** (1 / order))
        if order % 2 == 0:
            expected = (-(np.pi**2) / 3, np.pi**4 / 5)[order // 2 - 1]
            assert derivative(0.0) == pytest.approx(expected)


def test_i0():
    """On real numbers of both signs."""
    check_elementwise(np.i0, within(-3.0, 3.0))


def test_i0_at_zero():
    """It has a minimum there, with the second derivative ``1/2``."""
    assert grad(np.i0)(0.0) == 0.0
    assert grad(grad(np.i0))(0.0) == 0.5
