"""The rules of the transformation of Box and Cox, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad, jvp
from chainrules_core import rrule
from chainrules_testutils import positive
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, within


@pytest.mark.parametrize("f", [special.boxcox, special.boxcox1p], ids=lambda f: f.__name__)
def test_transformation(f):
    """On positive numbers, and powers of both signs; the power 0 is the logarithm."""
    check_elementwise(f, positive, anywhere)
    check_rule(f, np.array([0.3, 2.0, 5.0]), 0.0)
    check_rule(f, np.array([0.3, 2.0, 5.0]), np.array([1e-9, -1e-5, 4.0]))


@pytest.mark.parametrize("f", [special.inv_boxcox, special.inv_boxcox1p], ids=lambda f: f.__name__)
def test_inverse(f):
    """On numbers for which there is one."""
    check_elementwise(f, within(0.2, 1.5), within(-0.5, 2.0))
    check_rule(f, np.array([0.3, -2.0, 0.5]), np.array([0.0, 1e-9, -1e-4]))


@pytest.mark.parametrize(
    ("f", "x"), [(special.boxcox, 0.0), (special.boxcox1p, -1.0)], ids=["boxcox", "boxcox1p"]
)
def test_zero(f, x):
    """Of nothing a positive power λ makes ``-1/λ``."""
    assert rrule(f, x, 2.0)[1](1.0)[1:] == (0.0, 0.25)
    assert rrule(f, x, 0.5)[1](1.0)[1:] == (np.inf, 4.0)
    beside = rrule(f, x + 1.7, 2.0)[1](1.0)[2]
    assert rrule(f, np.array([x, x + 1.7]), 2.0)[1](np.ones(2))[2] == pytest.approx(0.25 + beside)


@pytest.mark.parametrize(("power", "slope"), [(1.0, 1.0), (0.5, 0.0), (0.25, 0.0), (2.0, np.inf)])
@pytest.mark.parametrize(("f", "least"), [(special.inv_boxcox, 0.0), (special.inv_boxcox1p, -1.0)])
def test_ends_of_the_inverse(f, least, power, slope):
    """Where the transformed number is least, the limits are taken."""
    y = -1.0 / power
    assert f(y, power) == least
    by_y, by_power = grad(f, (0, 1))(y, power)
    assert by_y == slope
    assert by_power == (0.0 if slope == 0.0 else y / power * slope)
    assert jvp(f, (np.array([y, 0.3]), power), (np.ones(2), 0.0))[1][0] == slope


def test_end_of_a_line():
    """The transformation with the power 1 has the slope 1 at its end, too."""
    assert grad(special.boxcox1p)(-1.0, 1.0) == grad(special.boxcox)(0.0, 1.0) == 1.0
