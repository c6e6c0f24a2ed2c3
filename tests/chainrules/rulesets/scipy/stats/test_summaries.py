"""Rules of summaries of samples."""

import numpy as np
import pytest
from scipy import optimize, stats

from chainrules.ad import grad, hessian
from chainrules_core import frule, rrule, unthunk
from chainrules_testutils import jacobian, test_frule, test_rrule
from tests.chainrules.rule_checks import check_zeros_are_strong, positive
from tests.chainrules.rulesets.scipy.stats.method_checks import check_samples

rng = np.random.default_rng(5)
# Positive numbers, none of which are near 0 or equal.
A, B = rng.gamma(3.0, 1.0, (4, 3)) + 0.2, rng.gamma(3.0, 1.0, (4, 3)) + 0.2
WITH_NAN = np.where(np.arange(12).reshape(4, 3) == 4, np.nan, A)
V = np.array([-1.3, -0.2, 0.4, 2.5])

CASES = [
    (stats.gmean, (A,), {}),
    (stats.gmean, (A, 1), {"keepdims": True}),
    (stats.hmean, (A,), {"axis": None}),
    (stats.pmean, (A, 2.5), {"axis": 1}),
    (stats.zscore, (A,), {}),
    (stats.zscore, (A, None, 1), {}),
    (stats.zscore, (A, (0, 1)), {}),
    (stats.gzscore, (A,), {"axis": 1}),
    (stats.zmap, (A, B), {}),
    (stats.sem, (A,), {"ddof": 0}),
    (stats.sem, (A, (0, 1)), {"keepdims": True}),
    (stats.gstd, (A,), {}),
    (stats.variation, (A,), {"axis": 1}),
    (stats.moment, (A, 3), {}),
    (stats.moment, (A, 2), {"center": 0.5}),
    (stats.skew, (A,), {}),
    (stats.skew, (A,), {"bias": False}),
    (stats.skew, (A, (0, -1)), {"bias": False}),
    (stats.kurtosis, (A,), {"axis": None}),
    (stats.kurtosis, (A,), {"bias": False, "fisher": False}),
    (stats.boxcox, (A[:, 0], 0.3), {}),
    (stats.yeojohnson, (V, 0.3), {}),
    (stats.entropy, (A,), {"base": 2}),
]
OF_ORDER_AND_LIKELIHOOD = [
    (stats.trim_mean, (A[:, 0],), {"proportiontocut": 0.3}),
    (stats.trim_mean, (A[:3, :2],), {"proportiontocut": 0.2, "axis": None}),
    (stats.iqr, (A[:, 0],), {}),
    (stats.iqr, (A[:, :2],), {"axis": 0, "keepdims": True}),
    (stats.wasserstein_distance, (A[:, 0], B[:3, 1]), {}),
    (stats.energy_distance, (A[:, 0], B[:3, 1]), {}),
    (stats.boxcox_llf, (0.3, A[:3, 0]), {}),
    (stats.yeojohnson_llf, (0.3, V), {}),
    (stats.sem, (A[:, 0],), {"nan_policy": "omit"}),
]


@pytest.mark.parametrize(("f", "args", "options"), CASES)
def test_rules(f, args, options):
    """Along each axis, and with each option."""
    test_frule(f, *args, fkwargs=options)
    test_rrule(f, *args, fkwargs=options)


@pytest.mark.every_case
@pytest.mark.parametrize(("f", "args", "options"), OF_ORDER_AND_LIKELIHOOD)
def test_order_and_likelihood(f, args, options):
    """Of sorted numbers, and of transformed ones; where there is no NaN, none is left out."""
    check_samples(f, *args, **options)


@pytest.mark.parametrize("f", [stats.zscore, stats.skew, stats.gmean])
def test_second_order(f):
    """Of the rules' own code."""

    def program(v):
        return np.sum(f(v) * np.arange(1.0, 5.0))

    expected = jacobian(None, grad(program), A[:, 0])[0].reshape(4, 4)
    np.testing.assert_allclose(hessian(program)(A[:, 0]), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "args", "options"),
    [
        (stats.gmean, (np.array([1.0, 2.0]),), {"weights": np.array([1.0, 3.0])}),
        (stats.gmean, (np.array([0.0, 2.0]),), {}),
        (stats.hmean, (np.array([0.0, 2.0]),), {}),
        (stats.pmean, (np.array([1.0, 2.0]), 0), {}),
        (stats.gmean, (A,), {"axis": ()}),
        (stats.gmean, (A,), {"axis": 2}),
        (stats.gzscore, (-A,), {}),
        (stats.gstd, (-A,), {}),
        (stats.skew, (WITH_NAN,), {"nan_policy": "omit"}),
        (stats.kurtosis, (WITH_NAN, 0, True, True, "omit"), {}),
        (stats.sem, (WITH_NAN, 0, 1, "omit"), {}),
        (stats.variation, (np.float64(2.0),), {}),
        (stats.trim_mean, (A, 0.6), {}),
        (stats.iqr, (A,), {"interpolation": "lower"}),
        (stats.iqr, (A,), {"scale": "normal"}),
        (stats.iqr, (A,), {"rng": (20, 80)}),
        (stats.energy_distance, (A, B), {}),
        (stats.energy_distance, (A[:, 0], B[:, 0], V + 2.0), {}),
        (stats.boxcox_llf, (np.array([0.3, 0.4]), A), {}),
        (stats.moment, (A, 1), {}),
        (stats.boxcox, (A[:, 0],), {"optimizer": optimize.minimize_scalar}),
        (stats.boxcox, (A[:, 0].astype(np.float32),), {}),
        (stats.yeojohnson, (np.zeros(4),), {}),
        (stats.yeojohnson, (A,), {}),
        (stats.boxcox, (A[:, 0], 0.3), {"alpha": 0.1}),
        (stats.zscore, (A + 1j,), {}),
        (stats.entropy, (A, B), {}),
    ],
)
def test_left_to_scipy(f, args, options):
    """Calls for which the composition is not the definition, or not smooth."""
    assert rrule(f, *args, **options) is None


def test_kinds():
    """Cotangents have the precision of their arguments; results are SciPy's."""
    x = A.astype(np.float32)
    y, pullback = rrule(stats.zscore, x)
    np.testing.assert_array_equal(y, stats.zscore(x))
    assert unthunk(pullback(y)[1]).dtype == np.float32
    y, pullback = rrule(stats.skew, np.arange(5) ** 2)
    assert y == stats.skew(np.arange(5) ** 2)
    assert frule((None, np.zeros((4, 3))), stats.gmean, A)[1].shape == (3,)
    assert rrule(stats.zscore, np.zeros(0)) is None
    assert rrule(stats.skew, np.float64(1.0)) is None


@pytest.mark.filterwarnings("ignore:Precision loss:RuntimeWarning")
@pytest.mark.parametrize("f", [stats.zscore, stats.gzscore, stats.skew, stats.kurtosis])
def test_constants(f):
    """Of equal numbers the score is NaN, and so is its derivative; that of a result that nobody uses is 0."""
    x = np.array([[2.0, 2.0, 2.0], [1.0, 2.0, 4.0]])
    gradient = grad(lambda x: np.sum(f(x, axis=1)))(x)
    np.testing.assert_array_equal(np.isnan(gradient), [[True] * 3, [False] * 3])
    unused = grad(lambda x: np.nansum(f(x, axis=1) ** 3))(x)
    np.testing.assert_array_equal(unused[0], 0.0)
    np.testing.assert_allclose(unused[1], grad(lambda row: np.sum(f(row) ** 3))(x[1]))
    assert np.all(np.isnan(frule((None, np.eye(2, 3)), f, x, axis=1)[1][0]))


@pytest.mark.at_length
@pytest.mark.parametrize("f", [stats.skew, stats.gmean])
def test_omitted_numbers(f):
    """Along each axis the others count alone."""
    gradient = grad(lambda x: f(x, axis=0, nan_policy="omit")[1])(WITH_NAN)
    expected = grad(f)(np.delete(WITH_NAN[:, 1], 1))
    np.testing.assert_allclose(np.delete(gradient[:, 1], 1), expected, rtol=1e-12)
    np.testing.assert_array_equal(np.delete(gradient, 1, axis=1), 0.0)


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda w: stats.wasserstein_distance(A[:, 0], B[:, 0], w), V + 2.0),
        (lambda s: np.sum(stats.iqr(A, axis=0, scale=s[0])), np.array([2.0])),
        (lambda q: stats.iqr(A, None, (q[0], 70.0)), np.array([20.0])),
    ],
)
def test_other_parameters(f, x):
    """Where they vary, SciPy's code is followed."""
    np.testing.assert_allclose(grad(f)(x), jacobian(None, f, x)[0].ravel(), rtol=1e-7)


def test_distance_of_equal_samples():
    """It is least, and its derivative zero."""
    np.testing.assert_array_equal(grad(lambda x: stats.wasserstein_distance(x, V))(V), 0.0)


@pytest.mark.parametrize("m", [3, 4])
def test_distance_of_points(m):
    """In a plane, of as many points or others, to second order; weights that vary are refused."""
    u, v = np.random.default_rng(0).normal(size=(2, 4, 2))
    test_frule(stats.wasserstein_distance_nd, u, v[:m])
    test_rrule(stats.wasserstein_distance_nd, u, v[:m])

    def cost(x):
        return stats.wasserstein_distance_nd(np.reshape(x, (4, 2)), v[:m])

    x, h = np.ravel(u), 1e-5 * np.eye(8)
    expected = [(grad(cost)(x + step) - grad(cost)(x - step)) / 2e-5 for step in h]
    np.testing.assert_allclose(hessian(cost)(x), expected, rtol=1e-5, atol=1e-8)
    expected = grad(lambda u: stats.wasserstein_distance_nd(u, v[:m]))(u)
    for scale in (1e-9, 1e9):  # the plan is as exact where all distances are tiny
        of_scaled = grad(lambda u, scale=scale: stats.wasserstein_distance_nd(u, scale * v[:m]))(scale * u)
        np.testing.assert_allclose(of_scaled, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(grad(lambda u: stats.wasserstein_distance_nd(u, v))(v), 0.0)
    with pytest.raises(TypeError, match="milp"):
        grad(lambda w: stats.wasserstein_distance_nd(u, v, w))(np.arange(1.0, 5.0))
    assert rrule(stats.wasserstein_distance_nd, u, v, np.arange(1.0, 5.0)) is None
    assert rrule(stats.wasserstein_distance_nd, u, np.full((1, 2), np.inf)) is None


@pytest.mark.parametrize(
    "f", [stats.zscore, stats.skew, stats.kurtosis, stats.gstd, stats.variation, stats.sem]
)
def test_undefined_lanes_that_nothing_depends_on(f):
    """Their zero cotangents are strong."""
    x = positive(3, 4)
    x[1, 0] = np.nan
    check_zeros_are_strong(f, x, axis=1)
