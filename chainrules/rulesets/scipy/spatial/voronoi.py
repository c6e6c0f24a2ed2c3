"""Rules for Voronoi diagrams: their vertices, by the points.

A vertex is as far from the ``d + 1`` points ``p_i`` whose regions meet there. So its distance ``v`` from the
first of them solves ``(p_i - p_0) · v = |p_i - p_0|² / 2``. Which regions meet stays the same where points
move a little. Where more regions meet, the vertex would be several. The tangent of an instance has that of
each attribute.
"""

import numpy as np
from scipy.spatial import Voronoi

from chainrules.makers.computed_objects import object_rules
from chainrules.values.spatial_objects import FIELDS_OF_DIAGRAM

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


object_rules(Voronoi, FIELDS_OF_DIAGRAM, _CONSTANTS, _parts)
