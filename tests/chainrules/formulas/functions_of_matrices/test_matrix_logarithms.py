"""The derivative of the logarithm of matrices, by the divided differences of its eigenvalues."""

import numpy as np
import pytest

from chainrules.formulas.functions_of_matrices.matrix_logarithms import derivative_of_logarithm
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize(
    "eigenvalues", [[0.9, 1.0, 1.1], [0.05, 1.0, 20.0], [-2.0, 0.5, 3.0], [-2.0 + 1j, 0.5, 3.0 - 1j]]
)
def test_derivative_of_the_logarithm(eigenvalues):
    """In the basis of the eigenvectors each element is multiplied by a divided difference."""
    w = np.array(eigenvalues, dtype=complex)
    V, E = normal(3, 3) + 3 * np.eye(3), normal(3, 3, seed=1)
    gaps = w[:, np.newaxis] - w
    logarithms = np.log(w)[:, np.newaxis] - np.log(w)
    quotients = np.where(gaps == 0, 1 / w, logarithms / np.where(gaps == 0, 1, gaps))
    expected = V @ (quotients * (np.linalg.inv(V) @ E @ V)) @ np.linalg.inv(V)

    # A complex matrix would have its negative eigenvalue on either side of the cut, as rounding has it.
    w = np.real_if_close(w)
    actual = derivative_of_logarithm(V @ np.diag(w) @ np.linalg.inv(V), E)

    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
