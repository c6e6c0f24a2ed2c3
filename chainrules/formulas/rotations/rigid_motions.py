"""Rigid motions as matrices of four rows: a rotation, a translation and the row ``[0, 0, 0, 1]``.

R. M. Murray, Z. Li and S. S. Sastry, "A Mathematical Introduction to Robotic Manipulation" (1994), chapter 2;
the exponential coordinates: J. L. Blanco, "A tutorial on SE(3) transformation parameterizations" (2010). All
functions take stacks, along the axes before the last ones, and their arguments may be parts of a composition.
"""

from typing import Any

import numpy as np

from chainrules.formulas.calls.compositions import value_of
from chainrules.formulas.rotations import quaternions

_UPPER, _LAST = np.eye(4, 3), np.eye(4)[3]
_CORNER = np.outer(_LAST, _LAST)

# Squares of angles, below which there are series, so that higher derivatives are exact.
_SMALL = 0.01
# The coefficients of ``(1 - cos θ) / θ²``, of ``(θ - sin θ) / θ³``, and of ``(1 - θ/2 cot(θ/2)) / θ²``.
_OF_CROSS = (1 / 2, -1 / 24, 1 / 720, -1 / 40320, 1 / 3628800)
_OF_SQUARE = (1 / 6, -1 / 120, 1 / 5040, -1 / 362880, 1 / 39916800)
_OF_INVERSE = (1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160)


def rotation(M: Any) -> Any:
    """The matrix of the rotation."""
    return M[..., :3, :3]


def translation(M: Any) -> Any:
    """The vector by which the origin is moved."""
    return M[..., :3, 3]


def joined(R: Any, v: Any) -> Any:
    """The rigid motion by a rotation, and then a translation."""
    return _UPPER @ R @ _UPPER.T + (_UPPER @ v[..., np.newaxis]) * _LAST + _CORNER


def of_translation(v: Any) -> Any:
    """The motion without a rotation."""
    return (_UPPER @ v[..., np.newaxis]) * _LAST + np.eye(4)


def of_rotation(q: Any) -> Any:
    """The motion that keeps the origin."""
    return _UPPER @ quaternions.matrix(q) @ _UPPER.T + _CORNER


def rigid(M: Any) -> Any:
    """The rigid motion that a matrix is; a tangent of it loses what leads out of the rigid motions.

    A step of the iteration of Newton and Schulz for the orthogonal polar factor.
    """
    R = rotation(M)
    return joined(1.5 * R - 0.5 * R @ (np.swapaxes(R, -1, -2) @ R), translation(M))


# How far ``RᵀR`` may be from the identity. What `rigid` makes of a tangent of `R` is then wrong by at most
# three times as much, as a part of it: one step of the iteration is exact to the first order at rotations
# alone. Rotations that were written with seven digits still are some.
_ROUNDED = 1e-6


def is_rigid(M: Any) -> bool:
    """Whether a matrix is a rigid motion, up to rounding."""
    R = rotation(M)
    return np.allclose(np.swapaxes(R, -1, -2) @ R, np.eye(3), rtol=0.0, atol=_ROUNDED)


def quaternion(M: Any) -> Any:
    """The quaternion of the rotation, on one of its sides."""
    return quaternions.of_orthogonal(rotation(M))


def inverse(M: Any) -> Any:
    """The motion back."""
    back = np.swapaxes(rotation(M), -1, -2)
    return joined(back, -(back @ translation(M)[..., np.newaxis])[..., 0])


def _side_by_side(x: Any, y: Any) -> Any:
    """Two vectors of one length as one: no list, in which parts of a composition would not be seen."""
    n = x.shape[-1]
    return x @ np.eye(n, 2 * n) + y @ np.eye(n, 2 * n, n)


# --- Exponential coordinates -----------------------------------------------------------------------------


def _shares(w: Any, *of: Any) -> list[Any]:
    """Functions of the angle of a vector, each by a series in its square and by a formula beyond."""
    square = np.sum(w * w, axis=-1, keepdims=True)
    is_near = value_of(square) < _SMALL
    s, angle = np.where(is_near, square, 0.0), np.sqrt(np.where(is_near, 1.0, square))
    shares = []
    for coefficients, formula in of:
        series = 0.0
        for coefficient in reversed(coefficients):
            series = series * s + coefficient
        shares.append(np.where(is_near, series, formula(angle)))
    return shares


def of_coordinates(x: Any) -> Any:
    """The motion along a screw: the exponential function of a rotation vector and a velocity."""
    w, v = x[..., :3], x[..., 3:]
    across, twice = _shares(
        w,
        (_OF_CROSS, lambda angle: 2.0 * np.square(np.sin(0.5 * angle) / angle)),
        (_OF_SQUARE, lambda angle: (angle - np.sin(angle)) / (angle * angle * angle)),
    )
    wv = np.cross(w, v)
    return joined(quaternions.matrix(quaternions.of_vector(w)), v + across * wv + twice * np.cross(w, wv))


def coordinates_of(M: Any, q: Any) -> Any:
    """The exponential coordinates of a motion with the quaternion `q`."""
    w, t = quaternions.vector_of(q), translation(M)
    (twice,) = _shares(
        w, (_OF_INVERSE, lambda angle: (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / (angle * angle))
    )
    wt = np.cross(w, t)
    return _side_by_side(w, t - 0.5 * wt + twice * np.cross(w, wt))


# --- Dual quaternions ------------------------------------------------------------------------------------


def of_dual_quaternion(p: Any) -> Any:
    """The motion of a dual quaternion, the real part of which is made one of length one."""
    real, dual = p[..., :4], p[..., 4:]
    length = np.linalg.norm(real, None, -1, True)
    q, dual = real / length, dual / length
    dual = dual - np.sum(q * dual, axis=-1, keepdims=True) * q
    return joined(quaternions.matrix(q), 2.0 * quaternions.product(dual, quaternions.conjugate(q))[..., :3])


def dual_quaternion_of(M: Any, q: Any) -> Any:
    """The dual quaternion of a motion with the quaternion `q`."""
    v = translation(M) @ np.eye(3, 4)
    return _side_by_side(q, 0.5 * quaternions.product(v, q))
