"""Rules for rotations: those that make them, what is made of them, their products, means and alignments.

See `chainrules.formulas.rotations.quaternions`. At kinks the conventions of norms hold: the angle of the
identity has the derivative zero. That of half a turn, and its vector, have the derivative from the side of
the quaternion that SciPy keeps. A matrix that is no rotation is taken for the rotation that is nearest to
it, unless it is said to be valid. Angles have the derivative NaN where two axes coincide.
"""

import operator

import numpy as np
from scipy.spatial.transform import Rotation

from chainrules.formulas.rotations import quaternions
from chainrules.makers.rotation_rules import concatenation_rule, of_matrix, rotation_rule
from chainrules.numerics import distances
from chainrules_core import (
    NO_TANGENT,
    NonDifferentiablePullback,
    frule,
    non_differentiable,
    primal_of,
    rrule,
    typeof_,
)

_DEGREE, _ONE = np.pi / 180.0, np.float64(1.0)


def _unit_of(degrees):
    return _DEGREE if degrees else 1.0


# --- What rotations are made of ----------------------------------------------------------------------------


def _from_quaternion(quat, *, scalar_first=False):
    order = [1, 2, 3, 0] if scalar_first else [0, 1, 2, 3]
    return lambda y, q: quaternions.unit(q[..., order])


def _from_matrix(matrix, *, assume_valid=False):
    return (lambda y, M: quaternions.of_orthogonal(M)) if assume_valid else of_matrix


def _from_vector(rotvec, degrees=False):
    return lambda y, v: quaternions.of_vector(_unit_of(degrees) * v)


def _from_parameters(mrp):
    return lambda y, m: quaternions.of_parameters(m)


def _from_euler(seq, angles, degrees=False):
    axes, extrinsic = quaternions.axes_of(seq)
    return lambda y, angles: _from_angles(y, axes, angles, extrinsic, degrees)


def _from_davenport(axes, order, angles, degrees=False):
    return lambda y, axes, angles: _from_angles(
        y, quaternions.unit_axes(axes), angles, order[0] == "e", degrees
    )


def _from_angles(y, axes, angles, extrinsic, degrees):
    angles = np.reshape(_unit_of(degrees) * angles, (*np.shape(y)[:-1], axes.shape[-2]))
    return quaternions.of_angles(axes, angles, extrinsic)


def _constructed(quat, normalize=True, copy=True, scalar_first=False):
    return _from_quaternion(quat, scalar_first=scalar_first) if normalize else None


rotation_rule(Rotation, _constructed, "quat")
rotation_rule(Rotation.from_quat, _from_quaternion, "quat")
rotation_rule(Rotation.from_matrix, _from_matrix, "matrix")
rotation_rule(Rotation.from_rotvec, _from_vector, "rotvec")
rotation_rule(Rotation.from_mrp, _from_parameters, "mrp")
rotation_rule(Rotation.from_euler, _from_euler, "angles")
rotation_rule(Rotation.from_davenport, _from_davenport, "axes angles")

# --- What is made of rotations -----------------------------------------------------------------------------


def _as_quaternion(self, canonical=False, *, scalar_first=False):
    order, back = ([3, 0, 1, 2], [1, 2, 3, 0]) if scalar_first else ([0, 1, 2, 3], [0, 1, 2, 3])
    return lambda y, q: quaternions.like(q, y[..., back])[..., order]


def _as_matrix(self):
    return lambda y, q: quaternions.matrix(q)


def _as_vector(self, degrees=False):
    return lambda y, q: quaternions.vector_of(q) / _unit_of(degrees)


def _as_parameters(self):
    return lambda y, q: quaternions.parameters_of(q)


def _as_euler(self, seq, degrees=False, *, suppress_warnings=False):
    axes, extrinsic = quaternions.axes_of(seq)
    by_unit = _unit_of(degrees)
    return lambda y, q: quaternions.angles_of(by_unit * y, q, axes, extrinsic) / by_unit


def _as_davenport(self, axes, order, degrees=False, *, suppress_warnings=False):
    by_unit = _unit_of(degrees)

    def composition(y, q, axes):
        return quaternions.angles_of(by_unit * y, q, quaternions.unit_axes(axes), order[0] == "e") / by_unit

    return composition


def _magnitude(self):
    return lambda y, q: quaternions.magnitude(q)


rotation_rule(Rotation.as_quat, _as_quaternion, "self")
rotation_rule(Rotation.as_matrix, _as_matrix, "self")
rotation_rule(Rotation.as_rotvec, _as_vector, "self")
rotation_rule(Rotation.as_mrp, _as_parameters, "self")
rotation_rule(Rotation.as_euler, _as_euler, "self")
rotation_rule(Rotation.as_davenport, _as_davenport, "self axes")
rotation_rule(Rotation.magnitude, _magnitude, "self")

# --- Products ----------------------------------------------------------------------------------------------


def _apply(self, vectors, inverse=False):
    def composition(y, q, v):
        R = quaternions.matrix(quaternions.conjugate(q) if inverse else q)
        return (R @ v[..., np.newaxis])[..., 0]

    return composition


def _inverse(self):
    return lambda y, q: quaternions.conjugate(q)


def _product(self, other):
    return (lambda y, p, q: quaternions.product(p, q)) if isinstance(other, Rotation) else None


def _power(self, n, modulus=None):
    return lambda y, q, n: quaternions.power(q, n)


def _reduced(self, left=None, right=None, return_indices=False):
    # Which of the groups' rotations are taken moves in steps.
    _, *places = self.reduce(left, right, return_indices=True)

    def composition(y, *others):
        p, *groups = others[2:] if return_indices else others
        given, several = zip((left, right), places, strict=True), iter(groups)
        before, after = (None if group is None else next(several)[at] for group, at in given)
        p = p if before is None else quaternions.product(before, p)
        reduced = np.reshape(p if after is None else quaternions.product(p, after), np.shape(y))
        return (reduced, *places) if return_indices else reduced

    return composition


rotation_rule(Rotation.apply, _apply, "self vectors")
rotation_rule(Rotation.inv, _inverse, "self")
rotation_rule(Rotation.reduce, _reduced, "self left right")
rotation_rule(operator.mul, _product, "self other", Rotation)
rotation_rule(operator.pow, _power, "self n", Rotation)


def _item(self, indexer):
    return lambda y, q: q[indexer]


rotation_rule(operator.getitem, _item, "self", Rotation)


concatenation_rule(Rotation)

# --- Means and alignments ----------------------------------------------------------------------------------


def _mean(self, weights=None, axis=None):
    lead = np.shape(self.as_quat())[:-1]
    axes = tuple(range(len(lead))) if axis is None else tuple(k % len(lead) for k in np.atleast_1d(axis))

    def composition(y, q, weights=_ONE):
        each = np.broadcast_to(weights, lead)[..., np.newaxis, np.newaxis]
        forms = each * q[..., np.newaxis] * q[..., np.newaxis, :]
        return quaternions.largest_of_form(y, np.sum(forms, axis=axes))

    return composition


def _alignment(a, b, weights=None, return_sensitivity=False):
    # One pair, or an infinite weight, leaves freedom, which SciPy uses up by a choice.
    if (
        return_sensitivity
        or np.ndim(a) != 2
        or len(a) < 2
        or (weights is not None and np.isinf(weights).any())
    ):
        return None

    def composition(y, deviation, a, b, weights=_ONE):
        each = np.reshape(weights, (-1, 1))
        # The deviation is least: the rotation is moved without changing it.
        apart = a - b @ np.swapaxes(quaternions.matrix(y), -1, -2)
        square = np.sum(each * apart * apart)
        return quaternions.of_nearest(y, np.swapaxes(each * a, -1, -2) @ b), distances.root(square)

    return composition


rotation_rule(Rotation.mean, _mean, "self weights")
rotation_rule(Rotation.align_vectors, _alignment, "a b weights")

# --- Attributes --------------------------------------------------------------------------------------------

_CONSTANT = frozenset({"single", "shape"})


@frule.dispatch
def getattr_frule(tangents, f: typeof_(getattr), r: Rotation, name: str):
    return (getattr(primal_of(r), name), NO_TANGENT) if name in _CONSTANT else None


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), r: Rotation, name: str):
    return (getattr(primal_of(r), name), NonDifferentiablePullback(3)) if name in _CONSTANT else None


non_differentiable(Rotation.approx_equal)
