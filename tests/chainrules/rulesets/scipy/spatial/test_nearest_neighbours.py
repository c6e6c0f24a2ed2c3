"""Rules of the distances of nearest neighbours."""

import numpy as np
import pytest
from scipy.spatial import KDTree, SphericalVoronoi, cKDTree

from chainrules.ad import grad, hessian
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import jacobian, test_frule, test_rrule
from chainrules_testutils import jvp as differences
from tests.chainrules.container_checks import check_no_derivative

rng = np.random.default_rng(3)
# Points so far from each other that each is nearest to the same ones where it is moved.
DATA = 40.0 * np.array([[0.0, 0.1], [1.0, 0.3], [2.3, 0.0], [0.2, 3.1]])
X = np.array([[9.0, 4.0], [30.0, 21.0]])


@pytest.mark.every_case
@pytest.mark.parametrize("kind", [KDTree, cKDTree])
def test_trees(kind):
    """A tree is made of points, and has distances from them."""
    test_frule(kind, DATA)
    test_rrule(kind, DATA)
    test_frule(kind.query, kind(DATA), X[0], 2)
    test_rrule(kind.query, kind(DATA), X[0], 2)


def test_lists():
    """Points may be given in lists, of which some are traced."""
    test_frule(KDTree.query, KDTree(DATA), list(X[0]), 2)
    test_rrule(KDTree.query, KDTree(DATA), list(X[0]), 2)
    by_lists = grad(lambda x: KDTree([x, DATA[1]]).query([x[0] + 1.0, 2.0])[0])(DATA[0])
    by_arrays = grad(lambda x: KDTree(np.stack([x, DATA[1]])).query(np.stack([x[0] + 1.0, 2.0]))[0])(DATA[0])
    assert np.array_equal(by_lists, by_arrays)
    assert np.any(by_lists)


@pytest.mark.parametrize(
    ("options", "named"),
    [((1, 0, 3.0), {}), ((2, 0, 1), {}), ((), {"k": 2, "p": np.inf}), ((), {"k": [2, 3]})],
)
def test_options(options, named):
    """Several neighbours, in each metric, by the order too."""
    test_frule(KDTree.query, KDTree(DATA), X, *options, fkwargs=named)
    test_rrule(KDTree.query, KDTree(DATA), X, *options, fkwargs=named)


def test_missing_neighbours():
    """Their distance is infinite, without a derivative."""
    dots = NoTangent(), NoTangent(), X, NoTangent()
    y, y_dot = frule(dots, KDTree.query, KDTree(DATA), X, 2, distance_upper_bound=20.0)
    assert np.isinf(y[0]).any()
    np.testing.assert_array_equal(y_dot[0][np.isinf(y[0])], 0.0)


def test_programs():
    """Programs that make a tree and ask it are differentiated by both, twice."""

    def f(x):
        d, _ = KDTree(x[:4]).query(x[4:], k=2)
        return np.sum(d * np.array([[1.0, 2.0], [0.5, 0.7]]))

    x, v = np.concatenate([DATA, X]), rng.normal(size=(6, 2))
    np.testing.assert_allclose(np.sum(grad(f)(x) * v), differences(None, f, (x, v)), rtol=1e-8)
    curved = np.tensordot(hessian(f)(x), v)
    np.testing.assert_allclose(curved, differences(None, grad(f), (x, v)), rtol=1e-6, atol=1e-9)


def test_what_has_no_rule():
    """Periodic space has none, and what nothing depends on has no tangent."""
    periodic = KDTree(DATA % 1.0, boxsize=1.0)
    assert rrule(KDTree.query, periodic, X % 1.0) is None
    assert frule((NoTangent(),) * 3, KDTree.query, periodic, X % 1.0) is None
    assert isinstance(frule((NoTangent(), ZeroTangent()), KDTree, DATA)[1], ZeroTangent)
    assert isinstance(rrule(KDTree, DATA)[1](ZeroTangent())[1], ZeroTangent)


@pytest.mark.every_case
@pytest.mark.parametrize("cls", [KDTree, cKDTree])
def test_pairs_of_neighbours(cls):
    """Which points are near each other moves in steps."""
    tree = cls(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]]))
    check_no_derivative(cls.query_pairs, tree, 2.0)
    check_no_derivative(cls.query_ball_point, tree, np.zeros(2), 2.0)
    check_no_derivative(cls.query_ball_tree, tree, tree, 2.0)


def test_spherical_diagrams():
    """Their vertices and areas have derivatives by the points, the radius and the center."""
    points = np.random.default_rng(0).normal(size=(6, 3))

    def f(x):
        p = x / np.linalg.norm(x, axis=1, keepdims=True)
        diagram = SphericalVoronoi(x[0, 0] ** 2 * p + x[1], x[0, 0] ** 2, x[1])
        return np.sum(np.sin(diagram.calculate_areas())) + np.sum(diagram.vertices**3)

    np.testing.assert_allclose(grad(f)(points).ravel(), jacobian(None, f, points)[0][0], rtol=1e-6, atol=1e-8)
