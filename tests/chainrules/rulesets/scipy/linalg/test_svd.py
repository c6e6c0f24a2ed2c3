"""The rules of `scipy.linalg.svd` and `svdvals`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import svd, svdvals

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks

SHAPES = [(2, 2), (3, 2), (2, 3), (1, 1)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("driver", ["gesdd", "gesvd"])
def test_thin_decomposition(driver, shape, dtype):
    """High, wide and square matrices; complex vectors have the phase of either driver of LAPACK."""
    check_results(svd, normal(*shape, dtype=dtype), full_matrices=False, lapack_driver=driver)


@pytest.mark.parametrize("shape", [(5, 2), (2, 5)])
def test_decomposition_after_a_qr_decomposition(shape):
    """Of much higher and much wider matrices LAPACK decomposes a triangular factor."""
    for driver in ("gesdd", "gesvd"):
        check_results(svd, normal(*shape, dtype=complex), False, lapack_driver=driver)


def test_full_decomposition():
    """That of a square matrix, and one with one real vector that completes the basis."""
    check_results(svd, normal(3, 3))
    check_results(svd, normal(3, 2), True, True, True, False)


def test_space_of_the_vectors_that_complete_the_basis():
    """A function of that space alone has a derivative; others are refused."""
    A, weights = normal(4, 2), normal(4, 4)

    def projection(A):
        N = svd(A)[0][:, 2:]
        return np.sum(N @ N.T * weights)

    def outside(A):
        U = svd(A, full_matrices=False)[0]
        return np.sum((np.eye(4) - U @ U.T) * weights)

    np.testing.assert_allclose(grad(projection)(A), grad(outside)(A))
    with pytest.raises(
        ValueError, match=r"scipy\.linalg\.svd\(\.\.\., full_matrices=True\) has no derivative"
    ):
        grad(lambda A: np.sum(svd(A)[0] * weights))(A)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_singular_values(shape, dtype):
    """Alone, from either function."""
    A = normal(*shape, dtype=dtype)
    check_rule(svdvals, A)
    check_rule(svdvals, A, True, check_finite=False)
    check_rule(svd, A, compute_uv=False)


def test_argument_is_not_overwritten():
    """Although that is allowed."""
    A = np.asfortranarray(normal(3, 3))
    for options in ({"overwrite_a": True}, {"overwrite_a": True, "compute_uv": False}):
        rrule(svd, A, **options)
    rrule(svdvals, A, overwrite_a=True)

    np.testing.assert_array_equal(A, normal(3, 3))


def test_constants():
    """Zeros stay zero, in both modes."""
    A, zero = normal(2, 2), ZeroTangent()
    for f, named in ((svd, {}), (svd, {"compute_uv": False}), (svdvals, {})):
        assert frule((NoTangent(), zero), f, A, **named)[1] == zero
        assert rrule(f, A, **named)[1](zero)[1] == zero


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for f in (svd, svdvals):
        check_memory_and_checks(f, normal(3, 3))
