"""Rules of Voronoi diagrams."""

import numpy as np
import pytest
from scipy.spatial import Voronoi

from chainrules.ad import grad, hessian, jvp
from chainrules_core import NoTangent, Thunk, ZeroTangent, frule, rrule
from chainrules_testutils import jvp as differences
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_no_derivative

rng = np.random.default_rng(0)
# So far from each other that the regions meet where they do.
PLANE = np.array([[0.0, 0.0], [20.0, 1.0], [9.0, 17.0], [8.0, 6.0]])
SPACE = 30.0 * np.concatenate([np.eye(3), -np.ones((1, 3))]) + rng.normal(size=(4, 3))


@pytest.mark.parametrize("points", [PLANE, SPACE, np.float32(PLANE)])
def test_vertices(points):
    """They are right functions of the points, in both modes, and grow with these."""
    test_frule(Voronoi, points)
    test_rrule(Voronoi, points)
    diagram, diagram_dot = frule((NoTangent(), points), Voronoi, points)
    np.testing.assert_allclose(diagram_dot.vertices, diagram.vertices)
    # A diagram is made of its points alone, of which its vertices are functions.
    test_frule(getattr, diagram, "points")
    test_rrule(getattr, diagram, "points")


def test_second_order():
    """By the engine, also of the diagram of the farthest points."""
    points, v = rng.normal(size=(7, 2)), rng.normal(size=(7, 2))

    def f(points):
        return np.sum(np.tanh(Voronoi(points).vertices)) + np.sum(Voronoi(points, True).vertices ** 2)

    np.testing.assert_allclose(jvp(f, (points,), (v,))[1], np.sum(grad(f)(points) * v))
    curved = np.tensordot(hessian(f)(points), v)
    np.testing.assert_allclose(curved, differences(None, grad(f), (points, v)), rtol=1e-5, atol=1e-5)


def test_vertices_without_a_derivative():
    """Where four regions meet in the plane, or Qhull moved the points, there is an error."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    with pytest.raises(ValueError, match="4 regions meet there"):
        grad(lambda points: np.sum(Voronoi(points).vertices))(square)
    with pytest.raises(ValueError, match="option QJ"):
        grad(lambda points: np.sum(Voronoi(points, qhull_options="QJ1e-1").vertices))(PLANE[:, ::-1])


def test_other_attributes():
    """The regions are constant, and other attributes have no rule."""
    diagram = Voronoi(PLANE)
    check_no_derivative(getattr, diagram, "point_region")
    assert rrule(getattr, diagram, "max_bound") is None
    assert frule((NoTangent(),) * 3, getattr, diagram, "max_bound") is None
    assert isinstance(frule((NoTangent(), ZeroTangent()), Voronoi, PLANE)[1], ZeroTangent)
    assert isinstance(rrule(Voronoi, PLANE)[1](Thunk(ZeroTangent))[1], ZeroTangent)
