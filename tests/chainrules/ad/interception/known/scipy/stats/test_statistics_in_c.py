"""Statistics that SciPy computes in compiled code."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats import qmc

from chainrules.ad import grad, hvp, jvp, value_and_grad
from chainrules_testutils import jvp as differences

rng = np.random.default_rng(0)
Y, CUBE = rng.normal(size=7), rng.uniform(size=(5, 2))


def _of_size(n):
    def f(x):
        result = stats.shapiro(x[:n])
        return result.statistic + result.pvalue

    return f


STATISTICS = {
    **{f"shapiro {n}": _of_size(n) for n in (3, 6, 12)},
    "siegelslopes": lambda x: sum(stats.siegelslopes(x[:7], Y)),
    "siegelslopes by x": lambda x: sum(stats.siegelslopes(Y, x[:7], "separate")),
    "cumfreq": lambda x: np.sum(stats.cumfreq(x, 4).cumcount) + stats.cumfreq(x, 4).binsize ** 2,
    "cumfreq between limits": lambda x: stats.cumfreq(Y, 4, (-3.0, 3.0 + x[0])).binsize,
    "relfreq by weights": lambda x: stats.relfreq(Y, 4, weights=x[:7] ** 2).frequency[1],
    "cumfreq by weights": lambda x: stats.cumfreq(Y, 4, weights=x[:7] ** 2).cumcount[1],
    "update_discrepancy": lambda x: qmc.update_discrepancy(np.sin(x[:2]) ** 2, CUBE, 0.3),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", STATISTICS)
def test_samples(name):
    """In both modes, and twice."""
    f, (x, v) = STATISTICS[name], np.random.default_rng(1).normal(size=(2, 12))
    value, gradient = value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-12)
    slope = differences(None, f, (x, v))
    np.testing.assert_allclose(gradient @ v, slope, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (x,), (v,))[1], slope, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(hvp(f, x, v), differences(None, grad(f), (x, v)), rtol=1e-6, atol=1e-8)


@pytest.mark.every_case
@pytest.mark.parametrize("method", ["CD", "WD", "MD", "L2-star"])
def test_discrepancies(method):
    """By the points, of each kind."""
    v = np.cos(np.arange(10.0)).reshape(5, 2)

    def f(x):
        return qmc.discrepancy(np.sin(x) ** 2, method=method, iterative=method == "CD")

    value, gradient = value_and_grad(f)(CUBE)
    np.testing.assert_allclose(value, f(CUBE), rtol=1e-12)
    np.testing.assert_allclose(np.sum(gradient * v), differences(None, f, (CUBE, v)), rtol=1e-7)


def test_constants():
    """Where SciPy gives up, the probability has no derivative."""
    x = np.append(np.zeros(9), 1000.0) + 1e-9 * np.arange(10.0)
    assert stats.shapiro(x).pvalue < 1e-6
    assert np.all(np.isfinite(grad(lambda x: stats.shapiro(x).pvalue)(x)))
