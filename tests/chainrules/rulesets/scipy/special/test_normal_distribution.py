"""The rules of the normal distribution, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special, stats

from chainrules.ad import grad, hessian, hvp
from chainrules_core import rrule
from chainrules_testutils import positive, test_frule, test_rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, check_rule, within


@pytest.mark.parametrize("f", [special.ndtr, special.log_ndtr], ids=lambda f: f.__name__)
def test_probabilities(f):
    """On real and complex numbers and arrays."""
    check_elementwise(f, anywhere, complex_numbers=True)


@pytest.mark.parametrize("f", [special.ndtr, special.log_ndtr, lambda x: special.owens_t(x, 0.7)])
def test_second_derivatives_at_infinity(f):
    """They are zero where the function is constant, in either mode, and change nothing elsewhere."""
    x = np.array([0.5, np.inf] if f is special.log_ndtr else [-np.inf, 0.5, np.inf])

    def total(x):
        return np.sum(f(x))

    finite = hvp(total, np.array([0.5]), np.ones(1))
    expected = np.where(np.isinf(x), 0.0, finite)
    np.testing.assert_array_equal(hvp(total, x, np.ones_like(x)), expected)
    np.testing.assert_array_equal(np.diag(hessian(total)(x)), expected)


@pytest.mark.parametrize("cdf", [special.ndtr, stats.norm.cdf])
def test_ordered_probit(cdf):
    """The Hessian of its log-likelihood, whose outer intervals are unbounded."""
    x, y = np.array([-1.0, 0.3, 1.2, 2.0]), np.array([0, 1, 2, 1])

    def log_likelihood(p):
        ends = np.concatenate([[-np.inf], p[1:], [np.inf]])
        return np.sum(np.log(cdf(ends[y + 1] - p[0] * x) - cdf(ends[y] - p[0] * x)))

    p, v, h = np.array([0.5, -0.5, 0.7]), np.array([1.0, -0.4, 0.3]), 1e-5
    gradient = grad(log_likelihood)
    expected = (gradient(p + h * v) - gradient(p - h * v)) / (2 * h)

    np.testing.assert_allclose(hvp(log_likelihood, p, v), expected, rtol=1e-8)
    np.testing.assert_allclose(hessian(log_likelihood)(p) @ v, expected, rtol=1e-8)


def test_quantiles():
    """On probabilities and their logarithms."""
    check_elementwise(special.ndtri, within(0.1, 0.9))
    check_elementwise(special.ndtri_exp, within(-3.0, -0.1))


@pytest.mark.parametrize("x", [-1e4, -40.0, -3.0, 0.0, 5.0, 30.0])
def test_logarithm_far_out(x):
    """``φ/Φ`` where both underflow, and where it is small: by mpmath."""
    with mpmath.workdps(50):
        z = mpmath.mpf(x)
        # From the continued fraction of Laplace, where the error function has underflowed.
        expected = mpmath.npdf(z) / mpmath.ncdf(z) if x > -100 else -z + 1 / (-z + 2 / -z)
    # The rounding of the exponent, 450 at 30, is what limits it.
    assert rrule(special.log_ndtr, x)[1](1.0)[1] == pytest.approx(
        float(expected), rel=1e-14 + 1e-13 * (x > 5), abs=0.0
    )


def test_extreme_quantiles():
    """The slope overflows only where the probability underflows."""
    x = special.ndtri(1e-300)
    slope = rrule(special.ndtri, 1e-300)[1](1.0)[1]
    assert slope == pytest.approx(np.sqrt(2 * np.pi) * np.exp(x * x / 2))
    assert rrule(special.ndtri_exp, -1e6)[1](1.0)[1] == pytest.approx(1 / np.sqrt(2e6), rel=1e-5)
    assert rrule(special.ndtri, 0.0)[1](1.0)[1] == np.inf


def test_parameters():
    """The mean and the standard deviation that give a quantile its probability."""
    p, x = np.array([0.3, 0.8]), np.array([1.0, -0.5])
    check_rule(special.nrdtrimn, p, np.array([0.7, 1.3]), x)
    check_rule(special.nrdtrisd, np.array([0.2, 0.4]), p, x)
    test_frule(special.nrdtrimn, 0.3, 0.7, 1.0)
    test_rrule(special.nrdtrisd, 0.3, 0.7, np.array([1.0, 2.0]))


def test_owens_t():
    """By both arguments; far out without underflow on the way."""
    check_elementwise(special.owens_t, anywhere, positive)
    assert rrule(special.owens_t, 50.0, 2.0)[1](1.0)[1:] == pytest.approx((0.0, 0.0), abs=1e-300)
