"""Perturbations of eigenvectors, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.formulas.spectra.perturbed_eigenvectors import perturbation

DIAGONAL = np.diag([0.0, 1.0, 4.0, 9.0])
BESIDE = np.eye(4, k=1) + np.eye(4, k=-1)


def eigenpair(t, index):
    """The eigenvalue, and the eigenvector with a sign that does not jump."""
    values, vectors = np.linalg.eigh(DIAGONAL + t * BESIDE)
    vector = vectors[:, index]
    return values[index], vector * np.sign(vector[index])


@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("t", [0.0, 0.7, -3.0])
def test_slopes(index, t):
    """Of each eigenvalue and its eigenvector."""
    moved, h = perturbation(DIAGONAL, BESIDE, np.array(t), np.array(index)), 1e-5
    value, vector = eigenpair(t, index)
    (above, vector_above), (below, vector_below) = eigenpair(t + h, index), eigenpair(t - h, index)
    sign = np.sign(moved.vector @ vector)
    np.testing.assert_allclose(DIAGONAL @ vector + t * BESIDE @ vector, value * vector, atol=1e-12)
    np.testing.assert_allclose(sign * moved.vector, vector, atol=1e-14)
    np.testing.assert_allclose(moved.value_slope, (above - below) / (2 * h), atol=1e-9)
    np.testing.assert_allclose(sign * moved.vector_slope, (vector_above - vector_below) / (2 * h), atol=1e-9)


def test_stacks():
    """Of several numbers at once, each with its own eigenvalue."""
    t, index = np.array([[0.5, -1.0]]), np.array([[2, 0]])
    moved = perturbation(np.broadcast_to(DIAGONAL, (1, 2, 4, 4)), BESIDE, t, index)
    for place in (0, 1):
        alone = perturbation(DIAGONAL, BESIDE, t[0, place], index[0, place])
        np.testing.assert_allclose(moved.value_slope[0, place], alone.value_slope)
        np.testing.assert_allclose(np.abs(moved.vector_slope[0, place]), np.abs(alone.vector_slope))


def test_second_derivative():
    """At ``t = 0`` of the lowest eigenvalue it is ``-2 / (1 - 0)``."""

    def slope(t):
        return perturbation(DIAGONAL, BESIDE, t, np.array(0)).value_slope

    assert grad(slope)(np.array(0.0)) == pytest.approx(-2.0)
