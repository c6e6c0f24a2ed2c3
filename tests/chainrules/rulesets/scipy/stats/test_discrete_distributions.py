"""Rules of the methods of discrete distributions; `test_known_discrete_distributions` has all of them."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from tests.chainrules.rulesets.scipy.stats.method_checks import check_method, check_program, record_method

METHODS = ("logpmf", "pmf", "cdf", "sf", "logcdf", "logsf")
K = np.array([0, 1, 2])


@pytest.mark.parametrize("name", METHODS)
def test_rules(name):
    """By the mean and the probability, which broadcast."""
    method = getattr(stats.rv_discrete, name)
    check_method(method, stats.poisson, K, np.array([[2.3], [0.4]]))
    check_method(method, stats.binom, K, 6, np.array([[0.4], [0.7]]))
    check_method(method, stats.poisson, 3, 2.3, 1)


def test_quantiles():
    """They are constant between jumps."""
    for name in ("ppf", "isf"):
        check_method(getattr(stats.rv_discrete, name), stats.poisson, np.array([0.3, 0.8]), 2.3)


@pytest.mark.parametrize("name", METHODS)
def test_second_order(name):
    """With parameters by keyword, and frozen."""
    weights = np.array([1.0, 2.0, 3.0])
    check_program(lambda v: np.sum(getattr(stats.poisson, name)(K, mu=v[0]) * weights), np.array([2.3]))
    check_program(lambda v: np.sum(getattr(stats.binom(6, v[0]), name)(K) * weights), np.array([0.4]))


def test_no_tangents():
    """Numbers of events and trials, and the location that shifts them, have none."""
    _, pullback = rrule(stats.rv_discrete.pmf, stats.binom, K, 6, 0.4, 0)
    assert [unthunk(bar) for bar in pullback(np.ones(3))[:4]] == [NoTangent()] * 4
    assert pullback(np.ones(3))[5] == NoTangent()
    assert grad(lambda p: stats.binom.ppf(p, 6, 0.4))(0.3) == 0.0

    x_dots = NoTangent(), NoTangent(), 1.0, NoTangent()
    assert frule(x_dots, stats.rv_discrete.pmf, stats.poisson, 2.0, 2.3)[1] in {NoTangent(), ZeroTangent()}


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_certain_events(p):
    """Probabilities are polynomials, and have derivatives at the ends as well."""
    k = np.arange(5)
    expected = np.array([-3.0, 3.0, 0.0, 0.0, 0.0])
    expected = expected if p == 0 else -np.roll(expected[::-1], -1)
    slopes = [grad(lambda p, k=k: stats.binom.pmf(k, 3, p))(p) for k in k]
    np.testing.assert_allclose(slopes, expected, atol=1e-15)
    np.testing.assert_allclose(
        [grad(lambda p, k=k: stats.binom.cdf(k, 3, p))(p) for k in k], np.cumsum(expected), atol=1e-15
    )


def test_outside_of_the_support():
    """Values are SciPy's, and derivatives 0, or NaN for bad parameters."""
    k = np.array([-1.0, 0.5, 9.0])
    for name in METHODS:
        f = getattr(stats.rv_discrete, name)
        y, pullback = rrule(f, stats.binom, k, 3, 0.4)
        np.testing.assert_array_equal(y, getattr(stats.binom, name)(k, 3, 0.4))
        p_bar = unthunk(pullback(np.array([1.0, 0.0, 1.0]))[4])
        assert p_bar == 0.0
    assert np.isnan(grad(lambda m: stats.poisson.pmf(2, m))(-1.0))
    assert grad(lambda m: stats.poisson.pmf(1, m))(0.0) == 1.0
    assert grad(lambda m: stats.poisson.logpmf(0, m))(0.0) == -1.0


@pytest.mark.parametrize("name", ["cdf", "sf", "logcdf"])
def test_infinite_numbers(name):
    """All is below infinity, whatever the parameters are; the derivative is NaN where the value is."""
    for distribution, parameter in ((stats.poisson, 2.0), (stats.geom, 0.2), (stats.dlaplace, 0.7)):
        f = getattr(distribution, name)
        assert grad(lambda p, f=f: f(np.inf, p))(parameter) == 0.0
        assert np.isnan(grad(lambda p, f=f: f(np.inf, p))(-1.0)) == np.isnan(f(np.inf, -1.0))
    assert grad(lambda p: stats.dlaplace.logsf(-np.inf, p))(0.7) == 0.0


def test_whole_numbers():
    """Medians, intervals and ends stay where they are; so does what is drawn, until it jumps."""
    for name, leading in (("median", ()), ("support", ()), ("interval", (0.8,))):
        f = getattr(stats.binom, name)
        y, pullback = rrule(f, *leading, 6, 0.4)
        y_bar = (1.0, 1.0) if isinstance(y, tuple) else 1.0
        assert [unthunk(bar) for bar in pullback(y_bar)[1:]] == [NoTangent()] * (2 + len(leading))
        record_method(getattr(stats.rv_discrete, name), stats.binom, *leading, 6, 0.4)
    _, pullback = rrule(stats.rv_discrete.rvs, stats.poisson, 2.3, random_state=0)
    assert "jumps" in str(pullback(1.0)[2])
    record_method(stats.rv_discrete.rvs, stats.poisson, 2.3)
