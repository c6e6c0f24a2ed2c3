"""The rules of `scipy.linalg.hessenberg`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import hessenberg

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
def test_hessenberg(n, dtype):
    """With the vectors, and without them; matrices with two rows stay as they are."""
    A = normal(n, n, dtype=dtype)
    if n:
        check_results(hessenberg, A, calc_q=True)
        check_rule(hessenberg, A)
    else:
        np.testing.assert_array_equal(rrule(hessenberg, A)[1](A)[1], A)


@stacks
def test_stacks():
    """Stacks of matrices."""
    check_results(hessenberg, normal(2, 4, 4), calc_q=True)


def test_functions_without_signs():
    """The trace of the square is that of the matrix; the vectors stay orthogonal."""
    A = normal(4, 4)
    np.testing.assert_allclose(
        grad(lambda A: np.trace(hessenberg(A) @ hessenberg(A)))(A), 2 * A.T, atol=1e-12
    )
    projection = grad(lambda A: np.sum((hessenberg(A, True)[1] @ hessenberg(A, True)[1].T)[0]))(A)
    np.testing.assert_allclose(projection, 0, atol=1e-12)


@pytest.mark.parametrize("A", [np.eye(3), np.zeros((3, 3)), np.kron(np.eye(2), normal(2, 2))])
def test_subdiagonals_that_are_zero(A):
    """There is no derivative, and it is not made up."""
    with pytest.raises(np.linalg.LinAlgError, match="subdiagonal is zero"):
        frule((NoTangent(), A), hessenberg, A)
    with pytest.raises(np.linalg.LinAlgError, match="subdiagonal is zero"):
        rrule(hessenberg, A)[1](A)


def test_constants():
    """Zeros stay zeros; either part may be one."""
    A, zero = normal(3, 3), ZeroTangent()
    (H, Q), pullback = rrule(hessenberg, A, True)
    np.testing.assert_allclose(
        pullback((H, zero))[1] + pullback((zero, Q))[1], pullback((H, Q))[1], atol=1e-12
    )
    assert pullback((zero, zero))[1] == zero
    assert frule((NoTangent(), zero), hessenberg, A)[1] == zero


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused."""
    check_memory_and_checks(hessenberg, normal(3, 3), calc_q=True)
