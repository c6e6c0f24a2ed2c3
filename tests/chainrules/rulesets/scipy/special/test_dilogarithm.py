"""The rules of Spence's function, against finite differences."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from tests.chainrules.rule_checks import check_elementwise, check_rule, within


def test_spence():
    """On real and complex numbers and arrays."""
    check_elementwise(special.spence, within(0.3, 3.0), complex_numbers=True)


def test_around_one():
    """Where the quotient is 0 / 0."""
    check_rule(special.spence, np.array([1.0, 1 + 1e-9, 0.95, 1.09]))

    assert grad(special.spence)(1.0) == -1.0
    assert grad(grad(special.spence))(1.0) == 0.5


@pytest.mark.parametrize("z", [1 + 1e-12, 1 - 1e-5, 0.95, 1.09, 0.89, 1.11])
def test_accuracy(z):
    """The last digits, and nearly all of the second derivative, on both sides of the end of the series."""
    with mpmath.workdps(30):
        x = mpmath.mpf(z)
        slope = mpmath.log(x) / (1 - x)
        bend = (1 / x + slope) / (1 - x)

    assert grad(special.spence)(z) == pytest.approx(float(slope), rel=1e-15)
    assert grad(grad(special.spence))(z) == pytest.approx(float(bend), rel=1e-13)


def test_at_zero():
    """The slope is infinite at the end of the domain."""
    assert grad(special.spence)(0.0) == -np.inf
