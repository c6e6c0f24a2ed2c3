"""Kernel density estimates as functions of the points, and of what they hold."""

import numpy as np
import pytest
from scipy import stats

from chainrules_core import NoTangent, Tangent, frule, rrule, unthunk
from chainrules_testutils import jacobian
from chainrules_testutils.comparing.finite_differences import fixed_step
from tests.chainrules.rule_checks import record_rules

RNG = np.random.default_rng(3)
DATASET, WEIGHTS = RNG.normal(size=(2, 6)), RNG.uniform(0.5, 1.0, 6)
POINTS = RNG.normal(size=(2, 3))


@pytest.mark.parametrize("name", ["evaluate", "pdf", "logpdf"])
def test_rules(name):
    """By the points; by the dataset and the weights as they are held, the covariance staying what it is."""
    kde, y_bar = stats.gaussian_kde(DATASET, weights=WEIGHTS), np.array([1.0, -2.0, 0.5])
    method = getattr(stats.gaussian_kde, name)
    y, pullback = rrule(method, kde, POINTS)
    np.testing.assert_array_equal(y, method(kde, POINTS))
    _, kde_bar, points_bar = map(unthunk, pullback(y_bar))
    expected = jacobian(fixed_step, lambda x: y_bar @ method(kde, x), POINTS)[0]
    np.testing.assert_allclose(points_bar, expected.reshape(POINTS.shape), rtol=1e-8, atol=1e-10)

    def held(dataset, weights, root):
        moved = stats.gaussian_kde(DATASET, weights=WEIGHTS)
        moved.dataset, moved._weights, moved.cho_cov = dataset, weights, root
        return y_bar @ method(moved, POINTS)

    parts = kde.dataset, kde.weights, kde.cho_cov
    bars = kde_bar.dataset, kde_bar._weights, kde_bar.cho_cov
    for part, bar, slopes in zip(parts, bars, jacobian(fixed_step, held, *parts), strict=True):
        # SciPy's sum does not read the upper half of the factor.
        is_read = np.tri(2, dtype=bool) if part is kde.cho_cov else np.ones(part.shape, bool)
        np.testing.assert_allclose(bar[is_read], slopes.reshape(part.shape)[is_read], rtol=1e-7, atol=1e-9)

    dots = [RNG.normal(size=part.shape) * (1.0 if part.ndim < 2 else np.tri(*part.shape)) for part in parts]
    kde_dot = Tangent[stats.gaussian_kde](dataset=dots[0], _weights=dots[1], cho_cov=dots[2])
    points_dot = RNG.normal(size=POINTS.shape)
    y_dot = frule((NoTangent(), kde_dot, points_dot), method, kde, POINTS)[1]
    total = np.sum(points_bar * points_dot) + sum(np.sum(a * b) for a, b in zip(bars, dots, strict=True))
    assert y_bar @ y_dot == pytest.approx(total)
    y_dot = frule((NoTangent(), NoTangent(), points_dot), method, kde, POINTS)[1]
    assert y_bar @ y_dot == pytest.approx(np.sum(points_bar * points_dot))
    record_rules(method, kde, POINTS)


def test_equal_weights():
    """They are made when they are needed; a point may be given as a row."""
    _, pullback = rrule(stats.gaussian_kde.logpdf, stats.gaussian_kde(DATASET), POINTS[:, 0])
    point_bar = unthunk(pullback(np.ones(1))[2])
    expected = jacobian(None, lambda x: stats.gaussian_kde(DATASET).logpdf(x)[0], POINTS[:, 0])[0]
    np.testing.assert_allclose(point_bar, expected.ravel(), rtol=1e-8)
