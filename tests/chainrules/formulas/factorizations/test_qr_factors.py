"""The derivatives of the QR decomposition."""

import functools

import numpy as np
import pytest

from chainrules.formulas.factorizations.qr_factors import pull_qr, push_qr
from chainrules_core import ZeroTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.stack_checks import check_stacks


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 2), (2, 4)])
def test_product_and_adjoint(rows, columns, dtype):
    """The tangent of the product is that of the matrix, and the cotangent is adjoint to it."""
    A, A_dot = normal(rows, columns, dtype=dtype), normal(rows, columns, dtype=dtype, seed=1)
    Q, R = np.linalg.qr(A)
    Q_dot, R_dot = push_qr(Q, R, A, A_dot)
    np.testing.assert_allclose(Q_dot @ R + Q @ R_dot, A_dot, atol=1e-12)
    Q_bar, R_bar = normal(*Q.shape, dtype=dtype, seed=2), normal(*R.shape, dtype=dtype, seed=3)
    expected = np.vdot(Q_bar, Q_dot).real + np.vdot(R_bar, R_dot).real
    np.testing.assert_allclose(np.vdot(pull_qr("qr", Q, R, A, Q_bar, R_bar), A_dot).real, expected)
    zero = ZeroTangent()
    assert pull_qr("qr", Q, R, A, zero, zero) == zero
    check_stacks(push_qr, Q, R, A, A_dot)
    check_stacks(functools.partial(pull_qr, "qr"), Q, R, A, Q_bar, R_bar)


def test_complete_r_beside_a_reduced_q():
    """The rows of zeros stay zeros."""
    A, A_dot = normal(4, 2), normal(4, 2, seed=1)
    Q, R = np.linalg.qr(A)
    R_dot = push_qr(Q, np.concatenate((R, np.zeros((2, 2)))), A, A_dot)[1]
    np.testing.assert_allclose(R_dot[:2], push_qr(Q, R, A, A_dot)[1])
    np.testing.assert_array_equal(R_dot[2:], 0)


def test_complete_q_beside_a_complete_r():
    """The columns that complete the basis stay orthogonal to the others."""
    A, A_dot = normal(4, 2), normal(4, 2, seed=1)
    Q, R = np.linalg.qr(A, "complete")
    Q_dot, R_dot = push_qr(Q, R, A, A_dot)
    np.testing.assert_allclose(Q_dot @ R + Q @ R_dot, A_dot, atol=1e-12)
    np.testing.assert_allclose(Q_dot.T @ Q + Q.T @ Q_dot, 0, atol=1e-12)
    check_stacks(push_qr, Q, R, A, A_dot)


def test_refusal_has_the_name():
    """Of the decomposition whose basis is completed by an arbitrary choice."""
    A = normal(4, 2)
    Q, R = np.linalg.qr(A, "complete")
    with pytest.raises(ValueError, match=r"my\.qr has no derivative"):
        pull_qr("my.qr", Q, R, A, normal(4, 4, seed=1), ZeroTangent())
