"""The rules of `scipy.linalg.ldl`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import ldl

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


def indefinite(n, dtype=np.float64, main=0.0):
    """A matrix of whose triangles one is read, with a real diagonal."""
    A = normal(n, n, dtype=dtype)
    return A - np.diag(np.diag(A)) + main * np.diag(np.arange(n))


# Differences move the imaginary parts of the diagonal too, and SciPy warns that it does not look at them.
@pytest.mark.filterwarnings("ignore:scipy.linalg.ldl")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("hermitian", [False, True])
@pytest.mark.parametrize("lower", [False, True])
def test_ldl(lower, hermitian, dtype):
    """Blocks of two rows and of one, from either triangle; Hermitian and complex symmetric matrices."""
    for A in (indefinite(4, dtype), indefinite(3, dtype, 5.0)):
        check_results(ldl, A, lower=lower, hermitian=hermitian)


def test_small_matrices():
    """One number, and none."""
    check_results(ldl, np.array([[-2.0]]))
    check_results(ldl, np.zeros((0, 0)))


@stacks
def test_stacks():
    """Stacks of matrices, each with its own order."""
    check_results(ldl, np.stack((indefinite(3), indefinite(3, main=5.0))))


def test_singular_matrix():
    """There is no derivative, and it is not made up."""
    _, pullback = rrule(ldl, np.zeros((2, 2)))
    with pytest.raises(np.linalg.LinAlgError):
        pullback((np.eye(2), ZeroTangent(), NoTangent()))


def test_options_and_constants():
    """Options by position; what may be overwritten is not; zeros stay zeros."""
    A, zero = np.asfortranarray(indefinite(3)), ZeroTangent()
    before = A.copy()
    _, pullback = rrule(ldl, A, True, True, True)
    assert pullback((zero, zero, NoTangent()))[1] == zero
    assert len(pullback(zero)) == 5
    np.testing.assert_array_equal(A, before)
    assert frule((NoTangent(), zero), ldl, A)[1] == zero
    gradient = grad(lambda A: np.linalg.det(ldl(A)[1]))(A)
    symmetric = np.tril(A) + np.tril(A, -1).T
    whole = np.linalg.det(symmetric) * np.linalg.inv(symmetric)
    np.testing.assert_allclose(gradient, np.tril(2 * whole) - np.diag(np.diag(whole)), atol=1e-12)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(ldl, indefinite(3))
    check_memory_and_checks(ldl, indefinite(3, complex))
