"""Kernel density estimates that are made of traced values."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad
from tests.chainrules.rulesets.scipy.stats.method_checks import check_program

RNG = np.random.default_rng(5)
ONE, TWO, WEIGHTS = RNG.normal(size=5), RNG.normal(size=(2, 5)), RNG.uniform(0.5, 1.0, 5)
POINTS, PLANE = np.array([0.1, -0.4]), RNG.normal(size=(2, 2))
FACTORS = np.array([1.0, 2.0])
PROGRAMS = {
    "dataset": (lambda d: FACTORS @ stats.gaussian_kde(d)(POINTS), ONE),
    "points": (lambda x: FACTORS @ stats.gaussian_kde(ONE).logpdf(x), POINTS),
    "weights": (lambda w: FACTORS @ stats.gaussian_kde(ONE, weights=w).pdf(POINTS), WEIGHTS),
    "bandwidth": (lambda b: FACTORS @ stats.gaussian_kde(ONE, b[0])(POINTS), np.array([0.4])),
    "plane": (lambda d: FACTORS @ stats.gaussian_kde(d, "silverman").logpdf(PLANE), TWO),
    "one point of a plane": (lambda d: stats.gaussian_kde(d).pdf(POINTS)[0], TWO),
    "box": (lambda x: stats.gaussian_kde(ONE).integrate_box_1d(x[0], 2.0 * x[1]), np.array([-1.0, 0.3])),
    "Gaussian": (lambda d: stats.gaussian_kde(d).integrate_gaussian([0.3, 0.2], np.eye(2)), TWO),
    "another": (lambda d: stats.gaussian_kde(d).integrate_kde(stats.gaussian_kde(POINTS)), ONE),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name):
    """Both modes, and the second order."""
    f, x = PROGRAMS[name]
    check_program(lambda v: f(np.reshape(v, x.shape)), x.ravel())


def test_shapes_of_points():
    """One point may be given as a row; the error of another dimension is SciPy's."""
    slopes = grad(lambda x: stats.gaussian_kde(TWO).pdf(x)[0])(POINTS)
    columns = grad(lambda x: stats.gaussian_kde(TWO).pdf(x[:, None])[0])(POINTS)
    np.testing.assert_array_equal(grad(lambda d: stats.gaussian_kde(d).pdf(POINTS)[0])(TWO).shape, TWO.shape)
    np.testing.assert_allclose(slopes, columns)
    far = grad(lambda x: stats.gaussian_kde(ONE).logpdf(x)[0])(500.0)
    assert far == pytest.approx((max(ONE) - 500.0) / stats.gaussian_kde(ONE).covariance.item())
    with pytest.raises(ValueError, match="points have dimension 1, dataset has dimension 2"):
        grad(lambda d: stats.gaussian_kde(d)(np.zeros(3))[0])(TWO)
    assert grad(lambda a: a * stats.gaussian_kde(ONE)(0.0)[0])(2.0) == stats.gaussian_kde(ONE)(0.0)[0]
