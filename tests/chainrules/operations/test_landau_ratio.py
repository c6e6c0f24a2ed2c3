"""The derivatives of Landau's density by the density, against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian
from chainrules.operations.landau_ratio import landau_ratio
from tests.chainrules.rule_checks import check_rule


def moment(n, x):
    """A derivative of the density, times a number that is the same for all `n`."""
    if x > 3:

        def on_cut(v):
            t = v / x
            return (-t) ** n * mpmath.exp(-v - t * mpmath.log(t)) * mpmath.sin(mpmath.pi * t)

        return mpmath.quad(on_cut, [0, 1, 5, 20, 60, 150])
    c = max(mpmath.exp(-1 - x), mpmath.mpf("0.3"))
    width, start = mpmath.sqrt(c), c * mpmath.log(c) + x * c

    def on_line(y):
        s = mpmath.mpc(c, y)
        return (s**n * mpmath.exp(s * mpmath.log(s) + x * s - start)).real

    return mpmath.quad(
        on_line, [0, width, 3 * width, 6 * width, 10 * width, 20 * width + 10, 30 * width + 60]
    )


@pytest.mark.parametrize("x", [-7.5, -3.0, 0.0, 1.4, 1.6, 5.0, 1e4])
def test_ratios(x):
    """On both sides of where the two integrals meet, and in the tails."""
    with mpmath.workdps(30):
        density, *derivatives = (moment(n, mpmath.mpf(x)) for n in (0, 1, 2))
        expected = [float(y / density) for y in derivatives]
    assert [landau_ratio(1, x), landau_ratio(2, x)] == pytest.approx(expected, rel=1e-12)


def test_tail():
    """It is that of ``1/x²``."""
    x = np.array([1e14, 1e20, 1e200])
    np.testing.assert_allclose(landau_ratio(1, x), -2.0 / x, rtol=1e-6)


def test_rules():
    """Each order is known by the next one."""
    check_rule(landau_ratio.__primitive__, 1, np.array([-2.0, 0.3, 4.0]))


def test_density():
    """That of SciPy, to second order."""
    h, at = 1e-3, stats.landau.logpdf
    for x in (-1.5, 0.4, 6.0):
        slope = (8.0 * (at(x + h) - at(x - h)) - at(x + 2 * h) + at(x - 2 * h)) / (12.0 * h)
        assert grad(at)(x) == pytest.approx(slope, rel=1e-8)
        curvature = (grad(at)(x + h) - grad(at)(x - h)) / (2.0 * h)
        assert hessian(at)(x) == pytest.approx(curvature, rel=1e-4)
