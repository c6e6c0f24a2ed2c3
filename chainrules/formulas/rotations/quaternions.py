"""Unit quaternions, scalar last, and the matrices, vectors and angles of the rotations that they are.

J. Diebel, "Representing Attitude: Euler Angles, Unit Quaternions, and Rotation Vectors" (2006). All functions
take stacks, along the axes before the last, and their arguments may be parts of a composition. A quaternion
and its negative are one rotation.
"""

from typing import Any

import numpy as np

from chainrules.formulas.calls.compositions import Part, value_of

# --- Constants -------------------------------------------------------------------------------------------

_SCALAR = np.eye(4)[3]
_OF_VECTOR = np.eye(3, 4)
_CONJUGATION = np.array([-1.0, -1.0, -1.0, 1.0])


def _product_of_plain(p: Any, q: Any) -> Any:
    return np.append(p[3] * q[:3] + q[3] * p[:3] + np.cross(p[:3], q[:3]), p[3] * q[3] - p[:3] @ q[:3])


# By the numbers of a pair of components: what the pair adds to a product, and to the matrix of a rotation.
_PRODUCTS = np.array([_product_of_plain(p, q) for p in np.eye(4) for q in np.eye(4)])
_TURNED = [
    [_product_of_plain(_product_of_plain(p, e), _CONJUGATION * q)[:3] for e in np.eye(4)[:3]]
    for p in np.eye(4)
    for q in np.eye(4)
]
_MATRICES = np.reshape(np.transpose(_TURNED, (0, 2, 1)), (16, 9))
# The matrix whose quadratic form is ``tr(Rᵀ M)``, from the elements of M.
_FORMS = np.transpose(_MATRICES)


def held_by(x: Any) -> Any:
    """What a part of a composition holds, which may be traced; anything else as it is."""
    return x.value if isinstance(x, Part) else x


# --- Products --------------------------------------------------------------------------------------------


def unit(q: Any) -> Any:
    """The quaternion of length one in the same direction."""
    return q / np.linalg.norm(q, None, -1, True)


def product(p: Any, q: Any) -> Any:
    """The rotation by `q`, and then by `p`."""
    return _pairs(p, q) @ _PRODUCTS


def conjugate(q: Any) -> Any:
    """The rotation back."""
    return q * _CONJUGATION


def matrix(q: Any) -> Any:
    """The matrix of a rotation."""
    return np.reshape(_pairs(q, q) @ _MATRICES, (*q.shape[:-1], 3, 3))


def _pairs(p: Any, q: Any) -> Any:
    pairs = p[..., np.newaxis] * q[..., np.newaxis, :]
    return np.reshape(pairs, (*pairs.shape[:-2], 16))


def joined(v: Any, w: Any) -> Any:
    """The quaternion of a vector and a scalar, which keeps its axis."""
    return v @ _OF_VECTOR + w * _SCALAR


def like(q: Any, y: Any) -> Any:
    """That one of a quaternion and its negative which is on the side of another."""
    return q * np.where(np.sum(value_of(q) * value_of(y), axis=-1, keepdims=True) < 0, -1.0, 1.0)


def upper(q: Any) -> Any:
    """That one whose scalar is not negative."""
    return q * np.where(value_of(q)[..., 3:] < 0, -1.0, 1.0)


# --- Vectors ---------------------------------------------------------------------------------------------

# Squares of sines and angles, below which there are series, so that higher derivatives are exact.
_SMALL = 1e-4


def of_vector(v: Any) -> Any:
    """The rotation about a vector by its length, ``exp(v / 2)``."""
    square = np.sum(v * v, axis=-1, keepdims=True)
    is_near = value_of(square) < _SMALL
    s, angle = np.where(is_near, square, 0.0), np.sqrt(np.where(is_near, 1.0, square))
    sine = 0.5 - s / 48.0 * (1.0 - s / 80.0 * (1.0 - s / 168.0))
    cosine = 1.0 - s / 8.0 * (1.0 - s / 48.0 * (1.0 - s / 120.0))
    ratio = np.where(is_near, sine, np.sin(0.5 * angle) / angle)
    return joined(ratio * v, np.where(is_near, cosine, np.cos(0.5 * angle)))


def vector_of(q: Any) -> Any:
    """The vector of a rotation, ``2 log q``, no longer than half a turn."""
    q = upper(q)
    v, w = q[..., :3], q[..., 3:]
    square = np.sum(v * v, axis=-1, keepdims=True)
    is_near = value_of(square) < _SMALL
    nearby = np.where(is_near, w, 1.0)
    t = np.where(is_near, square, 0.0) / (nearby * nearby)
    series = 2.0 / nearby * (1.0 - t * (1.0 / 3.0 - t * (1.0 / 5.0 - t * (1.0 / 7.0 - t / 9.0))))
    sine = np.sqrt(np.where(is_near, 1.0, square))
    return np.where(is_near, series, 2.0 * np.arctan2(sine, w) / sine) * v


def magnitude(q: Any) -> Any:
    """The angle of a rotation, at most half a turn."""
    return 2.0 * np.arctan2(np.linalg.norm(q[..., :3], None, -1), np.abs(q[..., 3]))


def of_parameters(m: Any) -> Any:
    """The rotation that has these modified Rodrigues parameters."""
    square = np.sum(m * m, axis=-1, keepdims=True)
    return joined(2.0 * m, 1.0 - square) / (1.0 + square)


def parameters_of(q: Any) -> Any:
    """Its modified Rodrigues parameters, no longer than one."""
    q = upper(q)
    return q[..., :3] / (1.0 + q[..., 3:])


def power(q: Any, n: Any) -> Any:
    """The rotation about the same axis by `n` times the angle."""
    return of_vector(n * vector_of(q))


# --- Angles ----------------------------------------------------------------------------------------------

# SciPy takes the first and the last axis for the same one then: half the angle between them is so small.
_LOCKED = 1e-7


def of_angles(axes: Any, angles: Any, extrinsic: bool) -> Any:
    """The rotation by angles about some axes, one after the other.

    Parameters
    ----------
    axes
        Unit vectors, along the last but one axis.
    angles
        As many, along the last axis.
    extrinsic
        Whether the axes stand still, or turn with what is rotated.
    """
    q = None
    for k in range(axes.shape[-2]):
        turn = joined(
            np.sin(0.5 * angles[..., k : k + 1]) * axes[..., k, :], np.cos(0.5 * angles[..., k : k + 1])
        )
        q = turn if q is None else product(turn, q) if extrinsic else product(q, turn)
    return q


def angles_of(y: Any, q: Any, axes: Any, extrinsic: bool) -> Any:
    """The angles `y` of a rotation about three axes, as one step of Newton's method from themselves.

    Where the first and the last axis coincide, the angles have no derivative, and NaN stands for it.
    """
    order = (2, 1, 0) if extrinsic else (0, 1, 2)
    held, before, columns = held_by(axes), _SCALAR, []
    for k in order:
        turned = np.sum(matrix(before) * held[..., k, np.newaxis, :], axis=-1)
        columns.append(np.broadcast_to(turned, (*y.shape[:-1], 3)))
        before = product(before, of_angles(held[..., k : k + 1, :], y[..., k : k + 1], extrinsic))
    by_order = np.stack(columns, axis=-1)
    is_locked = np.abs(np.linalg.det(value_of(by_order))) < _LOCKED
    jacobian = np.where(is_locked[..., np.newaxis, np.newaxis], np.nan, by_order)[..., np.argsort(order)]
    rest = like(product(q, conjugate(of_angles(axes, y, extrinsic))), _SCALAR)[..., :3]
    return y + np.linalg.solve(jacobian, 2.0 * rest[..., np.newaxis])[..., 0]


# --- The rotation nearest to a matrix --------------------------------------------------------------------


def of_nearest(y: Any, M: Any) -> Any:
    """The rotation `y` for which ``tr(Rᵀ M)`` is largest."""
    return largest_of_form(y, np.reshape(np.reshape(M, (*M.shape[:-2], 9)) @ _FORMS, (*M.shape[:-2], 4, 4)))


def largest_of_form(y: Any, K: Any) -> Any:
    """The unit vector `y` for which a quadratic form is largest, as one step of Newton's method from itself.

    J. R. Magnus, "On differentiating eigenvalues and eigenvectors", Econometric Theory 1 (1985).
    """
    K_held = held_by(K)
    K_held = 0.5 * (K_held + np.swapaxes(K_held, -1, -2))
    column, row = y[..., np.newaxis], y[..., np.newaxis, :]
    largest = row @ K_held @ column
    # With ``y yᵀ`` in the place of zero on the line of `y`, the matrix is regular.
    inverse = np.linalg.inv(K_held - largest * np.eye(4) + largest * column * row)
    image = 0.5 * ((K + np.swapaxes(K, -1, -2)) @ column)
    across = image - column * (row @ image)
    return y - (inverse @ across)[..., 0]


# By the largest of three diagonal elements and the trace: a multiple of the quaternion, from the elements.
_FROM_ORTHOGONAL = np.zeros((4, 4, 9))
_CONSTANTS = np.eye(4)
for _k in range(3):
    for _j in range(3):
        if _j != _k:
            _FROM_ORTHOGONAL[_k, _j, [3 * _j + _k, 3 * _k + _j]] = 1.0
            _FROM_ORTHOGONAL[_k, _k, 4 * _j] = -1.0
    _FROM_ORTHOGONAL[_k, _k, 4 * _k] = 1.0
    _next, _last = (_k + 1) % 3, (_k + 2) % 3
    for _case, _place in ((_k, 3), (3, _k)):
        _FROM_ORTHOGONAL[_case, _place, 3 * _last + _next] = 1.0
        _FROM_ORTHOGONAL[_case, _place, 3 * _next + _last] = -1.0
_FROM_ORTHOGONAL[3, 3, [0, 4, 8]] = 1.0


def of_orthogonal(M: Any) -> Any:
    """The quaternion of a matrix that is taken for a rotation, by the method of Shepperd."""
    diagonal = np.diagonal(value_of(M), axis1=-2, axis2=-1)
    choice = np.argmax(np.concatenate([diagonal, np.sum(diagonal, -1, keepdims=True)], -1), axis=-1)
    flat = np.reshape(M, (*M.shape[:-2], 9, 1))
    return unit((_FROM_ORTHOGONAL[choice] @ flat)[..., 0] + _CONSTANTS[choice])


def axes_of(sequence: str) -> tuple[Any, bool]:
    """The axes that letters name, and whether they stand still."""
    return np.eye(3)[["xyz".index(letter) for letter in sequence.lower()]], sequence.islower()


def unit_axes(axes: Any) -> Any:
    """Axes of length one, of which there may be a single one."""
    axes = axes if len(axes.shape) > 1 else axes[np.newaxis]
    return axes / np.linalg.norm(axes, None, -1, True)
