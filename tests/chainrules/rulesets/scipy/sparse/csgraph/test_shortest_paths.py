"""Rules of the lengths of shortest paths."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

from chainrules.ad import grad
from chainrules_core import AbstractZero, NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule

# No two paths have one length, and no weight is near that of the way back.
# Where a matrix has a zero there is no edge, and differences would make one.
W = np.array([[3.1, 1.2, 4.1, 8.2], [0.9, 2.7, 1.7, 5.3], [6.3, 0.8, 3.3, 1.1], [0.7, 3.9, 4.4, 2.3]])
LINKS = np.where(np.array([[0, 1, 1, 0], [1, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 0]]) == 1, W, 0.0)
FUNCTIONS = ["shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall"]


def check(f, *args, **fkwargs):
    """Check both modes of a call."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("directed", [True, False])
def test_dense(name, directed):
    """Each algorithm has right rules, by the weights that a path passes."""
    check(getattr(csgraph, name), W[:3, :3], directed=directed)


@pytest.mark.parametrize("directed", [True, False])
def test_sparse(directed):
    """A sparse graph has a cotangent on its pattern."""
    check(csgraph.dijkstra, scipy.sparse.csr_array(LINKS), directed)
    check(csgraph.shortest_path, scipy.sparse.csc_array(LINKS), "D", directed)


def test_options():
    """Predecessors, sources, the nearest of several sources, limits, and graphs without weights."""
    check(csgraph.dijkstra, W[:3, :3], indices=2, return_predecessors=True)
    check(csgraph.dijkstra, W[:3, :3], indices=[0, 2], min_only=True, return_predecessors=True)
    near, far = (frule((None, W), csgraph.dijkstra, W, limit=limit) for limit in (2.0, np.inf))
    np.testing.assert_allclose(near[1], np.where(np.isinf(near[0]), 0.0, far[1]))
    check(csgraph.dijkstra, W[:2, :2], unweighted=True)
    assert isinstance(frule((NoTangent(), NoTangent()), csgraph.dijkstra, W)[1], AbstractZero)


@pytest.mark.parametrize("directed", [True, False])
def test_several_paths(directed):
    """The shortest paths between two nodes, one after the other."""
    check(csgraph.yen, W[:3, :3], 0, 2, 2, directed=directed)


def test_given_paths():
    """Lengths along paths that are told by their predecessors."""
    graph = W[:3, :3]
    _, predecessors = csgraph.dijkstra(graph, return_predecessors=True)
    check(csgraph.construct_dist_matrix, graph, predecessors)
    check(csgraph.construct_dist_matrix, graph, predecessors, False)
    assert isinstance(
        frule((NoTangent(),) * 3, csgraph.construct_dist_matrix, graph, predecessors)[1], AbstractZero
    )


def test_equal_weights_share():
    """An edge that weighs the same both ways is shared, as in a minimum."""
    both = np.array([[0.0, 2.0], [2.0, 0.0]])
    gradient = grad(lambda W: csgraph.dijkstra(W, directed=False)[0, 1])(both)
    np.testing.assert_array_equal(gradient, [[0.0, 0.5], [0.5, 0.0]])
    stored = scipy.sparse.csr_array((np.zeros(1), ([0], [1])), shape=(2, 2))
    y, pullback = rrule(csgraph.dijkstra, stored, False)
    np.testing.assert_array_equal(pullback(np.ones((2, 2)))[1].data, [2.0])
    assert not np.any(y)


def test_second_order():
    """Lengths are linear, and what is made of them is differentiated twice."""
    test_rrule(csgraph.dijkstra, W[:2, :2], order=2)
    test_rrule(csgraph.dijkstra, scipy.sparse.csr_array(W[:2, :2]), order=2)
