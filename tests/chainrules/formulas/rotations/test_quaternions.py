"""Rotations by quaternions, against SciPy's."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chainrules.formulas.rotations import quaternions

rng = np.random.default_rng(1)
P, Q = Rotation.from_rotvec(rng.normal(size=(2, 5, 3))[0]), Rotation.from_rotvec(rng.normal(size=(5, 3)))
p, q = P.as_quat(), Q.as_quat()


def assert_same(x, r):
    """Assert that quaternions are those of rotations, up to signs."""
    np.testing.assert_allclose(quaternions.like(x, r.as_quat()), r.as_quat(), atol=1e-14)


def test_products():
    """Products, inverses, powers and matrices."""
    assert_same(quaternions.product(p, q), P * Q)
    assert_same(quaternions.conjugate(q), Q.inv())
    assert_same(quaternions.power(q, 2), Q**2)
    assert_same(quaternions.unit(3.0 * q), Q)
    np.testing.assert_allclose(quaternions.matrix(q), Q.as_matrix(), atol=1e-14)


@pytest.mark.parametrize("size", [1.0, 1e-2, 1e-3, 0.0])
def test_vectors(size):
    """Vectors, also short ones."""
    v = size * rng.normal(size=(5, 3))
    r = Rotation.from_rotvec(v)
    assert_same(quaternions.of_vector(v), r)
    np.testing.assert_allclose(quaternions.vector_of(-r.as_quat()), v, atol=1e-15)
    np.testing.assert_allclose(quaternions.magnitude(r.as_quat()), r.magnitude(), atol=1e-14)
    np.testing.assert_allclose(quaternions.parameters_of(r.as_quat()), r.as_mrp(), atol=1e-15)
    assert_same(quaternions.of_parameters(r.as_mrp()), r)


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zxz", "YXY"])
def test_angles(sequence):
    """Angles about axes, of which a step of Newton's method leads to those of a rotation nearby."""
    angles, (axes, extrinsic) = Q.as_euler(sequence), quaternions.axes_of(sequence)
    assert_same(quaternions.of_angles(axes, angles, extrinsic), Q)
    nearby = Rotation.from_rotvec([1e-6, 2e-6, -1e-6]) * Q
    moved = quaternions.angles_of(angles, nearby.as_quat(), axes, extrinsic)
    np.testing.assert_allclose(moved, nearby.as_euler(sequence), atol=1e-9)
    np.testing.assert_allclose(quaternions.unit_axes(2.0 * axes), axes)
    np.testing.assert_allclose(quaternions.unit_axes(2.0 * axes[0]), axes[:1])


def test_matrices():
    """The rotation nearest to a matrix, and the one that a matrix is taken for."""
    M = Q.as_matrix()
    assert_same(quaternions.of_nearest(q, M), Q)
    assert_same(quaternions.of_orthogonal(M), Q)
    nearby = Rotation.from_rotvec([1e-6, 2e-6, -1e-6]) * Q
    moved = quaternions.of_nearest(q, nearby.as_matrix() + 1e-6 * M)
    np.testing.assert_allclose(moved, nearby.as_quat(), atol=1e-10)
    for turn in np.eye(4):  # half a turn about each axis, and none
        r = Rotation.from_quat(turn)
        assert_same(quaternions.of_orthogonal(r.as_matrix()), r)
