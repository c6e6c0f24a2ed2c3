"""The rules of the continuous Lyapunov equation, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_continuous_lyapunov

from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_solution(dtype):
    """By the matrix and by the right side, which need not be Hermitian."""
    check_rule(solve_continuous_lyapunov, regular(3, 3, dtype=dtype), normal(3, 3, dtype=dtype))


@pytest.mark.parametrize("dtypes", [(float, complex), (complex, float)])
def test_mixed_kinds(dtypes):
    """The cotangent of a real matrix is real beside a complex one; SciPy wants real eigenvalues there."""
    A, Q = positive_definite(2, 2, dtype=dtypes[0]), normal(2, 2, dtype=dtypes[1])
    check_rule(solve_continuous_lyapunov, A, Q)


def test_constants():
    """Zero tangents stay zero, together and beside others."""
    A, Q, E = regular(2, 2), normal(2, 2), normal(2, 2, seed=3)
    zero = ZeroTangent()

    assert frule((NoTangent(), zero, zero), solve_continuous_lyapunov, A, Q)[1] == zero
    X_dot = frule((NoTangent(), zero, E), solve_continuous_lyapunov, A, Q)[1]
    np.testing.assert_allclose(X_dot, solve_continuous_lyapunov(A, E))
