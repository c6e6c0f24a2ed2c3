"""Rigid motions as matrices."""

import numpy as np

from chainrules.formulas.calls.compositions import push_composition
from chainrules.formulas.rotations import rigid_motions

rng = np.random.default_rng(1)


def test_coordinates():
    """Coordinates are those of the motion that they make, near the identity too."""
    for scale in (1e-5, 0.05, 1.0):
        x = scale * rng.normal(size=(3, 6))
        M = rigid_motions.of_coordinates(x)
        assert rigid_motions.is_rigid(M)
        back = rigid_motions.coordinates_of(M, rigid_motions.quaternion(M))
        np.testing.assert_allclose(back, x, rtol=1e-9, atol=1e-15)


def test_dual_quaternions():
    """A motion is that of its dual quaternion, and what leads out of the motions is dropped."""
    M = rigid_motions.of_coordinates(rng.normal(size=6))
    p = rigid_motions.dual_quaternion_of(M, rigid_motions.quaternion(M))
    np.testing.assert_allclose(rigid_motions.of_dual_quaternion(p), M, atol=1e-14)
    np.testing.assert_allclose(rigid_motions.rigid(M), M, atol=1e-14)
    np.testing.assert_allclose(rigid_motions.inverse(M) @ M, np.eye(4), atol=1e-14)
    stretched = M @ np.diag([1.001, 1.0, 1.0, 1.0])
    assert rigid_motions.is_rigid(M)
    assert not rigid_motions.is_rigid(stretched)
    # A step of the iteration squares the error.
    assert np.abs(rigid_motions.rigid(stretched)[:3, :3] - M[:3, :3]).max() < 1e-5


def test_tangents_of_matrices_that_are_almost_rigid():
    """They are those of the nearest rotation, up to three times the distance of the matrix from rotations."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        M, V = np.eye(4), np.zeros((4, 4))
        M[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0] + 1e-7 * rng.normal(size=(3, 3))
        V[:3, :3] = rng.normal(size=(3, 3))
        R, W = M[:3, :3], V[:3, :3]
        U, s, Vt = np.linalg.svd(R)
        turned = U.T @ W @ Vt.T
        exact = U @ ((turned - turned.T) / (s[:, None] + s)) @ Vt  # of the polar factor U Vᵀ
        found = rigid_motions.rotation(push_composition(rigid_motions.rigid, [M], [V]))
        distance = np.max(np.abs(R.T @ R - np.eye(3)))
        assert np.linalg.norm(found - exact) <= 3.0 * distance * np.linalg.norm(W)
