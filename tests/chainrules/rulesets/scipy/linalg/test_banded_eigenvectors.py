"""The rules of eigenvalues and eigenvectors of matrices with few diagonals, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import eig_banded, eigh_tridiagonal, eigvals_banded, eigvalsh_tridiagonal

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import SCIPY, stacks


def bands(n, dtype, lower):
    """Three diagonals of one triangle of a matrix whose eigenvalues are far from each other."""
    ab = normal(3, n, dtype=dtype) / 2
    ab[0 if lower else -1] = 2.0 * np.arange(n)
    return ab


D, E = np.array([1.0, 2.0, 4.0]), np.array([0.3, 0.4])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [True, False])
def test_bands(lower, dtype):
    """Either triangle; the first component of complex vectors is real."""
    check_results(eig_banded, bands(4, dtype, lower), lower)
    check_rule(eigvals_banded, bands(4, dtype, lower), lower=lower, overwrite_a_band=True)
    check_rule(eig_banded, bands(3, dtype, lower), lower, True)


@pytest.mark.parametrize(
    "named", [{"select": "i", "select_range": (2, 2)}, {"select": "v", "select_range": (10, 90)}]
)
def test_some_eigenvalues_of_bands(named):
    """By number, or by value, which are far from each other here."""
    ab = 10 * bands(4, complex, True)
    check_results(eig_banded, ab, lower=True, **named)
    check_rule(eigvals_banded, ab, True, **named)


younger = pytest.mark.skipif(SCIPY < (1, 16), reason="younger than this SciPy")


@pytest.mark.parametrize("driver", ["stev", pytest.param("stevd", marks=younger), "stebz"])
def test_tridiagonal(driver):
    """By both diagonals."""
    check_results(eigh_tridiagonal, D, E, lapack_driver=driver)


def test_usual_driver_of_tridiagonal():
    """Its vectors may have another sign for the next matrix: but not the spaces that they span."""

    def projection(D, driver):
        V = eigh_tridiagonal(D, E, lapack_driver=driver)[1][:, :1]
        return (V @ V.T)[0, 1]

    expected = grad(lambda D: projection(D, "stebz"))(D)
    np.testing.assert_allclose(grad(lambda D: projection(D, "stemr"))(D), expected)
    np.testing.assert_allclose(grad(lambda D: projection(D, "auto"))(D), expected)


def test_values_of_tridiagonal():
    """Alone, also by a driver that has no vectors."""
    check_rule(eigvalsh_tridiagonal, D, E)
    check_rule(eigvalsh_tridiagonal, D, E, "i", (0, 1))
    check_rule(eigh_tridiagonal, D, E, True, lapack_driver="sterf")


@pytest.mark.parametrize(
    "named", [{"select": "i", "select_range": (1, 1)}, {"select": "v", "select_range": (5, 30)}]
)
def test_some_vectors_of_tridiagonal(named):
    """They turn towards all."""
    check_results(eigh_tridiagonal, 10 * D, E, lapack_driver="stebz", **named)


@stacks
def test_stacks():
    """Each matrix by itself; a diagonal that is repeated has the sum of the cotangents."""
    check_rule(eigvalsh_tridiagonal, np.stack([D, 2 * D]), E)
    check_results(eig_banded, np.stack([bands(2, float, True), 2 * bands(2, float, True)]), True)


def test_one_element():
    """It has no diagonal beside the main one."""
    check_rule(eigvalsh_tridiagonal, D[:1], E[:0])


def test_constants():
    """Zeros stay zero, in both modes."""
    zero, ab = ZeroTangent(), bands(3, float, True)
    for f, args in ((eig_banded, (ab,)), (eigvals_banded, (ab,)), (eigh_tridiagonal, (D, E))):
        zeros = [zero for _ in args]
        assert frule((NoTangent(), *zeros), f, *args)[1] == zero
        assert list(rrule(f, *args)[1](zero)[1:]) == zeros
    y, pullback = rrule(eigh_tridiagonal, D, E)
    assert pullback((zero, zero))[1:] == (zero, zero)
    dots = frule((NoTangent(), np.ones(3), zero), eigh_tridiagonal, D, E)[1]
    np.testing.assert_allclose(dots[0], np.ones(len(y[0])))


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for f in (eig_banded, eigvals_banded):
        check_memory_and_checks(f, bands(4, float, False))
    for f in (eigh_tridiagonal, eigvalsh_tridiagonal):
        check_memory_and_checks(f, D, E)
