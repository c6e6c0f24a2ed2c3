"""Rules of intersections of halfspaces."""

import numpy as np
import pytest
from scipy.spatial import HalfspaceIntersection

from chainrules.ad import grad
from chainrules_testutils import jacobian, test_frule, test_rrule
from tests.chainrules.container_checks import check_no_derivative

TRIANGLE = np.array([[-1.0, 0.2, 0.0], [0.0, -1.0, 0.1], [1.0, 1.0, -2.0], [1.0, 0.0, -5.0]])
INSIDE = np.array([0.5, 0.6])


def test_corners():
    """They are right functions of the halfspaces, and dual points also of the interior point."""
    test_frule(HalfspaceIntersection, TRIANGLE, INSIDE)
    test_rrule(HalfspaceIntersection, TRIANGLE, INSIDE)
    test_rrule(HalfspaceIntersection, np.float32(TRIANGLE), INSIDE)


def test_in_programs():
    """Also in space, where a cube has eight corners."""
    cube = np.concatenate([np.kron([[1.0], [-1.0]], np.eye(3)), -np.ones((6, 1))], axis=1)

    def f(halfspaces):
        body = HalfspaceIntersection(halfspaces, np.zeros(3))
        return np.sum(np.sin(body.intersections) @ np.arange(3.0)) + np.sum(body.dual_points**2) + body.ndim

    np.testing.assert_allclose(grad(f)(cube).ravel(), jacobian(None, f, cube)[0][0], rtol=1e-6, atol=1e-8)


def test_crowded_corners():
    """A corner where four planes meet is none of a function that has a derivative."""
    signs = np.array([[a, b, c, -1.0] for a in (1, -1) for b in (1, -1) for c in (1, -1)])
    with pytest.raises(ValueError, match="more than 3"):
        grad(lambda x: np.sum(HalfspaceIntersection(x, np.zeros(3)).intersections))(signs)
    check_no_derivative(getattr, HalfspaceIntersection(TRIANGLE, INSIDE), "dual_vertices")
