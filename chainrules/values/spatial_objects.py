"""Objects of `scipy.spatial` as structures: their fields with derivatives, and how they are made of these."""

from collections.abc import Mapping
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


@backing.register
def backing_of_tree(tree: cKDTree) -> dict[str, Any]:
    """The points."""
    return {"data": tree.data}


@construct.dispatch
def construct_tree(primal_type: type[cKDTree], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """A tree of points."""
    return primal_type(fields["data"])


@backing.register
def backing_of_hull(hull: ConvexHull) -> dict[str, Any]:
    """The attributes that have derivatives."""
    return {name: getattr(hull, name) for name in FIELDS_OF_HULL}


@construct.dispatch
def construct_hull(primal_type: type[ConvexHull], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """The hull of points."""
    return ConvexHull(fields["points"])


@backing.register
def backing_of_diagram(diagram: Voronoi) -> dict[str, Any]:
    """The attributes that have derivatives."""
    return {name: getattr(diagram, name) for name in FIELDS_OF_DIAGRAM}


@construct.dispatch
def construct_diagram(primal_type: type[Voronoi], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """The diagram of points."""
    return Voronoi(fields["points"])


@backing.register
def backing_of_triangulation(triangulation: Delaunay) -> dict[str, Any]:
    """The attributes that have derivatives."""
    return {name: getattr(triangulation, name) for name in FIELDS_OF_TRIANGULATION}


@construct.dispatch
def construct_triangulation(primal_type: type[Delaunay], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """The triangulation of points."""
    return Delaunay(fields["points"])


@backing.register
def backing_of_intersection(intersection: HalfspaceIntersection) -> dict[str, Any]:
    """The attributes that have derivatives."""
    return {name: getattr(intersection, name) for name in FIELDS_OF_INTERSECTION}


@construct.dispatch
def construct_intersection(primal_type: type[HalfspaceIntersection], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
    """The intersection of halfspaces."""
    return HalfspaceIntersection(fields["halfspaces"], fields["interior_point"])


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
        return {"matrix": m.as_matrix()}  # type: ignore[attr-defined]

    @construct.dispatch
    def construct_motion(primal_type: type[motion], fields: Mapping) -> Any:  # type: ignore[type-arg]  # faithful for plum
        """A rigid motion from its matrix, the rotation of which is normalized."""
        M = np.array(fields["matrix"])
        M[..., 3, :] = np.eye(4)[3]
        return motion.from_matrix(M)  # type: ignore[attr-defined]


if hasattr(scipy.spatial.transform, "RigidTransform"):  # since SciPy 1.16
    _structure_of_motions(scipy.spatial.transform.RigidTransform)
