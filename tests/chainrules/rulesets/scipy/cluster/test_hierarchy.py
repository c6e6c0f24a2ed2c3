"""Rules of hierarchical clustering."""

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

from chainrules.ad import grad, hvp, jvp
from chainrules_core import NoTangent, frule, rrule, unthunk
from chainrules_testutils import jvp as differences
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.container_checks import check_no_derivative

rng = np.random.default_rng(5)
X = rng.normal(size=(5, 2))


@pytest.mark.parametrize(
    "method", ["single", "complete", "average", "weighted", "ward", "centroid", "median"]
)
def test_linkage(method):
    """Both modes, by points and by their distances."""
    test_frule(hierarchy.linkage, X, method)
    test_rrule(hierarchy.linkage, X, method)
    test_rrule(hierarchy.linkage, pdist(X), method)


def test_options():
    """Metrics of SciPy, and an order of leaves; a metric of the user has no rule."""
    test_rrule(hierarchy.linkage, X[:4], "average", "cityblock", True)
    test_rrule(hierarchy.linkage, X[:3], "average", order=2)
    assert rrule(hierarchy.linkage, X, "single", lambda u, v: u @ v) is None


def test_equal_distances_share():
    """Two pairs of points that are as near as each other share the minimum."""
    y = np.array([1.0, 3.0, 3.0])
    np.testing.assert_array_equal(grad(lambda y: hierarchy.linkage(y)[1, 2])(y), [0.0, 0.5, 0.5])


def test_cophenetic_distances():
    """The heights at which points meet."""
    Z = hierarchy.linkage(X, "average")
    y, y_dot = frule((NoTangent(), np.ones_like(Z)), hierarchy.cophenet, Z)
    np.testing.assert_array_equal(y, hierarchy.cophenet(Z))
    np.testing.assert_array_equal(y_dot, np.ones(10))
    _, pullback = rrule(hierarchy.cophenet, Z)
    Z_bar = pullback(np.ones(10))[1]
    np.testing.assert_array_equal(Z_bar[:, [0, 1, 3]], 0.0)
    assert np.sum(Z_bar) == 10.0
    assert rrule(hierarchy.cophenet, Z, pdist(X)) is None
    record_exercised(hierarchy.cophenet, frule.find((NoTangent(), Z), hierarchy.cophenet, Z))
    record_exercised(hierarchy.cophenet, rrule.find(hierarchy.cophenet, Z))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        *((name, ()) for name in ("cut_tree", "leaves_list", "is_monotonic", "is_valid_linkage")),
        *(("num_obs_linkage", ()), ("fcluster", (1.0,)), ("leaders", (np.array([1, 1, 2, 2, 2], np.int32),))),
        *(("correspond", (pdist(X),)), ("is_valid_im", ())),
    ],
)
def test_numbers_of_clusters(name, args):
    """Numbers of clusters have no derivative, nor have questions."""
    Z, f = hierarchy.linkage(X, "average"), getattr(hierarchy, name)
    if name == "leaders":
        args = (hierarchy.fcluster(Z, 1.0),)
    if name == "is_valid_im":
        Z = hierarchy.inconsistent(Z)
    check_no_derivative(f, Z, *args)


def test_clusters_of_points():
    """Nor have the clusters of points, and whether two are the same."""
    check_no_derivative(hierarchy.fclusterdata, X, 1.0)
    T = np.array([1, 1, 2])
    check_no_derivative(hierarchy.is_isomorphic, T, T)


STATISTICS = {
    "inconsistent": (hierarchy.inconsistent, lambda Z: (Z, 2)),
    "inconsistent with less": (hierarchy.inconsistent, lambda Z: (Z, 0)),
    "maxdists": (hierarchy.maxdists, lambda Z: (Z,)),
    "maxinconsts": (hierarchy.maxinconsts, lambda Z: (Z, hierarchy.inconsistent(Z, 3))),
    "maxRstat": (hierarchy.maxRstat, lambda Z: (Z, hierarchy.inconsistent(Z), 1)),
    "optimal_leaf_ordering": (hierarchy.optimal_leaf_ordering, lambda Z: (Z, pdist(LINE))),
    "MATLAB": (hierarchy.from_mlab_linkage, lambda Z: (hierarchy.to_mlab_linkage(Z),)),
}
LINE = np.random.default_rng(2).normal(size=(7, 1))


@pytest.mark.every_case
@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_of_trees(name):
    """Both modes, by the points, and twice."""
    weights, v = np.random.default_rng(0).normal(size=(2, 7, 1))
    statistic, arguments = STATISTICS[name]

    def f(x):
        return np.sum(np.sin(statistic(*arguments(hierarchy.linkage(x * weights, "average")))))

    slope = differences(None, f, (LINE, v))
    np.testing.assert_allclose(np.sum(grad(f)(LINE) * v), slope, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (LINE,), (v,))[1], slope, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(hvp(f, LINE, v), differences(None, grad(f), (LINE, v)), rtol=1e-6, atol=1e-7)
    args = arguments(hierarchy.linkage(LINE))
    record_exercised(statistic, rrule.find(statistic, *args))
    record_exercised(statistic, frule.find((NoTangent(), *args), statistic, *args))


def test_largest_of_equals():
    """Mergers that are as far as each other share the largest distance, and an empty tree stays empty."""
    Z = np.array([[0.0, 1.0, 1.0, 2.0], [2.0, 3.0, 1.0, 3.0]])
    bar = rrule(hierarchy.maxdists, Z)[1](np.array([0.0, 1.0]))[1]
    np.testing.assert_array_equal(unthunk(bar)[:, 2], [0.5, 0.5])
    assert rrule(hierarchy.from_mlab_linkage, np.zeros(0)) is None
