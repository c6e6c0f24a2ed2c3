"""Rules of probabilities of the multivariate normal distribution, by all of its arguments."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import positive_definite
from tests.chainrules.rulesets.scipy.stats.method_checks import check_program, record_method

NORMAL = stats.multivariate_normal
CLASS, FROZEN = type(NORMAL), stats.multivariate_normal().__class__
rng = np.random.default_rng(0)
X, MEAN, COV = rng.normal(size=(2, 4, 3)), np.array([0.1, 0.2, -0.3]), positive_definite(3, rng=0)
WEIGHTS = rng.normal(size=(2, 4))
SINGULAR = np.ones((3, 3))


@pytest.mark.every_case
@pytest.mark.parametrize(("name", "n", "low"), [("cdf", 2, -1.7), ("cdf", 1, None), ("logcdf", 2, None)])
def test_probabilities(name, n, low):
    """By points, mean and covariance at once, in both modes; twice in one case."""
    f, options = getattr(NORMAL, name), {} if low is None else {"lower_limit": np.full(n, low)}
    x, factor = X[0, :2, :n], np.linalg.cholesky(COV[:n, :n])

    def program(v):
        points, mean, L = np.split(v, [2 * n, 3 * n])
        L = L.reshape(n, n)
        return np.sum(WEIGHTS[0, :2] * f(points.reshape(2, n), mean, L @ L.T, **options))

    check_program(
        program, np.concatenate([x.ravel(), MEAN[:n], factor.ravel()]), order=2 if name == "logcdf" else 1
    )
    args = x, MEAN[:n], COV[:n, :n]
    record_method(getattr(CLASS, name), NORMAL, *args)
    record_method(getattr(FROZEN, name), NORMAL(*args[1:]), x)
    frozen = grad(lambda m: np.sum(getattr(NORMAL(m, args[2]), name)(x, **options)))(MEAN[:n])
    np.testing.assert_allclose(frozen, grad(lambda m: np.sum(f(x, m, args[2], **options)))(MEAN[:n]))
    by_points = grad(lambda x: np.sum(getattr(NORMAL(*args[1:]), name)(x, **options)))(x)
    np.testing.assert_allclose(by_points, grad(lambda x: np.sum(f(x, *args[1:], **options)))(x))
    tangents = NoTangent(), NoTangent(), NoTangent(), NoTangent(), COV[:n, :n]
    _, y_dot = frule(tangents, getattr(CLASS, name), NORMAL, *args)
    _, _, _, _, cov_bar = rrule(getattr(CLASS, name), NORMAL, *args)[1](np.ones(2))
    np.testing.assert_allclose(np.sum(y_dot), np.sum(unthunk(cov_bar) * COV[:n, :n]))
    pushed = jvp(lambda x: getattr(NORMAL(*args[1:]), name)(x, **options), (x,), (np.ones_like(x),))[1]
    np.testing.assert_allclose(np.sum(pushed), np.sum(by_points))


def test_probabilities_of_three_numbers():
    """Their derivatives need probabilities of two, which are exact, although SciPy draws points for three."""
    gradient = grad(lambda x: NORMAL.cdf(x, MEAN, np.diag([1.3, 0.7, 2.0])))(X[0, 0])
    deviations = np.sqrt([1.3, 0.7, 2.0])
    product = lambda x: np.prod(stats.norm.cdf(x, MEAN, deviations))  # noqa: E731 - they are independent
    np.testing.assert_allclose(gradient, grad(product)(X[0, 0]), rtol=1e-10)


def test_probabilities_left_to_scipy():
    """Of other covariances, singular ones, and logarithms of negative numbers; zeros stay zeros."""
    tangents = (NoTangent(),) * 5
    cases = [
        (CLASS.cdf, (X, MEAN, stats.Covariance.from_diagonal(np.ones(3))), {}),
        (CLASS.cdf, (X, MEAN), {"cov": stats.Covariance.from_diagonal(np.ones(3))}),
        (CLASS.cdf, (X, None, SINGULAR, True), {}),
        (CLASS.logcdf, (0.0, 0.0, 1.0), {"lower_limit": 1.0}),
        (CLASS.cdf, (X + 1j, MEAN, COV), {}),
    ]
    for method, args, options in cases:
        assert rrule(method, NORMAL, *args, **options) is None
        assert frule((NoTangent(),) * (2 + len(args)), method, NORMAL, *args, **options) is None
    args = X[0, :, :1], MEAN[:1], COV[:1, :1]
    assert frule(tangents, CLASS.cdf, NORMAL, *args)[1] == NoTangent()
    _, pullback = rrule(CLASS.cdf, NORMAL, *args)
    assert [unthunk(bar) for bar in pullback(ZeroTangent())[2:]] == [ZeroTangent()] * 3
    assert len(pullback(np.ones(4))) == 5
    assert rrule(FROZEN.cdf, NORMAL(None, SINGULAR, allow_singular=True), X) is None


def test_lists():
    """Points and means may be lists of numbers, any of which may vary."""
    cov = COV[:2, :2]
    expected = grad(lambda v: NORMAL.cdf(v[:2], v[2:], cov))(np.array([1.0, 0.2, 0.3, 0.0]))
    in_lists = grad(lambda a, b, c: NORMAL.cdf([a, b], [c, 0.0], cov), (0, 1, 2))(1.0, 0.2, 0.3)
    np.testing.assert_allclose(in_lists, expected[:3])
    np.testing.assert_allclose(
        jvp(lambda a: NORMAL.cdf([a, 0.2], [0.3, 0.0], cov), (1.0,), (1.0,))[1], expected[0]
    )
    by_cov = grad(lambda C: NORMAL.cdf([1.0, 0.2], [0.3, 0.0], C))(cov)
    np.testing.assert_array_equal(by_cov, grad(lambda C: NORMAL([0.3, 0.0], C).cdf([1.0, 0.2]))(cov))
    _, pullback = rrule(CLASS.cdf, NORMAL, [1.0, 0.2], [0.3, 0.0], cov)
    np.testing.assert_allclose(list(unthunk(pullback(1.0)[2])), expected[:2])
    tangents = NoTangent(), NoTangent(), [1.0, 0.0], NoTangent(), NoTangent()
    _, y_dot = frule(tangents, CLASS.cdf, NORMAL, [1.0, 0.2], [0.3, 0.0], cov)
    np.testing.assert_allclose(y_dot, expected[0])


def test_infinite_limits():
    """Without a limit there is no derivative by it; that of NaN is NaN."""
    gradient = grad(lambda x: NORMAL.cdf(x, MEAN[:2], COV[:2, :2]))
    by_the_other = grad(lambda x: NORMAL.cdf(x, MEAN[1], COV[1, 1]))(0.3)
    np.testing.assert_allclose(gradient(np.array([np.inf, 0.3])), [0.0, by_the_other])
    assert np.all(np.isnan(gradient(np.array([np.nan, 0.3]))))
