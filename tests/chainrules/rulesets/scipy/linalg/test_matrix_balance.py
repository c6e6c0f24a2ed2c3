"""The rules of balanced matrices, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import matrix_balance

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks

# Its last row can be permuted to be isolated, and the others have to be scaled.
A = np.array([[1.0, 100.0, 3.0], [0.01, 2.0, 0.3], [0.0, 0.0, 5.0]])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("named", [{}, {"permute": False}, {"scale": False}])
def test_balanced_matrix(named, dtype):
    """The transformation is constant."""
    check_results(matrix_balance, A + 0.1 * normal(3, 3, dtype=dtype), **named)


def test_scales_and_permutation():
    """Separate, they are constant too; they move the cotangent as the matrix does."""
    (B, (scales, order)), pullback = rrule(matrix_balance, A, True, True, True)
    y, y_dot = frule((NoTangent(), A), matrix_balance, A, separate=True, overwrite_a=True)
    np.testing.assert_array_equal(y_dot[0], B)
    assert tuple(y_dot[1]) == (ZeroTangent(), NoTangent())
    np.testing.assert_array_equal(y[1][0], scales)
    np.testing.assert_array_equal(y[1][1], order)
    np.testing.assert_allclose(pullback((B, ZeroTangent()))[1], rrule(matrix_balance, A)[1]((B, 0 * B))[1])


def test_constants():
    """Zeros stay zero, in both modes."""
    zero = ZeroTangent()

    assert frule((NoTangent(), zero), matrix_balance, A)[1] == zero
    assert rrule(matrix_balance, A)[1]((zero, zero))[1] == zero


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(matrix_balance, normal(3, 3))
