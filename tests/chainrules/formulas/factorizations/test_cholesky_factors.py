"""The derivatives of the Cholesky decomposition: one is the adjoint of the other."""

import numpy as np
import pytest

from chainrules.formulas.factorizations.cholesky_factors import pull_cholesky, push_cholesky
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import positive_definite


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("is_lower", [False, True])
def test_product_and_adjoint(is_lower, dtype):
    """The tangent of the product is that of the matrix, and the cotangent is adjoint to it."""
    A, A_dot = positive_definite(3, 3, dtype=dtype), normal(3, 3, dtype=dtype)
    A_dot = A_dot + A_dot.conj().T
    L = np.linalg.cholesky(A)
    y = L if is_lower else L.conj().T
    y_dot = push_cholesky(y, A_dot, is_lower)
    L_dot = y_dot if is_lower else y_dot.conj().T
    np.testing.assert_allclose(L_dot @ L.conj().T + L @ L_dot.conj().T, A_dot, atol=1e-13)
    np.testing.assert_array_equal(L_dot, np.tril(L_dot))
    y_bar = normal(3, 3, dtype=dtype, seed=1)
    A_bar = pull_cholesky(y, y_bar, is_lower)
    np.testing.assert_allclose(np.vdot(A_bar, A_dot).real, np.vdot(y_bar, y_dot).real)
