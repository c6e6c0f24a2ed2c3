"""The test of Kolmogorov and Smirnov of one sample, against finite differences."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import AbstractZero, NoTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule

X = np.random.default_rng(1).normal(size=8)
OPTIONS = [
    {"alternative": alternative, "method": method}
    for alternative in ("two-sided", "less", "greater")
    for method in ("auto", "asymp", "approx")
]


@pytest.mark.parametrize("options", OPTIONS)
def test_both_items(options):
    """By the sample and the parameters of the distribution, with each distribution of the statistic."""
    args = X, stats.norm.cdf, (0.2, 1.3)
    (statistic_bar, p_bar), h = (0.7, -1.2), 1e-5

    def total(x, loc, scale):
        statistic, p = stats.ks_1samp(x, stats.norm.cdf, (loc, scale), **options)
        return statistic_bar * statistic + p_bar * p

    y, pullback = rrule(ADConfig(), stats.ks_1samp, *args, **options)
    assert tuple(y) == tuple(stats.ks_1samp(*args, **options))
    _, x_bar, _, args_bar = map(unthunk, pullback((statistic_bar, p_bar)))
    steps = h * np.eye(len(X))
    expected = [(total(X + step, 0.2, 1.3) - total(X - step, 0.2, 1.3)) / (2.0 * h) for step in steps]
    np.testing.assert_allclose(x_bar, expected, rtol=1e-5, atol=1e-8)
    by_loc = (total(X, 0.2 + h, 1.3) - total(X, 0.2 - h, 1.3)) / (2.0 * h)
    by_scale = (total(X, 0.2, 1.3 + h) - total(X, 0.2, 1.3 - h)) / (2.0 * h)
    np.testing.assert_allclose([*args_bar], [by_loc, by_scale], rtol=1e-5)

    dots = NoTangent(), np.ones_like(X), NoTangent(), (0.3, -0.4)
    _, y_dot = frule(ADConfig(), dots, stats.ks_1samp, *args, **options)
    pushed = statistic_bar * y_dot.statistic + p_bar * y_dot.pvalue
    assert pushed == pytest.approx(np.sum(x_bar) + 0.3 * by_loc - 0.4 * by_scale, rel=1e-5)


def test_what_a_function_holds():
    """A function of the user's, what it holds, and a name."""
    widths = np.array([1.3])

    def probability(x, loc):
        return stats.norm.cdf((x - loc) / widths)

    test_rrule(stats.ks_1samp, X, probability, (0.2,), config=ADConfig())
    test_frule(stats.ks_1samp, X, probability, (0.2,), config=ADConfig())
    test_rrule(stats.kstest, X, "logistic", (0.2, 1.3), config=ADConfig())
    test_frule(stats.kstest, X, "logistic", (0.2, 1.3), config=ADConfig())


def test_programs():
    """The engine follows SciPy's code, for the location of the statistic is a part of the result too."""
    by_scale = grad(lambda scale: stats.ks_1samp(X, lambda x: stats.logistic.cdf(x / scale))[0])(1.3)
    slope = jvp(lambda scale: stats.kstest(X, "logistic", (0.0, scale))[0], (1.3,), (1.0,))[1]
    assert by_scale == pytest.approx(slope)
    np.testing.assert_allclose(
        np.sum(grad(lambda x: stats.ks_1samp(x, stats.norm.cdf).statistic_location)(X)), 1.0
    )
    assert np.isfinite(
        hessian(lambda m: stats.ks_1samp(X, stats.norm.cdf, (m,), alternative="less").pvalue)(0.1)
    )


def test_others():
    """Stacks of samples, NaN, two samples and those that are drawn have no rule."""
    for x in (X.reshape(2, 4), np.array([0.3, np.nan]), np.array([1, 2])):
        assert rrule(ADConfig(), stats.ks_1samp, x, stats.norm.cdf) is None
    assert rrule(ADConfig(), stats.kstest, X, X + 1.0) is None
    assert frule(ADConfig(), (NoTangent(),) * 3, stats.kstest, X, X + 1.0) is None
    _, y_dot = frule(ADConfig(), (NoTangent(),) * 3, stats.ks_1samp, X, stats.norm.cdf)
    assert isinstance(y_dot, AbstractZero)


def test_a_p_value_of_1():
    """It stays there."""
    x = stats.norm.ppf((np.arange(4) + 0.5) / 4)
    _, pullback = rrule(ADConfig(), stats.ks_1samp, x, stats.norm.cdf, method="approx")
    np.testing.assert_array_equal(unthunk(pullback((0.0, 1.0))[1]), 0.0)
