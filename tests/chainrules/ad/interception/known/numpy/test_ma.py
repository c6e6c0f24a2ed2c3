"""Programs that use `numpy.ma`, and functions of SciPy that do."""

import warnings

import numpy as np
import pytest
import scipy.stats
from scipy.stats import mstats

from chainrules.ad import CompilationError, compiled, grad, vectorized
from tests.chainrules.ad.traced.masks import OTHER, check, masked

X = np.array([0.7, 1.3, 2.1])


def log_likelihood(x, observations):
    """In the manner of filters that leave masked observations out."""
    observations = np.ma.atleast_2d(np.ma.asarray(observations))
    total = 0.0
    for observation in observations:
        if not np.any(np.ma.getmask(observation)) and not np.ma.getmaskarray(observation)[0]:
            total = total - 0.5 * np.sum((np.ma.getdata(observation) - x) ** 2)
    return total


def test_arrays_that_may_have_a_mask():
    """Observations may be traced, or be masked constants."""
    np.testing.assert_allclose(grad(lambda x: log_likelihood(1.0, x))(X), 1.0 - X)
    observed = np.ma.array(np.stack([X, 2.0 * X]), mask=[[0, 0, 0], [1, 0, 0]])
    np.testing.assert_allclose(grad(log_likelihood)(X + 1.0, observed), -np.ones(3))
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.ma.array(x) * np.ma.atleast_1d(x)))(X), 2 * X)


def test_arrays_that_depend_on_nothing():
    """They are NumPy's own."""

    def f(x):
        y = np.zeros(3)
        y[0] = 2.0
        z = np.ma.asarray(y)
        z[1] = np.ma.masked
        return np.sum(x) * z.sum() * z.count()

    np.testing.assert_array_equal(grad(f)(X), np.full(3, 4.0))


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        lambda x: ((OTHER - x) ** 2).mean() + (OTHER[:3] * x[1:]).sum(),
        lambda x: np.ma.array((x[0], x[1] * x[2], 2.0), mask=[0, 0, 1]).sum(),
        lambda x: (
            np.ma.MaskedArray(x, mask=x < 0.0).sum() + np.ma.masked_array([x[0], 2.0], [False, True]).sum()
        ),
    ],
)
def test_constants_and_lists(f):
    """Masked constants meet traced arrays, and lists of numbers are arrays."""
    check(f)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.ma.zeros(3).__setitem__(0, x[0]),
        lambda x: np.ma.hsplit(np.ma.array(x), 3)[0],
        lambda x: np.ma.bitwise_and(masked(x), 1),
        lambda x: np.ma.choose([0, 0, 0], [x, x]),
        lambda x: np.ma.array([masked(x), masked(x)]),
    ],
)
def test_refusals(f):
    """Nothing is known of the derivative."""
    with pytest.raises(TypeError, match="mask"):
        grad(lambda x: np.sum(f(x)))(np.append(X, 1.0))


SAMPLES = np.array([4.1, 2.2, 5.3, 3.7, 6.9, 1.4, 4.8, 2.9, 3.3, 5.9, 4.4, 2.6])
OF_SAMPLES = {
    "trimmed_mean": lambda x: mstats.trimmed_mean(x, (0.1, 0.2)),
    "winsorize": lambda x: (mstats.winsorize(x.reshape(3, 4), (0.25, 0.25), axis=1) ** 2).sum(),
    "mquantiles": lambda x: mstats.mquantiles(x.reshape(2, 6), axis=1).sum(),
    "skew": lambda x: mstats.skew(x.reshape(2, 6), axis=-1, bias=False).sum(),
    "skewtest": lambda x: mstats.skewtest(x, axis=None)[0],
    "describe": lambda x: (mstats.describe(x).minmax[1] * mstats.describe(x).skewness).sum(),
    "pearsonr": lambda x: mstats.pearsonr(x[:6], x[6:])[1],
    "linregress": lambda x: mstats.linregress(x[:6], x[6:]).stderr,
    "ttest_ind": lambda x: mstats.ttest_ind(x[:5], x[5:], equal_var=False)[1],
    "f_oneway": lambda x: mstats.f_oneway(x[:4], x[4:8], x[8:])[0],
    "mode": lambda x: mstats.mode(np.ma.append(x, x[3]))[0].sum(),
    "theilslopes": lambda x: mstats.theilslopes(x)[0],
    "kendalltau": lambda x: mstats.kendalltau(x[:6], x[6:])[0],
    "scipy.stats": lambda x: (
        scipy.stats.ttest_1samp(x, 4.0)[1] + scipy.stats.skew(x) * scipy.stats.zscore(x)[0]
    ),
    "scipy.special": lambda x: scipy.special.gammaln(np.ma.array(x)).sum(),
}


@pytest.mark.parametrize("f", OF_SAMPLES.values(), ids=OF_SAMPLES)
def test_functions_of_scipy(f):
    """They are followed with masked arrays; `tests/test_followed.py` tries others, with arrays."""
    check(lambda x: f(np.ma.array(x, mask=np.arange(12) % 5 == 2)), SAMPLES)


def test_masks_of_nothing():
    """The same function of an array, and of one of which nothing is masked, have one derivative."""
    f = OF_SAMPLES["winsorize"]
    expected = grad(f)(SAMPLES)
    np.testing.assert_allclose(grad(lambda x: f(np.ma.array(x, mask=False)))(SAMPLES), expected)


def test_compiled():
    """A mask depends on the values, so no program is recorded."""

    def f(x):
        return (np.ma.masked_less(x, 1.0) ** 2).sum()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        g = compiled(grad(f))
        g(X)
    np.testing.assert_array_equal(g(X[::-1] - 0.5), grad(f)(X[::-1] - 0.5))
    with pytest.raises(CompilationError):
        vectorized(grad(f))(np.stack([X, X]))
