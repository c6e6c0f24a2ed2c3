"""The rules of the discrete Lyapunov equation, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_discrete_lyapunov

from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_solution(dtype):
    """By the matrix and by the right side, which need not be Hermitian."""
    check_rule(solve_discrete_lyapunov, regular(3, 3, dtype=dtype) / 10, normal(3, 3, dtype=dtype))


@pytest.mark.parametrize("dtypes", [(float, complex), (complex, float)])
def test_mixed_kinds(dtypes):
    """The cotangent of a real matrix is real beside a complex one; SciPy wants real eigenvalues there."""
    A, Q = positive_definite(2, 2, dtype=dtypes[0]) / 10, normal(2, 2, dtype=dtypes[1])
    check_rule(solve_discrete_lyapunov, A, Q)


@pytest.mark.parametrize("method", ["direct", "bilinear"])
def test_methods(method):
    """By position and by name; the cotangents are computed by the same method."""
    A, Q = regular(2, 2) / 10, normal(2, 2)
    check_rule(solve_discrete_lyapunov, A, Q, method)
    check_rule(solve_discrete_lyapunov, A, Q, method=method)


def test_constants():
    """Zero tangents stay zero, together and beside others."""
    A, Q, E = regular(2, 2) / 10, normal(2, 2), normal(2, 2, seed=3)
    zero = ZeroTangent()

    assert frule((NoTangent(), zero, zero), solve_discrete_lyapunov, A, Q)[1] == zero
    X_dot = frule((NoTangent(), zero, E), solve_discrete_lyapunov, A, Q)[1]
    np.testing.assert_allclose(X_dot, solve_discrete_lyapunov(A, E))
