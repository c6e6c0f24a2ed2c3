"""Rules for rigid motions: those that make them, what is made of them, their products, powers and means.

See `chainrules.formulas.rotations.rigid_motions`. A matrix is taken for the motion with the rotation nearest
to its own; for a motion that was made without this normalization, and is none, there are no rules.
"""

import operator

import numpy as np
import scipy.spatial.transform

from chainrules.formulas.rotations import quaternions, rigid_motions
from chainrules.makers.rotation_rules import concatenation_rule, of_matrix, rotation_rule
from chainrules.makers.versions import also_named, present
from chainrules_core import NO_TANGENT, NonDifferentiablePullback, frule, primal_of, rrule, typeof_

# --- What motions are made of ------------------------------------------------------------------------------


def _from_matrix(matrix):
    def composition(y, M):
        q = of_matrix(rigid_motions.quaternion(y), rigid_motions.rotation(M))
        return rigid_motions.joined(quaternions.matrix(q), rigid_motions.translation(M))

    return composition


def _constructed(matrix, normalize=True, copy=True):
    return _from_matrix(matrix) if normalize else None


def _from_rotation(rotation):
    return lambda y, q: rigid_motions.of_rotation(q)


def _from_translation(translation):
    return lambda y, v: rigid_motions.of_translation(v)


def _from_components(translation, rotation):
    return lambda y, v, q: rigid_motions.of_translation(v) @ rigid_motions.of_rotation(q)


def _from_coordinates(exp_coords):
    return lambda y, x: rigid_motions.of_coordinates(x)


_BACK = [1, 2, 3, 0, 5, 6, 7, 4]


def _from_dual_quaternion(dual_quat, *, scalar_first=False):
    return lambda y, p: rigid_motions.of_dual_quaternion(p[..., _BACK] if scalar_first else p)


# --- What is made of motions -------------------------------------------------------------------------------


def _as_matrix(self):
    return lambda y, M: M * np.float64(1.0)


def _as_components(self):
    return lambda v, q, M: (rigid_motions.translation(M), rigid_motions.quaternion(M))


def _as_coordinates(self):
    return lambda y, M: rigid_motions.coordinates_of(M, rigid_motions.quaternion(M))


def _as_dual_quaternion(self, *, scalar_first=False):
    order, back = ([3, 0, 1, 2, 7, 4, 5, 6], _BACK) if scalar_first else (range(8), range(8))

    def composition(y, M):
        q = quaternions.like(rigid_motions.quaternion(M), y[..., list(back)][..., :4])
        return rigid_motions.dual_quaternion_of(M, q)[..., list(order)]

    return composition


# Attributes of motions, as functions.
def _translation(self):
    return self.translation


def _rotation(self):
    return self.rotation


_ATTRIBUTES = {"translation": _translation, "rotation": _rotation}
_CONSTANTS = frozenset({"shape", "single"})


def _attribute_rules(motion: type) -> None:
    rotation_rule(_translation, lambda self: lambda y, M: rigid_motions.translation(M), "self", motion)
    rotation_rule(_rotation, lambda self: lambda y, M: rigid_motions.quaternion(M), "self", motion)

    @frule.dispatch
    def getattr_frule(tangents, f: typeof_(getattr), self: motion, name: str):
        if name in _CONSTANTS:
            return getattr(primal_of(self), name), NO_TANGENT
        return frule(tangents[:2], _ATTRIBUTES[name], self) if name in _ATTRIBUTES else None

    @rrule.dispatch
    def getattr_rrule(f: typeof_(getattr), self: motion, name: str):
        if name in _CONSTANTS:
            return getattr(primal_of(self), name), NonDifferentiablePullback(3)
        if name not in _ATTRIBUTES:
            return None
        y, pullback = rrule(_ATTRIBUTES[name], self)
        return y, lambda y_bar: (*pullback(y_bar), NO_TANGENT)


# --- Products ----------------------------------------------------------------------------------------------


def _apply(self, vector, inverse=False):
    def composition(y, M, v):
        M = rigid_motions.inverse(M) if inverse else M
        return (rigid_motions.rotation(M) @ v[..., np.newaxis])[..., 0] + rigid_motions.translation(M)

    return composition


def _inverse(self):
    return lambda y, M: rigid_motions.inverse(M)


def _product(self, other):
    return (lambda y, M, N: M @ N) if isinstance(other, type(self)) else None


def _power(self, n, modulus=None):
    def composition(y, M, n):
        return rigid_motions.of_coordinates(n * rigid_motions.coordinates_of(M, rigid_motions.quaternion(M)))

    return composition


def _item(self, indexer):
    return lambda y, M: M[indexer]


def _mean(self, weights=None, axis=None):
    lead = self.shape
    axes = tuple(range(len(lead))) if axis is None else tuple(k % len(lead) for k in np.atleast_1d(axis))

    def composition(y, M, weights=1.0):
        each = np.broadcast_to(weights, lead)[..., np.newaxis]
        q = rigid_motions.quaternion(M)
        forms = each[..., np.newaxis] * q[..., np.newaxis] * q[..., np.newaxis, :]
        mean = quaternions.largest_of_form(rigid_motions.quaternion(y), np.sum(forms, axis=axes))
        v = np.sum(each * rigid_motions.translation(M), axis=axes) / np.sum(each, axis=axes)
        return rigid_motions.joined(quaternions.matrix(mean), v)

    return composition


for _motion in present(scipy.spatial.transform, "RigidTransform"):  # since SciPy 1.16
    rotation_rule(_motion, _constructed, "matrix")
    rotation_rule(_motion.from_matrix, _from_matrix, "matrix")
    rotation_rule(_motion.from_rotation, _from_rotation, "rotation")
    rotation_rule(_motion.from_translation, _from_translation, "translation")
    rotation_rule(_motion.from_components, _from_components, "translation rotation")
    rotation_rule(_motion.from_exp_coords, _from_coordinates, "exp_coords")
    rotation_rule(_motion.from_dual_quat, _from_dual_quaternion, "dual_quat")
    rotation_rule(_motion.as_matrix, _as_matrix, "self")
    rotation_rule(_motion.as_components, _as_components, "self")
    rotation_rule(_motion.as_exp_coords, _as_coordinates, "self")
    rotation_rule(_motion.as_dual_quat, _as_dual_quaternion, "self")
    rotation_rule(_motion.apply, _apply, "self vector")
    rotation_rule(_motion.inv, _inverse, "self")
    rotation_rule(operator.mul, _product, "self other", _motion)
    rotation_rule(operator.pow, _power, "self n", _motion)
    rotation_rule(operator.getitem, _item, "self", _motion)
    _attribute_rules(_motion)
    concatenation_rule(_motion)
    for _method in present(_motion, "mean"):  # since SciPy 1.17
        rotation_rule(_method, _mean, "self weights")

if not present(scipy.spatial.transform, "RigidTransform"):
    _methods = """
        apply as_components as_dual_quat as_exp_coords as_matrix concatenate from_components from_dual_quat
        from_exp_coords from_matrix from_rotation from_translation inv mean
    """
    also_named(*map("RigidTransform.{}".format, _methods.split()), "| getattr getitem mul pow")
