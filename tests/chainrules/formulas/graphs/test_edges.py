"""Lengths of paths, as sums of the weights of edges."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

from chainrules.formulas.graphs.edges import Edges, lengths_of_edges, lengths_of_paths

W = np.array([[0.0, 1.2, 4.1, 0.0], [0.9, 0.0, 1.7, 5.3], [0.0, 0.8, 0.0, 1.1], [0.7, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize("graph", [W, scipy.sparse.csr_array(W)])
@pytest.mark.parametrize("directed", [True, False])
def test_paths(graph, directed):
    """The lengths of shortest paths are those that SciPy finds, and cotangents are where weights are."""
    y, predecessors = csgraph.dijkstra(graph, directed, return_predecessors=True)
    lengths = lengths_of_paths(graph, predecessors, directed)
    np.testing.assert_allclose(lengths.pushed(graph), y.ravel())
    back = lengths.pulled(np.ones(16), graph)
    total = np.sum(back * W) if graph is W else (back * graph).sum()
    np.testing.assert_allclose(total, np.sum(y))
    ends = lengths_of_paths(graph, predecessors, directed, 3)
    np.testing.assert_allclose(ends.pushed(graph), y[:, 3])


def test_steps_both_ways():
    """A step counts the lighter of two edges, or the one that there is, and equal ones by half."""
    edges, both = Edges(np.array([0, 2]), np.array([1, 3])), np.array([[0.0, 2.0], [2.0, 0.0]])
    np.testing.assert_allclose(lengths_of_edges(W, edges, False).pushed(W), [0.9, 1.1])
    np.testing.assert_allclose(lengths_of_edges(W, edges).pushed(W), [1.2, 1.1])
    one = Edges(np.array([0]), np.array([1]))
    np.testing.assert_array_equal(
        lengths_of_edges(both, one, False).pulled(np.ones(1), both), [[0.0, 0.5], [0.5, 0.0]]
    )
