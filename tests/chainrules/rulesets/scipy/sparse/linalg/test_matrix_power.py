"""Integer powers of sparse matrices, by the function and by the operator of the older matrices."""

import operator

import numpy as np
import pytest
from scipy.sparse.linalg import matrix_power

from chainrules.ad import call, grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.sparse_cases import kinds, same_pattern, sparse

PATTERN = np.eye(4) + np.eye(4, k=1) + np.eye(4, k=-2)


@kinds
@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4])
def test_powers(n, format, kind):
    """The cotangent keeps the pattern of the matrix, whatever that of the power is."""
    A = sparse(format, kind, pattern=PATTERN)
    test_frule(matrix_power, A, n)
    test_rrule(matrix_power, A, n)
    if kind == "matrix":
        test_frule(operator.pow, A, n)
        test_rrule(operator.pow, A, n)


def test_complex_matrices():
    """The other factors are conjugated."""
    test_rrule(matrix_power, sparse(dtype=complex, pattern=PATTERN), 3)


def test_pattern():
    """It is that of the matrix."""
    A = sparse(pattern=PATTERN)
    y, pullback = rrule(matrix_power, A, 3)
    assert same_pattern(pullback(y)[1], A)


def test_zero_tangents():
    """They stay zeros; other exponents than integers are declined."""
    A = sparse(kind="matrix", pattern=PATTERN)
    assert frule((NoTangent(), ZeroTangent(), NoTangent()), matrix_power, A, 2)[1] is ZeroTangent()
    assert rrule(matrix_power, A, 2)[1](ZeroTangent())[1] is ZeroTangent()
    assert rrule(operator.pow, A, 2.0) is None
    assert frule((NoTangent(), A, NoTangent()), operator.pow, A, 2.0) is None


def test_rule_can_be_differentiated():
    """Second derivatives agree with those of the dense matrix, on the pattern."""
    A = sparse(pattern=PATTERN)

    def dense(A):
        return np.sum(grad(lambda A: np.sum(A @ A @ A))(A) * (PATTERN != 0))

    second = grad(lambda A: np.sum(grad(lambda A: np.sum(call(matrix_power, A, 3)))(A)))(A)
    np.testing.assert_allclose(second.toarray(), grad(dense)(A.toarray()) * (PATTERN != 0))


def test_elements_that_cancel():
    """Where an element of a power is zero by chance, it still moves."""
    f = lambda x: matrix_power(sparse("csr", pattern=np.eye(4)) * x, 2).sum()  # noqa: E731 - one expression
    assert grad(grad(f))(0.0) > 0.0
