"""Rules for convex hulls: their volume, their area, and the equations of their facets.

With the facets oriented outwards, the volume is ``Σ det(P - c) / d!`` for any point ``c``, and the area the
sum of the volumes of the facets, ``√det(E Eᵀ) / (d - 1)!`` for their edges ``E``. Which points span which
facet stays the same where they move a little. The tangent of an instance has that of each attribute.
"""

import math

import numpy as np
from scipy.spatial import ConvexHull

from chainrules.makers.computed_objects import object_rules
from chainrules.values.spatial_objects import FIELDS_OF_HULL

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


object_rules(ConvexHull, FIELDS_OF_HULL, _CONSTANTS, _parts)
