"""Rules of graphs that are made of edges of others."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

from chainrules_core import AbstractZero, NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.container_checks import check_no_derivative

# Where a matrix has a zero there is no edge, and differences would make one.
W = np.array([[3.1, 1.2, 4.1, 8.2], [0.9, 2.7, 1.7, 5.3], [6.3, 0.8, 3.3, 1.1], [0.7, 3.9, 4.4, 2.3]])
LINKS = np.where(np.array([[0, 1, 1, 0], [1, 0, 1, 1], [0, 1, 0, 1], [1, 0, 0, 0]]) == 1, W, 0.0)
S, SMALL = scipy.sparse.csr_array(LINKS), W[:3, :3]


@pytest.mark.parametrize("graph", [SMALL, S, scipy.sparse.csc_array(LINKS)])
def test_spanning_trees(graph):
    """The weights of the edges of the tree are those of the graph."""
    test_frule(csgraph.minimum_spanning_tree, graph)
    test_rrule(csgraph.minimum_spanning_tree, graph)
    assert isinstance(
        frule((NoTangent(), NoTangent()), csgraph.minimum_spanning_tree, graph)[1], AbstractZero
    )


@pytest.mark.parametrize("directed", [True, False])
def test_searches(directed):
    """So are those of the trees of searches, and of told paths, whose edges may be passed both ways."""
    test_frule(csgraph.breadth_first_tree, SMALL, 0, directed)
    test_rrule(csgraph.breadth_first_tree, S, 0, directed)
    test_frule(csgraph.depth_first_tree, SMALL, 0, directed)
    test_rrule(csgraph.depth_first_tree, SMALL, 0, fkwargs={"directed": directed})
    _, predecessors = csgraph.dijkstra(S, directed, indices=0, return_predecessors=True)
    test_frule(csgraph.reconstruct_path, S, predecessors, directed)
    test_rrule(csgraph.reconstruct_path, S, predecessors, directed)


def test_forms():
    """A dense graph becomes a sparse one, and a sparse one dense."""
    test_frule(csgraph.csgraph_from_dense, SMALL)
    test_rrule(csgraph.csgraph_from_dense, SMALL[:2, :2], order=2)
    test_frule(csgraph.csgraph_to_dense, S)
    test_rrule(csgraph.csgraph_to_dense, S, fkwargs={"null_value": 7.0})


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (csgraph.structural_rank, (S,)),
        (csgraph.reverse_cuthill_mckee, (S,)),
        (csgraph.connected_components, (W,)),
        (csgraph.breadth_first_order, (W, 0)),
        (csgraph.depth_first_order, (W, 0)),
        (csgraph.maximum_bipartite_matching, (S,)),
        (csgraph.min_weight_full_bipartite_matching, (scipy.sparse.csr_array(W[:2, 1:3]),)),
    ],
)
def test_orders(f, args):
    """Numbers of nodes, and orders of them, have no derivative."""
    check_no_derivative(f, *args)


def test_flows():
    """Flows are whole numbers."""
    f, args = csgraph.maximum_flow, (S.astype(np.int32), 0, 3)
    y, y_dot = frule((NoTangent(),) * 4, f, *args)
    assert y.flow_value == f(*args).flow_value
    assert isinstance(y_dot, NoTangent)
    _, pullback = rrule(f, *args)
    assert pullback(NoTangent()) == (NoTangent(),) * 4
    record_exercised(f, frule.find((NoTangent(),) * 4, f, *args))
    record_exercised(f, rrule.find(f, *args))
