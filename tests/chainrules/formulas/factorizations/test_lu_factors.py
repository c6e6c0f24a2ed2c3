"""The derivatives of the LU decomposition."""

import numpy as np
import pytest

from chainrules.formulas.factorizations.lu_factors import pull_lu, push_lu
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (5, 3), (3, 5)])
def test_product_and_adjoint(rows, columns, dtype):
    """The tangent of the product is that of the matrix, and the cotangent is adjoint to it."""
    k = min(rows, columns)
    L = np.tril(normal(rows, k, dtype=dtype), -1) + np.eye(rows, k)
    U = np.triu(normal(k, columns, dtype=dtype, seed=1)) + 3 * np.eye(k, columns)
    D = normal(rows, columns, dtype=dtype, seed=2)
    L_dot, U_dot = push_lu(L, U, D)
    np.testing.assert_allclose(L_dot @ U + L @ U_dot, D, atol=1e-12)
    np.testing.assert_array_equal(L_dot, np.tril(L_dot, -1))
    np.testing.assert_array_equal(U_dot, np.triu(U_dot))
    L_bar, U_bar = normal(rows, k, dtype=dtype, seed=3), normal(k, columns, dtype=dtype, seed=4)
    zero = ZeroTangent()
    for bars in ((L_bar, U_bar), (L_bar, zero), (zero, U_bar)):
        expected = sum(
            np.vdot(bar, dot).real for bar, dot in zip(bars, (L_dot, U_dot), strict=True) if bar is not zero
        )
        np.testing.assert_allclose(np.vdot(pull_lu(L, U, *bars), D).real, expected)
    check_stacks(push_lu, L, U, D)
    check_stacks(pull_lu, L, U, L_bar, U_bar)


def test_singular_factor():
    """There is no derivative."""
    with pytest.raises(np.linalg.LinAlgError, match="have no derivative"):
        push_lu(np.eye(2), np.diag([1.0, 0.0]), np.eye(2))
