"""The rules of Cholesky decompositions of SciPy, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import cho_factor, cholesky

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results, positive_definite
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", [(3, 3), (1, 1), (0, 0)])
def test_either_triangle(shape, lower, dtype):
    """One triangle is read, whatever is in the other one, which `cho_factor` returns."""
    A = positive_definite(*shape, dtype=dtype)
    A = A + (np.triu(normal(*shape), 1) if lower else np.tril(normal(*shape), -1))
    check_rule(cholesky, A, lower=lower)
    check_results(cho_factor, A, lower=lower)


@stacks
def test_stacks():
    """A stack of matrices."""
    check_rule(cholesky, positive_definite(2, 3, 3))
    check_rule(cholesky, positive_definite(2, 3, 3), lower=True)


def test_options():
    """They are constants; what may be overwritten is not."""
    A = np.asfortranarray(positive_definite(3, 3))
    before = A.copy()
    for f in (cholesky, cho_factor):
        y, pullback = rrule(f, A, True, True, False)
        y_bar = y if f is cholesky else (y[0], NoTangent())
        assert len(pullback(y_bar)) == 5
        np.testing.assert_array_equal(A, before)
        with pytest.raises(ValueError, match="infs or NaNs"):
            rrule(f, A * np.nan)


@pytest.mark.parametrize("f", [cholesky, cho_factor])
def test_constants(f):
    """A zero tangent stays one, and a zero cotangent of the factor."""
    A, zero = positive_definite(2, 2), ZeroTangent()
    assert frule((NoTangent(), zero), f, A)[1] == zero
    assert rrule(cho_factor, A)[1]((zero, NoTangent()))[1] == zero


def test_in_plain_code():
    """The gradient of the logarithm of a determinant."""
    A = positive_definite(3, 3)
    expected = 2 * np.linalg.inv(A) - np.diag(np.diag(np.linalg.inv(A)))

    def logdet(A):
        return 2 * np.sum(np.log(np.diag(cholesky(A, lower=True))))

    def logdet_by_factor(A):
        return 2 * np.sum(np.log(np.diag(cho_factor(A, lower=True)[0])))

    np.testing.assert_allclose(grad(logdet)(A), np.tril(expected), atol=1e-12)
    np.testing.assert_allclose(grad(logdet_by_factor)(A), np.tril(expected), atol=1e-12)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for f in (cholesky, cho_factor):
        check_memory_and_checks(f, positive_definite(3, 3))
