"""Sums of B-splines, and their adjoint."""

import numpy as np
import pytest
from scipy import ndimage
from scipy.interpolate import BSpline

from chainrules.operations.spline_samples import sample, spread
from tests.chainrules.rule_checks import check_rule, normal

X = np.array([[0.3, 1.6, -0.2], [2.2, 0.1, 1.7]])


@pytest.mark.parametrize("order", range(6))
def test_values(order):
    """As SciPy has them, and the derivatives of a spline in between."""
    c = normal(5, 6)
    expected = ndimage.map_coordinates(c, X + 1.0, order=order, mode="mirror", prefilter=False)
    np.testing.assert_allclose(sample(c, X + 1.0, order, "mirror", (0, 0)), expected, atol=1e-12)
    c = np.zeros(13)
    c[6] = 1.0
    spline = BSpline.basis_element(np.arange(order + 2.0) - (order + 1) / 2)
    at = np.linspace(-0.4, 0.45, 5)
    for nu in range(order + 1):
        np.testing.assert_allclose(
            sample(c, at[None] + 6, order, "mirror", (nu,)), spline(at, nu), atol=1e-12
        )


@pytest.mark.parametrize("extension", ["mirror", "reflect", "wrap", "nearest", "constant"])
def test_rules(extension):
    """Each is linear in the first argument, and both have derivatives by the places."""
    check_rule(sample, normal(4, 3), X, 3, extension, (0, 0))
    check_rule(sample, normal(4, 3, dtype=complex), X, 2, extension, (1, 0))
    check_rule(spread, normal(3), X, 3, extension, (0, 1), (4, 3))
    check_rule(spread, normal(3, dtype=complex), X, 4, extension, (0, 0), (4, 3))


def test_several_grids():
    """Axes after those of the grid hold more grids, of which each has its own samples."""
    c, y = normal(5, 6, 2, 3), normal(3, 2, 3)
    samples = sample(c, X, 3, "mirror", (0, 0))
    grids = spread(y, X, 3, "mirror", (0, 1), (5, 6))
    for k in np.ndindex(2, 3):
        at = (slice(None), *k)
        np.testing.assert_allclose(samples[at], sample(c[:, :, *k], X, 3, "mirror", (0, 0)), rtol=1e-12)
        np.testing.assert_allclose(grids[:, *at], spread(y[at], X, 3, "mirror", (0, 1), (5, 6)), atol=1e-12)
    check_rule(sample, normal(5, 2), X[:1], 3, "reflect", (0,))
    check_rule(spread, normal(3, 2, dtype=complex), X[:1], 3, "wrap", (1,), (5,))


def test_nothing_and_single_precision():
    """Without places or grids there is nothing; the precision is kept."""
    assert sample(normal(4, 3), X[:, :0], 3, "mirror", (0, 0)).shape == (0,)
    assert sample(normal(4, 3, 0), X, 3, "reflect", (0, 0)).shape == (3, 0)
    assert not np.any(spread(normal(0), X[:, :0], 5, "wrap", (0, 0), (2, 1)))
    assert spread(normal(3, 0), X, 3, "nearest", (0, 0), (4, 3)).shape == (4, 3, 0)
    y, x = normal(3).astype(np.float32), X.astype(np.float32)
    grid = spread(y, x, 3, "mirror", (0, 0), (4, 3))
    assert grid.dtype == np.float32
    np.testing.assert_allclose(grid, spread(y * 1.0, x.astype(float), 3, "mirror", (0, 0), (4, 3)), atol=1e-6)


def test_many_places():
    """They are taken some after others."""
    c, x = normal(7, 6), np.random.default_rng(0).uniform(0, 5, (2, 9000))
    expected = ndimage.map_coordinates(c, x, order=3, mode="mirror", prefilter=False)
    np.testing.assert_allclose(sample(c, x, 3, "mirror", (0, 0)), expected, atol=1e-12)
    spread_once = spread(np.ones(9000), x, 3, "mirror", (0, 0), (7, 6))
    np.testing.assert_allclose(np.sum(spread_once * c), np.sum(expected), rtol=1e-9)


def test_zeros_beyond_the_ends():
    """They take no part, though a spline at a border reaches them."""
    c, x = normal(7, 6), np.array([[0.1, 6.4, 3.0], [5.3, -0.4, 2.2]])
    expected = ndimage.map_coordinates(c, x, order=3, mode="grid-constant", prefilter=False)
    np.testing.assert_allclose(sample(c, x, 3, "constant", (0, 0)), expected, atol=1e-12)
