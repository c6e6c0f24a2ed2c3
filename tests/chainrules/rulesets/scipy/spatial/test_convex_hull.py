"""Rules of convex hulls."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from chainrules.ad import grad, hessian
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import jvp as differences
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_no_derivative

rng = np.random.default_rng(0)
# A triangle with one point inside and a tetrahedron, so large that each point stays where it is.
TRIANGLE = np.array([[30.0, 1.0], [-8.0, 29.0], [-14.0, -28.0], [1.0, 2.0]])
TETRAHEDRON = 30.0 * np.concatenate([np.eye(3), -np.ones((1, 3))]) + rng.normal(size=(4, 3))


@pytest.mark.parametrize("points", [TRIANGLE, TETRAHEDRON, np.float32(TRIANGLE)])
def test_attributes(points):
    """Volume, area and equations are right functions of the points, in both modes."""
    test_frule(ConvexHull, points)
    test_rrule(ConvexHull, points)
    hull, hull_dot = frule((NoTangent(), points), ConvexHull, points)
    # A hull is made of its points alone, of which its other attributes are functions.
    test_frule(getattr, hull, "points")
    test_rrule(getattr, hull, "points")
    # All grow with the points, and the directions of the facets stay.
    np.testing.assert_allclose(hull_dot.volume, points.shape[1] * hull.volume)
    np.testing.assert_allclose(hull_dot.area, (points.shape[1] - 1) * hull.area)
    np.testing.assert_allclose(hull_dot.equations[:, :-1], 0.0, atol=1e-12)


def test_second_order():
    """The gradient of a volume is that of a polynomial."""
    points, v = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))

    def f(points):
        hull = ConvexHull(points)
        return hull.volume * hull.area + np.sum(hull.equations[: hull.nsimplex, 3] ** 2)

    curved = np.tensordot(hessian(f)(points), v)
    np.testing.assert_allclose(curved, differences(None, grad(f), (points, v)), rtol=1e-6, atol=1e-6)


def test_other_attributes():
    """Numbers of points are constant, and other attributes have no rule."""
    hull = ConvexHull(rng.normal(size=(5, 2)))
    check_no_derivative(getattr, hull, "nsimplex")
    assert rrule(getattr, hull, "max_bound") is None
    assert frule((NoTangent(),) * 3, getattr, hull, "max_bound") is None
    assert isinstance(frule((NoTangent(), ZeroTangent()), ConvexHull, hull.points)[1], ZeroTangent)
    assert isinstance(rrule(ConvexHull, hull.points)[1](ZeroTangent())[1], ZeroTangent)
