"""The rules of Riccati-Bessel functions, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule

FUNCTIONS = [special.riccati_jn, special.riccati_yn]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("n", [0, 1, 4])
def test_both_results(f, n):
    """The values and the derivatives of all orders up to one."""
    for x in (0.7, 5.0):
        test_frule(f, n, x)
        test_rrule(f, n, x)
    ones = np.ones(n + 1)
    assert rrule(f, n, 0.7)[1]((ones, ones))[1] == NoTangent()


@pytest.mark.parametrize("f", FUNCTIONS)
def test_second_derivative(f):
    """Of a function of both results."""

    def weighted(x):
        values, slopes = f(3, x)
        return np.sum(values * slopes)

    slope, h = grad(weighted), 1e-4
    assert grad(slope)(1.3) == pytest.approx((slope(1.3 + h) - slope(1.3 - h)) / (2 * h), rel=1e-6)


def test_at_zero():
    """Of the first kind only ``x j₁(x)`` is curved there, ``2/3``."""
    _, (slopes, curvatures) = frule((NoTangent(), NoTangent(), 1.0), special.riccati_jn, 3, 0.0)
    np.testing.assert_allclose(slopes, [1.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(curvatures, [0.0, 2 / 3, 0.0, 0.0], atol=1e-15)
