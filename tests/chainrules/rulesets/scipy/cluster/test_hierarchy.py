"""Rules of hierarchical clustering."""

import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import pdist

from chainrules.ad import grad
from chainrules_core import NoTangent, frule, rrule
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
