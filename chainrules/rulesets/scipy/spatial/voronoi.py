"""Rules for Voronoi diagrams: their vertices, by the points.

A vertex is as far from the ``d + 1`` points ``p_i`` whose regions meet there. So its distance ``v`` from the
first of them solves ``(p_i - p_0) · v = |p_i - p_0|² / 2``. Which regions meet stays the same where points
move a little. Where more regions meet, the vertex would be several. The tangent of an instance has that of
each attribute.
"""

from typing import Any

import numpy as np
from scipy.spatial import Voronoi

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules.values.operands import ArrayOperand
from chainrules.values.spatial_objects import FIELDS_OF_DIAGRAM
from chainrules_core import (
    NO_TANGENT,
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
    {"furthest_site", "ndim", "npoints", "point_region", "regions", "ridge_points", "ridge_vertices"}
)


def _parts(diagram):
    """The composition of the attributes, as a function of the points."""
    corners = _corners(diagram)

    def composition(points):
        points = points * np.float64(1.0)  # of the precision of Qhull
        first = points[corners[:, 0]]
        apart = points[corners[:, 1:]] - first[:, np.newaxis]
        right = 0.5 * np.sum(apart * apart, axis=-1, keepdims=True)
        return points, first + np.linalg.solve(apart, right)[..., 0]

    _, vertices = composition(diagram.points)
    if not np.allclose(vertices, diagram.vertices, rtol=1e-6, atol=1e-6 * np.ptp(diagram.points)):
        raise ValueError(
            "The vertices of a Voronoi diagram are no function of its points that has a derivative: Qhull "
            "moved the points. Leave out its option QJ."
        )
    return composition


def _corners(diagram):
    """The points that each vertex is as far from."""
    near: list[list[int]] = [[] for _ in diagram.vertices]
    for point, region in enumerate(diagram.point_region):
        for vertex in diagram.regions[region] if region >= 0 else ():
            if vertex >= 0:  # and not far away
                near[vertex].append(point)
    d = diagram.ndim
    crowded = [vertex for vertex, points in enumerate(near) if len(points) != d + 1]
    if crowded:
        raise ValueError(
            f"Vertex {crowded[0]} of a Voronoi diagram has no derivative: {len(near[crowded[0]])} regions "
            f"meet there, which may meet at several vertices when a point moves. In {d} dimensions {d + 1} "
            "regions meet, if the points are not those of a lattice: add some noise to them."
        )
    return np.array(near, dtype=int).reshape(-1, d + 1)


@frule.dispatch
def voronoi_frule(tangents: Any, f: typeof_(Voronoi), points: ArrayOperand, *options: Any, **named: Any):
    diagram = primitive(f)(points, *options, **named)
    dots = push_composition(_parts(primal_of(diagram)), [points], [tangents[1]])
    return diagram, Tangent[Voronoi](**dict(zip(FIELDS_OF_DIAGRAM, dots, strict=True)))


@rrule.dispatch
def voronoi_rrule(f: typeof_(Voronoi), points: ArrayOperand, *options: Any, **named: Any):
    diagram = primitive(f)(points, *options, **named)

    def voronoi_pullback(diagram_bar: Any) -> Any:
        bar = unthunk(diagram_bar)
        bars = tuple(unthunk(getattr(bar, name)) for name in FIELDS_OF_DIAGRAM)
        points_bar = pull_composition(_parts(primal_of(diagram)), [points], bars)[0]
        return NO_TANGENT, ProjectTo(points)(points_bar), *(NO_TANGENT,) * len(options)

    return diagram, voronoi_pullback


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), diagram: Voronoi, name: str):
    if name in _CONSTANTS:
        return getattr(primal_of(diagram), name), NO_TANGENT
    return push_field(diagram, name, tangents[1])


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), diagram: Voronoi, name: str):
    if name in _CONSTANTS:
        return getattr(primal_of(diagram), name), NonDifferentiablePullback(3)
    answer = pull_field(diagram, name)
    if answer is None:
        return None
    y, pull = answer
    return y, lambda y_bar: (NO_TANGENT, pull(y_bar), NO_TANGENT)
