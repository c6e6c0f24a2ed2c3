"""Linear systems with triangular matrices, against `numpy.linalg.solve`."""

import numpy as np
import pytest

from chainrules.operations.triangular_systems import solve_lower
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("by_adjoint", [False, True])
@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1)), ((0, 0), (0, 2)), ((2, 2, 2), (2, 1)), ((2, 2), (2, 2, 1))],
)
def test_solve_lower(left, right, by_adjoint, dtype):
    """Of triangular matrices and of their adjoints, in every precision."""
    A, B = regular(*left, dtype=dtype), normal(*right, dtype=dtype, seed=1)
    L = np.tril(A)

    for kind in (dtype, np.float32 if dtype is np.float64 else np.complex64):
        expected = np.linalg.solve(np.conj(np.swapaxes(L, -1, -2)) if by_adjoint else L, B)
        actual = solve_lower(A.astype(kind), B.astype(kind), by_adjoint)
        np.testing.assert_allclose(actual, expected, rtol=1e-5)
    check_rule(solve_lower, A, B, by_adjoint)
    if not by_adjoint:
        check_rule(solve_lower, A, B)
