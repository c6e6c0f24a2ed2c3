"""Random matrices that most functions take."""

import numpy as np
import pytest

from chainrules.adapters.example_matrices import positive_definite


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (1, 2, 3, 3), (0, 2, 2), (0, 0)])
def test_square_matrices(shape):
    """They become symmetric and positive definite, all of a stack, whatever the signs of the numbers."""
    A = positive_definite(np.random.default_rng(0).uniform(-1.0, 1.0, shape))

    assert A.shape == shape
    np.testing.assert_array_equal(A, np.swapaxes(A, -1, -2))
    assert (np.linalg.eigvalsh(A) > 0.0).all()
    assert (np.abs(A - shape[-1] * np.eye(shape[-1])) <= 1.0).all()


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (3, 3, 2), (0, 1)])
def test_other_arrays(shape):
    """They stay as they are."""
    x = np.ones(shape)

    assert positive_definite(x) is x
