"""Rules for graphs that are made of some edges of others: each weight is moved, or left out.

See `chainrules.formulas.graphs.edges`. Which edges are chosen stays the same where weights move a little.
"""

from collections.abc import Callable
from typing import Any

from scipy.sparse import csgraph

from chainrules.formulas.graphs.edges import Edges, lengths_of_edges
from chainrules.operations.scatter import scatter
from chainrules.values.operands import ArrayOperand
from chainrules.values.sparse import Sparse
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)


def _chosen(y: Any) -> Edges:
    """The edges that a graph has."""
    entries = primal_of(y).tocoo()
    return Edges(entries.row, entries.col)


def _choosing_rules(function: Callable[..., Any], is_directed: Callable[..., bool]) -> None:
    """Define both rules of a function that chooses edges, and say in which directions it may pass them."""
    value = primitive(function)

    @frule.dispatch
    def choosing_frule(
        tangents: Any, f: typeof_(function), W: ArrayOperand | Sparse, *options: Any, **named: Any
    ):
        y, W_dot = value(W, *options, **named), tangents[1]
        if isinstance(W_dot, AbstractZero):
            return y, W_dot
        lengths = lengths_of_edges(primal_of(W), _chosen(y), is_directed(*options, **named))
        plain = primal_of(y)
        kind = primitive(type(plain))
        return y, kind((lengths.pushed(W_dot), plain.indices, plain.indptr), shape=plain.shape)

    @rrule.dispatch
    def choosing_rrule(f: typeof_(function), W: ArrayOperand | Sparse, *options: Any, **named: Any):
        y = value(W, *options, **named)

        def choosing_pullback(y_bar: Any) -> Any:
            chosen = _chosen(y)
            lengths = lengths_of_edges(primal_of(W), chosen, is_directed(*options, **named))
            W_bar = ProjectTo(W)(lengths.pulled(chosen.weights(unthunk(y_bar)), W))
            return NO_TANGENT, W_bar, *(NO_TANGENT,) * len(options)

        return y, choosing_pullback


def _always(*_options, **_named):
    return True


def _if_said(i_start, directed=True):
    return directed


def _if_said_of_path(predecessors, directed=True):
    return directed


_choosing_rules(csgraph.minimum_spanning_tree, _always)
_choosing_rules(csgraph.csgraph_from_dense, _always)
_choosing_rules(csgraph.breadth_first_tree, _if_said)
_choosing_rules(csgraph.depth_first_tree, _if_said)
_choosing_rules(csgraph.reconstruct_path, _if_said_of_path)


@frule.dispatch
def csgraph_to_dense_frule(tangents: Any, f: typeof_(csgraph.csgraph_to_dense), W: Sparse, **named: Any):
    y, edges = primitive(f)(W, **named), _chosen(W)
    return y, scatter(edges.weights(tangents[1]), primal_of(y), tuple(edges))


@rrule.dispatch
def csgraph_to_dense_rrule(f: typeof_(csgraph.csgraph_to_dense), W: Sparse, **named: Any):
    def csgraph_to_dense_pullback(y_bar: Any) -> Any:
        edges = _chosen(W)
        return NO_TANGENT, edges.returned(edges.weights(unthunk(y_bar)), W)

    return primitive(f)(W, **named), csgraph_to_dense_pullback


# --- Numbers of nodes, and orders of them ------------------------------------------------------------------

non_differentiable(
    *(csgraph.connected_components, csgraph.breadth_first_order, csgraph.depth_first_order),
    *(csgraph.reverse_cuthill_mckee, csgraph.structural_rank, csgraph.maximum_bipartite_matching),
    *(csgraph.min_weight_full_bipartite_matching, csgraph.maximum_flow),
)
