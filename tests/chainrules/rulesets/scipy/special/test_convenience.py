"""The rules of convenience functions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import away_from, positive
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, off, within

REAL = {
    special.cbrt: off(0.0),
    special.exp2: anywhere,
    special.exp10: within(-1.0, 1.0),
    special.exprel: anywhere,
    special.cosm1: anywhere,
    special.cosdg: within(-400.0, 400.0),
    special.sindg: within(-400.0, 400.0),
    special.tandg: within(-60.0, 60.0),
    special.cotdg: within(30.0, 150.0),
}


@pytest.mark.parametrize("f", REAL, ids=lambda f: f.__name__)
def test_real(f):
    """On real numbers and arrays."""
    check_elementwise(f, REAL[f])


@pytest.mark.parametrize("f", [special.log1p, special.expm1], ids=lambda f: f.__name__)
def test_holomorphic(f):
    """On complex numbers and arrays too."""
    check_elementwise(f, within(-0.5, 2.0), complex_numbers=True)


@pytest.mark.parametrize("f", [special.xlogy, special.xlog1py], ids=lambda f: f.__name__)
def test_products_with_logarithms(f):
    """On real and complex numbers and arrays."""
    check_elementwise(f, anywhere, positive)
    check_rule(f, np.array([0.5 + 1j, 2.0 - 1j]), np.array([1.0 + 2j, 0.3 - 1j]))


@pytest.mark.parametrize(
    ("f", "pole"), [(special.xlogy, 0.0), (special.xlog1py, -1.0)], ids=["xlogy", "xlog1py"]
)
def test_factor_zero(f, pole):
    """A factor of zero makes the product constant, at the pole of the logarithm too."""
    at_pole = rrule(f, np.array([0.0, 2.0]), np.array([pole, pole]))
    np.testing.assert_array_equal(at_pole[1](np.ones(2))[1], [0.0, -np.inf])
    np.testing.assert_array_equal(at_pole[1](np.ones(2))[2], [0.0, np.inf])
    assert rrule(f, 0.0, pole)[1](1.0)[1:] == (0.0, 0.0)
    assert rrule(f, 0.0, 1.0 + pole)[1](1.0)[1:] == (0.0, 0.0)
    assert grad(grad(lambda y: f(0.0, y)))(pole) == 0.0


def test_powm1():
    """On positive bases; a base of 0 and an exponent of 0 as those of powers."""
    check_elementwise(special.powm1, positive, anywhere)
    assert rrule(special.powm1, 0.0, 2.0)[1](1.0)[1:] == (0.0, 0.0)
    assert rrule(special.powm1, 1e-5, 0.0)[1](1.0)[1:] == pytest.approx((0.0, np.log(1e-5)))


def test_radian():
    """Linear in degrees, minutes and seconds."""
    check_rule(special.radian, np.array([30.0, -5.0]), np.array([10.0, 20.0]), 3.0)
    assert (
        np.float32(1)
        * rrule(special.radian, *np.ones((3, 2), np.float32))[1](np.ones(2, np.float32))[1].dtype.itemsize
        == 4
    )


def test_slope_of_exprel():
    """At 0 it is 1/2, and its derivatives are 1/3 and 1/4."""
    derivative = special.exprel
    for expected in (1 / 2, 1 / 3, 1 / 4):
        derivative = grad(derivative)
        assert derivative(0.0) == pytest.approx(expected, rel=1e-14)


def test_round():
    """Constant between jumps."""
    check_rule(special.round, away_from((-0.5, 0.5, 1.5), (3,), 0))
