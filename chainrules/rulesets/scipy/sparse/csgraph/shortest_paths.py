"""Rules for the lengths of shortest paths, by the weights of the edges.

See `chainrules.formulas.graphs.edges`. Where an edge may be passed both ways, the lighter of two weights
counts, and equal ones share, as in a minimum. The derivative of a length that is infinite is zero.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csgraph

from chainrules.formulas.graphs.edges import lengths_of_paths
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.sparse import Sparse
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)


def _paths_rules(function: Callable[..., Any]) -> None:
    signature, value = inspect.signature(function), primitive(function)

    def solve(args: Any, named: Any) -> tuple[Any, Any]:
        """The result, and a function that returns the lengths as sums of weights."""
        bound = signature.bind(*args, **named)
        bound.apply_defaults()
        call = bound.arguments
        wants_all = call["return_predecessors"]
        W, options = args[0], dict(list(call.items())[1:]) | {"return_predecessors": True}
        if "overwrite" in options:
            options["overwrite"] = False
        y = value(W, **options)
        distances, predecessors = y[0], np.atleast_2d(primal_of(y[1]))

        def lengths() -> Any:
            ends = call.get("sink")
            return lengths_of_paths(primal_of(W), predecessors, call["directed"], ends)

        return (y if wants_all else distances), (None if call["unweighted"] else lengths)

    @frule.dispatch
    def paths_frule(
        tangents: Any, f: typeof_(function), W: ArrayOperand | Sparse, *options: Any, **named: Any
    ):
        y, lengths = solve((W, *options), named)
        W_dot = tangents[1]
        if lengths is None or isinstance(W_dot, AbstractZero):
            return y, NO_TANGENT
        distances = y[0] if isinstance(y, tuple) else y
        y_dot = np.reshape(lengths().pushed(W_dot), np.shape(distances))
        return y, tangent_of_results(y, y_dot, *(NO_TANGENT for _ in y[1:])) if isinstance(
            y, tuple
        ) else y_dot

    @rrule.dispatch
    def paths_rrule(f: typeof_(function), W: ArrayOperand | Sparse, *options: Any, **named: Any):
        y, lengths = solve((W, *options), named)

        def paths_pullback(y_bar: Any) -> Any:
            bar = unthunk(cotangents_of_results(y, y_bar)[0] if isinstance(y, tuple) else y_bar)
            if lengths is None:
                bar = NO_TANGENT
            elif not isinstance(bar, AbstractZero):
                bar = ProjectTo(W)(lengths().pulled(np.reshape(bar, (-1,)), W))
            return NO_TANGENT, bar, *(NO_TANGENT,) * len(options)

        return y, paths_pullback


for _name in ("shortest_path", "dijkstra", "bellman_ford", "johnson", "floyd_warshall", "yen"):
    _paths_rules(getattr(csgraph, _name))


@frule.dispatch
def construct_dist_matrix_frule(
    tangents: Any,
    f: typeof_(csgraph.construct_dist_matrix),
    W: ArrayOperand,
    predecessors: Any,
    *directed: bool,
    **named: Any,
):
    y, W_dot = primitive(f)(W, predecessors, *directed, **named), tangents[1]
    if isinstance(W_dot, AbstractZero):
        return y, W_dot
    lengths = lengths_of_paths(primal_of(W), predecessors, _is_directed(*directed, **named))
    return y, np.reshape(lengths.pushed(W_dot), np.shape(y))


@rrule.dispatch
def construct_dist_matrix_rrule(
    f: typeof_(csgraph.construct_dist_matrix),
    W: ArrayOperand,
    predecessors: Any,
    *directed: bool,
    **named: Any,
):
    def construct_dist_matrix_pullback(y_bar: Any) -> Any:
        lengths = lengths_of_paths(primal_of(W), predecessors, _is_directed(*directed, **named))
        W_bar = ProjectTo(W)(lengths.pulled(np.reshape(unthunk(y_bar), (-1,)), W))
        return NO_TANGENT, W_bar, NO_TANGENT, *(NO_TANGENT,) * len(directed)

    return primitive(f)(W, predecessors, *directed, **named), construct_dist_matrix_pullback


def _is_directed(directed=True, null_value=np.inf):
    return directed
