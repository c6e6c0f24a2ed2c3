"""Objects of `scipy.spatial` as structures: their fields with derivatives, and how they are made of these."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import scipy.spatial.transform
from scipy.spatial import ConvexHull, Delaunay, HalfspaceIntersection, Voronoi, cKDTree
from scipy.spatial.transform import Rotation

from chainrules_core import backing, construct

# The attributes that have derivatives, of a hull, a diagram, a triangulation and an intersection.
FIELDS_OF_HULL = ("points", "volume", "area", "equations")
FIELDS_OF_DIAGRAM = ("points", "vertices")
FIELDS_OF_TRIANGULATION = ("points", "transform")
FIELDS_OF_INTERSECTION = ("halfspaces", "interior_point", "intersections", "dual_points")


def _structure(cls: type, names: tuple[str, ...], make: Callable[[type, Mapping[str, Any]], Any]) -> None:
    @backing.register
    def backing_of_object(x: cls) -> dict[str, Any]:
        """The attributes that have derivatives."""
        return {name: getattr(x, name) for name in names}

    @construct.dispatch
    def construct_object(primal_type: type[cls], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
        """An object from its points, or from the halfspaces and a point within."""
        return make(primal_type, fields)


_structure(cKDTree, ("data",), lambda tree, fields: tree(fields["data"]))
_structure(ConvexHull, FIELDS_OF_HULL, lambda _, fields: ConvexHull(fields["points"]))
_structure(Voronoi, FIELDS_OF_DIAGRAM, lambda _, fields: Voronoi(fields["points"]))
_structure(Delaunay, FIELDS_OF_TRIANGULATION, lambda _, fields: Delaunay(fields["points"]))
_structure(
    HalfspaceIntersection,
    FIELDS_OF_INTERSECTION,
    lambda _, fields: HalfspaceIntersection(fields["halfspaces"], fields["interior_point"]),
)


@backing.register
def backing_of_rotation(r: Rotation) -> dict[str, Any]:
    """The field of a rotation, whatever SciPy keeps in it."""
    return {"quat": r.as_quat()}


@construct.dispatch
def construct_rotation(primal_type: type[Rotation], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """A rotation from its quaternion, which is normalized."""
    return Rotation.from_quat(fields["quat"])


def _structure_of_motions(motion: type) -> None:
    @backing.register
    def backing_of_motion(m: motion) -> dict[str, Any]:  # not in all versions
        """The field of a rigid motion."""
        return {"matrix": m.as_matrix()}  # type: ignore[attr-defined]  # a motion

    @construct.dispatch
    def construct_motion(primal_type: type[motion], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
        """A rigid motion from its matrix, the rotation of which is normalized."""
        M = np.array(fields["matrix"])
        M[..., 3, :] = np.eye(4)[3]
        return motion.from_matrix(M)  # type: ignore[attr-defined]  # of a class


if hasattr(scipy.spatial.transform, "RigidTransform"):  # since SciPy 1.16
    _structure_of_motions(scipy.spatial.transform.RigidTransform)
