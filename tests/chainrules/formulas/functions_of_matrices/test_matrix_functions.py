"""The derivative of matrix functions by blocks, against the product rule."""

import numpy as np
import pytest

from chainrules.formulas.functions_of_matrices.matrix_functions import block_upper, derivative_by_blocks
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize("shape", [(3, 3), (2, 3, 3), (4, 1, 2, 2), (0, 2, 2), (0, 0), (1, 1)])
def test_derivative_of_a_square(shape):
    """That of the square is ``A E + E A``, for stacks and matrices without elements too."""
    A, E = normal(*shape), normal(*shape, seed=1)

    np.testing.assert_allclose(derivative_by_blocks(lambda X: X @ X, A, E), A @ E + E @ A)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_directions_of_any_size(size):
    """A direction much larger or smaller than the matrix is scaled first, and zero is no direction."""
    A, E = normal(2, 2), normal(2, 2, seed=1)
    largest = []

    def square(X):
        largest.append(np.abs(X).max())
        return X @ X

    np.testing.assert_allclose(derivative_by_blocks(square, A, size * E), size * (A @ E + E @ A))
    np.testing.assert_array_equal(derivative_by_blocks(square, A, 0 * E), 0 * E)
    np.testing.assert_array_equal(derivative_by_blocks(square, 0 * A, E), 0 * E)
    assert max(largest) < 10


def test_blocks():
    """The matrix stands twice on the diagonal."""
    np.testing.assert_array_equal(block_upper(np.eye(1), 2 * np.eye(1)), [[1.0, 2.0], [0.0, 1.0]])
