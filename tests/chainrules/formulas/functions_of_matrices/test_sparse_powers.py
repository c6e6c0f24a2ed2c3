"""Both modes of powers of sparse matrices, against differences of dense ones."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import matrix_power

from chainrules.formulas.functions_of_matrices.sparse_powers import pull_matrix_power, push_matrix_power
from chainrules_core import NoTangent, ZeroTangent
from tests.chainrules.rule_checks import normal

PATTERN = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
A = PATTERN * (normal(3, 3) + 1j * normal(3, 3, seed=1))
A_DOT = PATTERN * normal(3, 3, seed=2)
STEP = 1e-6


@pytest.mark.parametrize("n", [1, 2, 3, np.int64(5)])
def test_both_modes(n):
    """The tangent is the derivative in its direction, and the cotangent its adjoint on the pattern."""
    power = np.linalg.matrix_power
    expected = (power(A + STEP * A_DOT, n) - power(A - STEP * A_DOT, n)) / (2 * STEP)
    _, y_dot = push_matrix_power((NoTangent(), csr_array(A_DOT)), matrix_power, csr_array(A), n)
    y, pullback = pull_matrix_power(matrix_power, csr_array(A), n)
    y_bar = normal(3, 3, seed=3)
    A_bar = pullback(csr_array(y_bar))[1].toarray()

    np.testing.assert_allclose(y.toarray(), power(A, n))
    np.testing.assert_allclose(y_dot.toarray(), expected, rtol=1e-7)
    np.testing.assert_allclose(np.vdot(A_bar, A_DOT).real, np.vdot(y_bar, expected).real, rtol=1e-7)
    assert not np.any(A_bar[PATTERN == 0])


def test_no_power():
    """The power 0 is constant; a number that is no integer is not a power of a matrix."""
    assert (
        push_matrix_power((NoTangent(), csr_array(A_DOT)), matrix_power, csr_array(A), 0)[1] == ZeroTangent()
    )
    assert pull_matrix_power(matrix_power, csr_array(A), 0)[1](csr_array(A))[1] == ZeroTangent()
    assert push_matrix_power((NoTangent(), csr_array(A_DOT)), matrix_power, csr_array(A), 0.5) is None
    assert pull_matrix_power(matrix_power, csr_array(A), 0.5) is None
