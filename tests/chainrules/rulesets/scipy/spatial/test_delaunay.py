"""Rules of Delaunay triangulations."""

import numpy as np
import pytest
from scipy.interpolate import LinearNDInterpolator
from scipy.spatial import Delaunay

from chainrules.ad import grad, hvp
from chainrules_core import frule
from chainrules_testutils import jacobian, test_frule, test_rrule
from chainrules_testutils import jvp as differences
from tests.chainrules.container_checks import check_no_derivative

PLANE = np.random.default_rng(0).normal(size=(6, 2))
SPACE = np.random.default_rng(1).normal(size=(5, 3))


@pytest.mark.parametrize("points", [SPACE, PLANE, np.float32(PLANE)])
def test_maps(points):
    """The maps to barycentric coordinates are right functions of the points, in both modes."""
    test_frule(Delaunay, points)
    test_rrule(Delaunay, points)
    triangulation, dot = frule((None, points), Delaunay, points)
    np.testing.assert_allclose(dot.transform[:, -1], triangulation.transform[:, -1])


def test_in_programs():
    """Simplices are constant, and places in them have coordinates, twice differentiable."""
    v = np.random.default_rng(2).normal(size=PLANE.shape)

    def f(points):
        triangulation = Delaunay(points)
        at = triangulation.find_simplex(0.1 * points[:2])
        maps = triangulation.transform[at]
        b = np.sum(maps[:, :2] * (0.1 * points[:2] - maps[:, 2])[:, np.newaxis], axis=-1)
        radii = np.linalg.norm(triangulation.points[triangulation.simplices[0]])
        return np.sum(np.sin(b)) + radii

    np.testing.assert_allclose(grad(f)(PLANE).ravel(), jacobian(None, f, PLANE)[0][0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(hvp(f, PLANE, v), differences(None, grad(f), (PLANE, v)), rtol=1e-5, atol=1e-6)
    check_no_derivative(Delaunay.find_simplex, Delaunay(PLANE), 0.1 * PLANE)


def test_interpolation():
    """An interpolant of a triangulation has a derivative by its points, as that of the points has."""
    at, values = np.mean(PLANE, axis=0), np.arange(6.0)

    def f(make):
        return lambda points: LinearNDInterpolator(make(points), values)(at[np.newaxis])[0]

    np.testing.assert_allclose(grad(f(Delaunay))(PLANE), grad(f(lambda points: points))(PLANE), rtol=1e-12)


def test_flat_simplices():
    """SciPy writes NaN for them, and so are their derivatives."""
    points = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    triangulation, dot = frule((None, points), Delaunay, points)
    np.testing.assert_array_equal(np.isnan(dot.transform), np.isnan(triangulation.transform))
    check_no_derivative(getattr, triangulation, "neighbors")
