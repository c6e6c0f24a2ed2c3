"""Rules for convex hulls: their volume, their area, and the equations of their facets.

With the facets oriented outwards, the volume is ``Σ det(P - c) / d!`` for any point ``c``, and the area the
sum of the volumes of the facets, ``√det(E Eᵀ) / (d - 1)!`` for their edges ``E``. Which points span which
facet stays the same where they move a little. The tangent of an instance has that of each attribute.
"""

import math
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules.values.operands import ArrayOperand
from chainrules.values.spatial_objects import FIELDS_OF_HULL
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NonDifferentiablePullback,
    ProjectTo,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

_CONSTANTS = frozenset(
    {"coplanar", "good", "ndim", "neighbors", "npoints", "nsimplex", "simplices", "vertices"}
)


def _parts(hull):
    """The composition of the attributes, as a function of the points."""
    simplices, equations, d = hull.simplices, hull.equations, hull.ndim
    inside = np.mean(hull.points[hull.vertices], axis=0)
    corners = hull.points[simplices]
    signs = np.sign(np.linalg.det(corners - inside))
    upright = np.append(np.zeros(d - 1), 1.0)[:, np.newaxis]

    def composition(points):
        points = points * np.float64(1.0)  # of the precision of Qhull
        corners = points[simplices]
        volume = np.sum(signs * np.linalg.det(corners - inside)) / math.factorial(d)
        edges = corners[:, 1:] - corners[:, :1]
        squares = np.linalg.det(edges @ np.swapaxes(edges, -1, -2))
        area = np.sum(np.sqrt(squares)) / math.factorial(d - 1)
        # The edges, and a row that makes the matrix regular, whatever it is.
        across = np.eye(d, d - 1) @ edges + upright * equations[:, np.newaxis, :d]
        normals = np.linalg.solve(across, np.broadcast_to(upright, (len(equations), d, 1)))[..., 0]
        normals = normals / np.linalg.norm(normals, None, -1, True)
        offsets = -np.sum(normals * corners[:, 0], axis=-1, keepdims=True)
        return points, volume, area, normals @ np.eye(d, d + 1) + offsets * np.eye(d + 1)[d]

    return composition


@frule.dispatch
def convex_hull_frule(
    tangents: Any, f: typeof_(ConvexHull), points: ArrayOperand, *options: Any, **named: Any
):
    hull, points_dot = primitive(f)(points, *options, **named), tangents[1]
    if isinstance(points_dot, AbstractZero):
        return hull, points_dot
    dots = push_composition(_parts(primal_of(hull)), [points], [points_dot])
    return hull, Tangent[ConvexHull](**dict(zip(FIELDS_OF_HULL, dots, strict=True)))


@rrule.dispatch
def convex_hull_rrule(f: typeof_(ConvexHull), points: ArrayOperand, *options: Any, **named: Any):
    hull = primitive(f)(points, *options, **named)

    def convex_hull_pullback(hull_bar: Any) -> Any:
        bar = unthunk(hull_bar)
        if not isinstance(bar, AbstractZero):
            bars = tuple(unthunk(getattr(bar, name)) for name in FIELDS_OF_HULL)
            bar = ProjectTo(points)(pull_composition(_parts(primal_of(hull)), [points], bars)[0])
        return NO_TANGENT, bar, *(NO_TANGENT,) * len(options)

    return hull, convex_hull_pullback


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), hull: ConvexHull, name: str):
    if name in _CONSTANTS:
        return getattr(primal_of(hull), name), NO_TANGENT
    return push_field(hull, name, tangents[1])


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), hull: ConvexHull, name: str):
    if name in _CONSTANTS:
        return getattr(primal_of(hull), name), NonDifferentiablePullback(3)
    answer = pull_field(hull, name)
    if answer is None:
        return None
    y, pull = answer
    return y, lambda y_bar: (NO_TANGENT, pull(y_bar), NO_TANGENT)
