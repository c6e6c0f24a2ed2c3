"""Rules for intersections of halfspaces: their corners, and the dual points.

A halfspace ``a · x + b <= 0`` is a row ``[a, b]``. A corner of the intersection solves ``a_i · x = -b_i`` for
the `d` halfspaces of a facet of the dual points. The dual point of a halfspace, seen from the interior point
``p``, is ``-a / (a · p + b)``. Where more halfspaces meet, the corner would be several.
"""

import numpy as np
from scipy.spatial import HalfspaceIntersection

from chainrules.makers.computed_objects import object_rules
from chainrules.values.spatial_objects import FIELDS_OF_INTERSECTION

_CONSTANTS = frozenset({"dual_facets", "dual_vertices", "is_bounded", "ndim", "nineq", "npoints"})


def _parts(intersection):
    """The composition of the attributes, as a function of the halfspaces and the interior point."""
    facets, d = intersection.dual_facets, intersection.ndim
    crowded = [corner for corner, facet in enumerate(facets) if len(facet) != d]
    if crowded:
        raise ValueError(
            f"Corner {crowded[0]} of an intersection of halfspaces has no derivative: more than {d} of them "
            "meet there, which may meet at several corners when one moves. Add some noise to the halfspaces."
        )
    facets = np.array(facets, dtype=int).reshape(-1, d)

    def composition(halfspaces, interior_point=intersection.interior_point):
        halfspaces, interior_point = (x * np.float64(1.0) for x in (halfspaces, interior_point))
        normals, offsets = halfspaces[:, :-1], halfspaces[:, -1]
        corners = np.linalg.solve(normals[facets], -offsets[facets][..., np.newaxis])[..., 0]
        depths = normals @ interior_point + offsets
        return halfspaces, interior_point, corners, -normals / depths[:, np.newaxis]

    return composition


object_rules(HalfspaceIntersection, FIELDS_OF_INTERSECTION, _CONSTANTS, _parts, 2)
