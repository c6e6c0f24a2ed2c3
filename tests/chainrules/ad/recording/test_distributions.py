"""Distributions of SciPy in recorded programs."""

import copy

import numpy as np
import pytest
from scipy import stats
from scipy.stats import norm

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

POINTS = [(np.array(x),) for x in ([0.3, 0.9, 2.5], [0.7, 0.2, 1.5], [0.5, -4.0, 30.0])]
SCALES = np.array([2.0, 1.0, 3.0])
FROZEN, OWN = norm(0.0, SCALES), copy.copy(stats.gumbel_r)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(norm.logpdf(x, 0.1, scale=x[0])) + norm.logcdf(x[1], loc=x[0]),
        lambda x: norm.cdf(x[0]) * norm.sf(x[1]) * norm.ppf(0.975) + norm.ppf(x[0]),
        lambda x: np.sum(stats.t.logpdf(x / x[0], df=x[0] + 3.0)),
        lambda x: np.sum(stats.poisson.logpmf([1, 2, 3], x[0])) * stats.beta.pdf(0.3, x[0], 2.0),
        lambda x: np.sum(FROZEN.logpdf(x)) * norm.interval(0.9)[1],
        lambda x: np.sum(OWN.logpdf(x)),
        lambda x: np.sum(norm(loc=x[0], scale=x[2]).logpdf(SCALES)) + stats.gamma(a=x[2]).cdf(2.0),
        lambda x: stats.multivariate_normal.logpdf(SCALES, mean=x, cov=np.diag([1.0, 2.0, 3.0])),
    ],
)
@pytest.mark.parametrize("form", [lambda f: f, grad], ids=["plain", "grad"])
def test_methods(f, form):
    """Each is a line, and is computed by SciPy; values may lie beside the support."""
    agrees(form(f), POINTS)
    agrees(form(f), POINTS[::-1])


def test_attributes_are_compared(monkeypatch):
    """Those of a distribution, and the method of its class."""
    f = grad(lambda x: np.sum(OWN.logpdf(x)) + np.sum(FROZEN.logpdf(x)))
    c = compiled(f, strict=True)
    for change in (
        lambda: None,
        lambda: monkeypatch.setattr(OWN, "badvalue", -1.0),
        lambda: SCALES.__setitem__(1, 4.0),
        lambda: monkeypatch.setattr(FROZEN, "args", (1.0, 3.0)),
        lambda: monkeypatch.setattr(OWN, "a", 0.0),
    ):
        change()
        for _ in range(2):
            np.testing.assert_array_equal(c(*POINTS[0]), f(*POINTS[0]))
    assert len(c.variants) < 4  # what is no longer true is forgotten


@pytest.mark.parametrize(
    "f", [lambda x: np.sum(x * norm.rvs(size=3)), lambda x: np.sum(x) * norm.fit([1.0, 2.0])[0]]
)
def test_what_draws_or_searches(f):
    """It is refused."""
    with pytest.raises(CompilationError, match=r"it calls `(rvs|fit)`"):
        compiled(grad(f), strict=True)(*POINTS[0])
