"""The rules of the Schur decomposition, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import schur

from chainrules.ad import grad, hvp, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks

REAL_SPECTRUM = np.array([[2.0, 0.3, 0.1], [0.2, 3.5, 0.4], [0.5, 0.3, 5.0]])
COMPLEX_SPECTRUM = np.array([[1.0, -2.0, 0.1], [2.2, 1.5, 0.4], [0.5, 0.3, 5.0]])


def without_phases(A, **named):
    """A function of both factors that does not feel the phases of the vectors."""
    T, Z, *_ = schur(A, **named)
    projections = Z[:, :1] @ np.conj(Z[:, :1].T) * T[0, 0] + Z[:, 1:2] @ np.conj(Z[:, 1:2].T) * T[2, 2]
    squares = np.real(T * np.conj(T))
    mixed = T[0, 1] * Z[0, 0] * np.conj(Z[2, 1])
    weighted = np.sum((np.real(projections) + np.imag(projections)) * normal(3, 3))
    return weighted + np.sum(squares * normal(3, 3, seed=1)) + np.real(mixed)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("named", [{"output": "complex"}, {"output": "complex", "sort": "lhp"}])
@pytest.mark.parametrize("A", [REAL_SPECTRUM, COMPLEX_SPECTRUM])
def test_complex_form(A, named, dtype):
    """Functions that do not feel the phases have derivatives, of the second order too."""
    A, A_dot, h = A + 0.3j * normal(3, 3) if dtype is complex else A, normal(3, 3, dtype=dtype), 1e-6

    def f(A):
        return without_phases(A, **named)

    expected = (f(A + h * A_dot) - f(A - h * A_dot)) / (2 * h)
    assert jvp(f, (A,), (A_dot,))[1] == pytest.approx(expected, rel=1e-7, abs=1e-7)
    assert grad(f)(A).dtype == dtype
    assert np.real(np.vdot(grad(f)(A), A_dot)) == pytest.approx(expected, rel=1e-7, abs=1e-7)
    ahead, behind = grad(f)(A + h * A_dot), grad(f)(A - h * A_dot)
    np.testing.assert_allclose(hvp(f, A, A_dot), (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-6)


def test_real_form():
    """Of a matrix with real eigenvalues it has signs at most that are arbitrary."""
    check_results(schur, REAL_SPECTRUM)
    check_results(schur, REAL_SPECTRUM[:2, :2], "real", overwrite_a=True)


def test_pairs_of_eigenvalues():
    """Their real form is refused, and the message says what to write."""
    with pytest.raises(ValueError, match="output='complex'"):
        rrule(schur, COMPLEX_SPECTRUM)


def test_phases():
    """A function that feels them is refused."""
    with pytest.raises(ValueError, match=r"scipy\.linalg\.schur\(A\) has no derivative by the phases"):
        grad(lambda A: np.real(schur(A, "complex")[1][0, 0]))(COMPLEX_SPECTRUM)


def test_equal_eigenvalues():
    """Their vectors are arbitrary; the derivative is NaN."""
    assert np.isnan(jvp(lambda A: schur(A)[1], (np.eye(2),), (normal(2, 2),))[1]).any()
    assert np.isnan(grad(lambda A: schur(A)[1][0, 1])(np.eye(2))).any()


def test_parts_and_constants():
    """Either factor may have no cotangent, and zeros stay zero."""
    zero = ZeroTangent()
    y, pullback = rrule(schur, REAL_SPECTRUM)
    T_bar, Z_bar = normal(3, 3), normal(3, 3, seed=1)

    parts = pullback((T_bar, zero))[1] + pullback((zero, Z_bar))[1]
    np.testing.assert_allclose(parts, pullback((T_bar, Z_bar))[1])
    assert pullback((zero, zero))[1] == zero
    assert frule((NoTangent(), zero), schur, REAL_SPECTRUM)[1] == zero
    np.testing.assert_array_equal(y[0], schur(REAL_SPECTRUM)[0])


def test_order_of_the_eigenvalues_of_triangles():
    """LAPACK keeps that of the diagonal, which the rule relies on."""
    for seed in range(10):
        for dtype in DTYPES:
            T = np.triu(normal(6, 6, dtype=dtype, seed=seed) * 10.0 ** np.arange(-3, 3))
            T[1, 2:4] = T[0, 1] = 0
            np.testing.assert_allclose(np.linalg.eig(T)[0], np.diagonal(T), rtol=1e-12)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    check_memory_and_checks(schur, REAL_SPECTRUM)
