"""The weights of edges: of a dense matrix, in which zero, NaN and infinity are none, or of a sparse one.

A length is a sum of weights, along a path that stays the same where the weights move a little. Of shortest
paths of one length, the one that SciPy has found counts.
"""

import operator
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from chainrules.operations.scatter import scatter
from chainrules.operations.sparse_patterns import fitted_to_pattern, is_sparse_operand
from chainrules_core import entries_at, primal_of, primitive

_matmul, _in_coo = primitive(operator.matmul), primitive(scipy.sparse.coo_array)


class Edges(NamedTuple):
    """Edges, with the numbers of the nodes that each goes from and to."""

    i: Any
    j: Any

    def weights(self, W: Any) -> Any:
        """The elements of a matrix of weights."""
        return entries_at(W, self) if is_sparse_operand(W) else W[self.i, self.j]

    def returned(self, w_bar: Any, W: Any) -> Any:
        """The cotangent of a matrix, from that of its weights."""
        if not is_sparse_operand(W):
            return scatter(w_bar, primal_of(W), (self.i, self.j))
        return fitted_to_pattern(W, _in_coo((w_bar, (self.i, self.j)), shape=primal_of(W).shape).tocsr())


class Lengths(NamedTuple):
    """Lengths of paths, ``steps @ weights``: a sparse matrix with a row for each path, and the edges."""

    steps: Any
    edges: Edges

    def pushed(self, W_dot: Any) -> Any:
        """The tangents of the lengths."""
        return _matmul(self.steps, self.edges.weights(W_dot))

    def pulled(self, y_bar: Any, W: Any) -> Any:
        """The cotangent of the weights."""
        return self.edges.returned(_matmul(self.steps.T, y_bar), W)


def lengths_of_paths(W: Any, predecessors: Any, directed: bool, ends: Any = None) -> Lengths:
    """The lengths of the paths that lists of predecessors tell.

    Parameters
    ----------
    W
        The weights.
    predecessors
        In each row the number of the node before each node; negative for the first one.
    directed
        Whether edges are passed in their own direction alone.
    ends
        The node at the end of the one path of each row. If `None`, there is one for each node.
    """
    rows, n = predecessors.shape
    if ends is None:
        row, node = np.divmod(np.arange(rows * n), n)
    else:
        row, node = np.arange(rows), np.broadcast_to(ends, (rows,))
    path, found = np.arange(row.size), []
    while path.size:
        before = predecessors[row, node]
        goes_on = before >= 0
        path, row, node, before = path[goes_on], row[goes_on], node[goes_on], before[goes_on]
        found.append((path, before, node))
        node = before
    path, i, j = map(np.concatenate, zip(*found, strict=True))
    return _summed(W, path, Edges(i, j), rows * n if ends is None else rows, directed)


def lengths_of_edges(W: Any, edges: Edges, directed: bool = True) -> Lengths:
    """The weights of edges, as lengths of paths of one step."""
    return _summed(W, np.arange(edges.i.size), edges, edges.i.size, directed)


def _summed(W: Any, path: Any, edges: Edges, count: int, directed: bool) -> Lengths:
    """The sums of the weights of edges, each in a path."""
    (i, j), n, share = edges, W.shape[1], np.ones(path.size)
    if not directed:
        ahead = _share_of_way(W, i, j)
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
        share, path = np.concatenate([ahead, 1.0 - ahead]), np.concatenate([path, path])
    each, place = np.unique(np.asarray(i, int) * n + j, return_inverse=True)
    steps = scipy.sparse.csr_array((share, (path, place)), shape=(count, each.size))
    return Lengths(steps, Edges(*np.divmod(each, n)))


def _share_of_way(W: Any, i: Any, j: Any) -> Any:
    """How much of a step from `i` to `j` is by the edge ahead: the lighter of two counts, equal ones half."""
    there, back = (_weights_or_none(W, edges) for edges in (Edges(i, j), Edges(j, i)))
    return np.where(there == back, 0.5, there < back)


def _weights_or_none(W: Any, edges: Edges) -> Any:
    """Weights of edges, and infinity where there is none."""
    w = edges.weights(W)
    if scipy.sparse.issparse(W):
        ones = W.tocoo(copy=True)
        ones.data = np.ones(ones.data.shape)
        return np.where(edges.weights(ones) == 0, np.inf, w)
    return np.where((w == 0) | np.isnan(w), np.inf, w)
