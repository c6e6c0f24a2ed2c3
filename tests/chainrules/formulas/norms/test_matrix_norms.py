"""Tests of the gradients of matrix norms; those of every order are tests of `numpy.linalg.norm`."""

import numpy as np
import pytest

from chainrules.formulas.norms.matrix_norms import matrix_norm_pulled
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("order", ["fro", "nuc", 1, 2, -2, np.inf])
def test_gradients_are_in_the_dual_unit_ball(order):
    """``⟨gradient, A⟩`` is the norm itself, since a norm is homogeneous; likewise along other axes."""
    A = normal(3, 2)
    y = np.linalg.norm(A, order, keepdims=True, axis=(0, 1))

    gradient = matrix_norm_pulled(A, y, 1, order, (0, 1))

    np.testing.assert_allclose(np.sum(gradient * A), y.item())
    np.testing.assert_allclose(matrix_norm_pulled(A.T, y, 1, order, (1, 0)), gradient.T)
    stack = np.stack([[A], [2.0 * A]])
    y_of_each = np.linalg.norm(stack, order, keepdims=True, axis=(2, 3))
    of_each = matrix_norm_pulled(stack, y_of_each, 1, order, (2, 3))
    np.testing.assert_allclose(of_each, np.stack([[gradient], [gradient]]))
    np.testing.assert_allclose(matrix_norm_pulled(A, y, 2 * y, order, (0, 1)), 2 * y * gradient)
