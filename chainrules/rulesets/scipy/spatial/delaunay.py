"""Rules for Delaunay triangulations: their points, and the maps to barycentric coordinates.

The map of a simplex is ``c = T⁻¹ (x - r)`` with its last corner ``r``, and with the edges from there to the
others in the columns of ``T``; `transform` holds ``T⁻¹``, and ``r`` in the row below.
"""

import numpy as np
from scipy.spatial import Delaunay

from chainrules.makers.computed_objects import constant_method_rules, object_rules
from chainrules.values.spatial_objects import FIELDS_OF_TRIANGULATION

_CONSTANTS = frozenset(
    {
        "convex_hull",
        "coplanar",
        "furthest_site",
        "good",
        "ndim",
        "neighbors",
        "npoints",
        "nsimplex",
        "simplices",
        "vertex_neighbor_vertices",
        "vertex_to_simplex",
    }
)


def _parts(triangulation):
    """The composition of the attributes, as a function of the points."""
    simplices, d = triangulation.simplices, triangulation.ndim
    # SciPy writes NaN for simplices that are flat.
    is_flat = np.isnan(triangulation.transform).any(axis=(1, 2))[:, np.newaxis, np.newaxis]

    def composition(points):
        points = points * np.float64(1.0)  # of the precision of Qhull
        last = points[simplices[:, -1]][:, np.newaxis]
        edges = np.swapaxes(points[simplices[:, :-1]] - last, 1, 2)
        inverse = np.linalg.inv(np.where(is_flat, np.eye(d), edges))
        maps = np.eye(d + 1, d) @ inverse + np.eye(d + 1)[:, d:] * last
        return points, np.where(is_flat, np.nan, maps)

    return composition


object_rules(Delaunay, FIELDS_OF_TRIANGULATION, _CONSTANTS, _parts)
constant_method_rules(Delaunay, Delaunay.find_simplex)
