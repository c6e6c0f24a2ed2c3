"""The rules of the Sylvester equation, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, positive_definite, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_solution(dtype):
    """By both matrices, which may be of different size, and by the right side."""
    check_rule(
        solve_sylvester, regular(3, 3, dtype=dtype), regular(2, 2, dtype=dtype), normal(3, 2, dtype=dtype)
    )


def test_mixed_kinds():
    """The cotangent of a real matrix is real beside a complex one; SciPy wants real eigenvalues there."""
    check_rule(solve_sylvester, positive_definite(2, 2), regular(2, 2, dtype=complex), normal(2, 2))


def test_constants():
    """Zero tangents stay zero, together and beside others."""
    A, B, Q = regular(2, 2), regular(2, 2, seed=1), normal(2, 2)
    zero, E = ZeroTangent(), normal(2, 2, seed=3)

    assert frule((NoTangent(), zero, zero, zero), solve_sylvester, A, B, Q)[1] == zero
    X_dot = frule((NoTangent(), zero, zero, E), solve_sylvester, A, B, Q)[1]
    np.testing.assert_allclose(X_dot, solve_sylvester(A, B, E))
