"""Quotients whose divisor may be zero."""

import math

import numpy as np
import pytest

from chainrules.ad import call, grad, jvp
from chainrules.values.quotients import inverse, nonzero, quotient_or_zero


def test_quotient():
    """A quotient, also of traced numbers."""
    assert quotient_or_zero(3.0, 2.0) == 1.5
    assert grad(lambda x: quotient_or_zero(x, 2.0))(1.0) == 0.5


def test_zero():
    """The quotient is 0 where the norm is 0."""
    assert quotient_or_zero(0.0, 0.0) == 0.0
    assert quotient_or_zero(np.float64(0.0), np.float64(0.0)) == 0.0
    assert quotient_or_zero(0j, np.float64(0.0)) == 0.0
    assert grad(lambda x: 1.0 * x + quotient_or_zero(x, 0.0))(0.0) == 1.0


@pytest.mark.parametrize("zero", [0.0, -0.0, np.float64(0.0)])
def test_inverse_of_zero_is_infinite(zero):
    """Without an error or a warning; the sign is that of the zero."""
    assert inverse(zero) == np.copysign(np.inf, zero)


@pytest.mark.parametrize("zero", [0j, np.complex128(0.0)])
def test_inverse_of_a_complex_zero(zero):
    """It has no direction: NaN, without an error or a warning."""
    assert np.isnan(inverse(zero))


@pytest.mark.parametrize("x", [2.0, 2, np.float32(2.0), np.full(3, 2.0), 2j])
def test_inverse(x):
    """For every other number it is the quotient."""
    np.testing.assert_array_equal(inverse(x), 1 / x)


@np.errstate(divide="ignore", invalid="ignore")
@pytest.mark.parametrize(("f", "slope"), [(math.asin, np.inf), (math.acos, -np.inf), (math.acosh, -np.inf)])
def test_inverse_of_traced_zero(f, slope):
    """Of a number of Python's that is differentiated by it is infinite as well, and no error."""
    assert grad(lambda x: inverse(x - 1.0))(1.0) == -np.inf
    assert jvp(grad(lambda x: call(f, x)), (1.0,), (1.0,))[1] == slope


def test_nonzero():
    """Zeros become ones, in the dtype of the others."""
    x = nonzero(np.array([0.0, 2.0], dtype=np.float32))

    assert (x.tolist(), x.dtype) == ([1.0, 2.0], np.float32)
    assert nonzero(0.0) == 1.0
