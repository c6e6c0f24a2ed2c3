"""Rules for the distances of nearest neighbours, by the points that are asked about and by those of the tree.

Which points are nearest stays the same where points move a little. The tangent of a tree has that of its
points. See `chainrules.numerics.distances` for kinks; the distance of a neighbour that is missing is
infinite, and has the derivative zero. Trees of periodic space have no rules.
"""

from typing import Any

import numpy as np
from scipy.spatial import KDTree, cKDTree

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.makers.computed_objects import constant_method_rules
from chainrules.numerics import distances
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import OperandInLists
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)


def _points_of(tree):
    return primitive(getattr)(tree, "data") if primal_of(tree) is not tree else tree.data


def _distances(y):
    """The composition of the distances, of the points, of those that are asked about, and of the order."""
    found, i = (primal_of(part) for part in y)
    is_found, several = np.isfinite(found), np.ndim(found)
    nearest = np.where(is_found, i, 0)

    def composition(data, x, p):
        x = x * np.float64(1.0)
        x = x[..., np.newaxis, :] if several == len(x.shape) else x
        return np.where(is_found, distances.minkowski(x, data[nearest], p), np.inf)

    return composition


# In the order in which they are taken, after the points.
_OPTIONS = ("k", "eps", "p", "distance_upper_bound", "workers")


def _order(options, named):
    return dict(zip(_OPTIONS, options, strict=False)).get("p", named.get("p", 2.0))


def _tree_rules(kind: type[cKDTree]) -> None:
    @frule.dispatch
    def tree_frule(tangents: Any, f: typeof_(kind), data: OperandInLists, *options: Any, **named: Any):
        tree, data_dot = primitive(f)(array_of(data), *options, **named), tangents[1]
        if isinstance(data_dot, AbstractZero):
            return tree, data_dot
        return tree, Tangent[kind](data=tangent_as_array(data, data_dot) * np.float64(1.0))

    @rrule.dispatch
    def tree_rrule(f: typeof_(kind), data: OperandInLists, *options: Any, **named: Any):
        def tree_pullback(tree_bar: Any) -> Any:
            bar = unthunk(tree_bar)
            bar = bar if isinstance(bar, AbstractZero) else cotangent_in_lists(data, unthunk(bar.data))
            return NO_TANGENT, bar, *(NO_TANGENT,) * len(options)

        return primitive(f)(array_of(data), *options, **named), tree_pullback

    @frule.dispatch
    def query_frule(
        tangents: Any, f: typeof_(kind.query), tree: kind, x: OperandInLists, *options: Any, **named: Any
    ):
        if primal_of(tree).boxsize is not None:
            return None
        y = primitive(f)(tree, array_of(x), *options, **named)
        _, tree_dot, x_dot, *rest = tangents
        data_dot = tree_dot if isinstance(tree_dot, AbstractZero) else unthunk(tree_dot.data)
        p_dot = dict(zip(_OPTIONS, rest, strict=False)).get("p", NO_TANGENT)
        given = [_points_of(tree), array_of(x), _order(options, named)]
        x_dot = x_dot if isinstance(x_dot, AbstractZero) else tangent_as_array(x, x_dot)
        y_dot = push_composition(_distances(y), given, [data_dot, x_dot, p_dot])
        return y, tangent_of_results(y, y_dot, NO_TANGENT)

    @rrule.dispatch
    def query_rrule(f: typeof_(kind.query), tree: kind, x: OperandInLists, *options: Any, **named: Any):
        if primal_of(tree).boxsize is not None:
            return None
        y = primitive(f)(tree, array_of(x), *options, **named)
        p = _order(options, named)

        def query_pullback(y_bar: Any) -> Any:
            bar = unthunk(cotangents_of_results(y, y_bar)[0])
            given = [_points_of(tree), array_of(x), p]
            data_bar, x_bar, p_bar = pull_composition(_distances(y), given, bar)
            bars = {"p": ProjectTo(p)(p_bar)}
            tree_bar = Tangent[kind](data=unthunk(data_bar))
            rest = (bars.get(name, NO_TANGENT) for name, _ in zip(_OPTIONS, options, strict=False))
            return NO_TANGENT, tree_bar, cotangent_in_lists(x, x_bar), *rest

        return y, query_pullback


for _kind in (KDTree, cKDTree):
    _tree_rules(_kind)
    # Which points are near each other moves in steps.
    constant_method_rules(_kind, _kind.query_pairs, _kind.query_ball_point, _kind.query_ball_tree)
