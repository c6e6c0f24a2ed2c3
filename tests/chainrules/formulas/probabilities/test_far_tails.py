"""Derivatives of the logarithms of tiny probabilities, against mpmath."""

import operator

import mpmath
import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian, jvp
from chainrules.formulas.probabilities.far_tails import FAR_BY_SHAPES, is_far, slope_of_log_probability

FAR = {
    "norm.logcdf": ((), -1e12, lambda x: -x),
    "norm.logsf": ((), 1e100, lambda x: -x),
    "gumbel_r.logcdf": ((), -36.0, lambda x: mpmath.exp(-x)),
    "gumbel_l.logsf": ((), 30.0, lambda x: -mpmath.exp(x)),
    "weibull_min.logsf": ((1.8,), 1e12, lambda x, c: -c * x ** (c - 1)),
    "weibull_max.logcdf": ((2.9,), -1e6, lambda x, c: c * (-x) ** (c - 1)),
    "genextreme.logcdf": ((-0.1,), -9.99, lambda x, c: (1 - c * x) ** (1 / c - 1)),
    "invgauss.logcdf": ((0.15,), 1e-100, lambda x, mu: 1 / (2 * x**2)),
    "wald.logcdf": ((), 1e-100, lambda x: 1 / (2 * x**2)),
    "rayleigh.logsf": ((), 1e6, lambda x: -x),
    "lognorm.logsf": ((0.01,), 1e100, lambda x, s: -(mpmath.log(x) / s + s / mpmath.log(x)) / (s * x)),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", FAR)
def test_far_tails_of_log_probabilities(name):
    """The difference of two logarithms of so many digits has none of its own left; against mpmath."""
    shapes, x, slope = FAR[name]
    method = operator.attrgetter(name)(stats)
    with mpmath.workdps(40):
        expected = float(slope(mpmath.mpf(x), *map(mpmath.mpf, shapes)))
    assert grad(lambda x: method(x, *shapes))(x) == pytest.approx(expected, rel=1e-10)
    assert jvp(lambda x: method(x, *shapes), (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-10)
    by_location = grad(lambda loc: method(x, *shapes, loc=loc))(0.0)
    assert by_location == pytest.approx(-expected, rel=1e-10)


@pytest.mark.parametrize(
    ("z", "rel"), [(0.05, 1e-11), (0.16, 1e-11), (50.0, 1e-9), (4e3, 1e-6), (1e5, 1e-9), (3e6, 1e-7)]
)
def test_inverse_normal_distribution_above(z, rel):
    """SciPy's logarithm is exact but for a small part, and its difference from that of the density is not."""

    def log_above(z, mu):
        low, high = (mpmath.erfc((z / mu + sign) / mpmath.sqrt(2 * z)) / 2 for sign in (-1, 1))
        return mpmath.log(low - mpmath.exp(2 / mu) * high)

    with mpmath.workdps(60):
        z, mu = mpmath.mpf(z), mpmath.mpf(0.15)
        by_z, by_mu = (float(mpmath.diff(log_above, (z, mu), order)) for order in ((1, 0), (0, 1)))
    z, mu = float(z), float(mu)
    assert grad(lambda z: stats.invgauss.logsf(z, mu))(z) == pytest.approx(by_z, rel=rel)
    assert grad(lambda mu: stats.invgauss.logsf(z, mu))(mu) == pytest.approx(by_mu, rel=rel)


def test_far_tails_by_shapes():
    """Those of SciPy's value, ``-z**c`` and ``-(1 - cz)**(1/c)``, and elements that are near beside them."""
    x = np.array([1e9, 2.0])
    expected = -(x**1.8) * np.log(x)
    by_shape = jvp(lambda c: stats.weibull_min.logsf(x, c), (1.8,), (1.0,))[1]
    np.testing.assert_allclose(by_shape, expected, rtol=1e-9)
    by_shape = grad(lambda c: stats.genextreme.logcdf(-9.99, c))(-0.1)
    w = mpmath.diff(lambda c: -((1 + mpmath.mpf("9.99") * c) ** (1 / c)), mpmath.mpf(-0.1))
    assert by_shape == pytest.approx(float(w), rel=1e-9)


def test_second_order():
    """Those of ``-x²/2`` and of ``-exp(-x)``."""
    assert hessian(stats.norm.logcdf)(-1e12) == pytest.approx(-1.0, rel=1e-6)
    assert hessian(stats.gumbel_r.logcdf)(-36.0) == pytest.approx(-np.exp(36.0), rel=1e-6)


def test_where():
    """Elements that are near have no say."""
    y = np.array([-np.inf, -1e9, -1.0])
    np.testing.assert_array_equal(is_far(y), [False, True, False])
    np.testing.assert_array_equal(is_far(0.01 * y, FAR_BY_SHAPES), False)
    z = -np.sqrt(-2.0 * y[1:])
    slope = slope_of_log_probability(lambda z: -z, z, (), y[1:], is_far(y[1:]))
    assert slope[0] == pytest.approx(-z[0] - 1.0 / z[0], rel=1e-12)
