"""The rules of `scipy.linalg.eig` and `eigvals`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import eig, eigvals

from chainrules.ad import grad, hvp, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results, positive_definite
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks

REAL_SPECTRUM = np.array([[2.0, 0.3, 0.1], [0.2, 3.5, 0.4], [0.5, 0.3, 5.0]])
COMPLEX_SPECTRUM = np.array([[1.0, -2.0, 0.1], [2.2, 1.5, 0.4], [0.5, 0.3, 5.0]])
MATRICES = [
    REAL_SPECTRUM[:2, :2],
    COMPLEX_SPECTRUM,
    (REAL_SPECTRUM + 1j * normal(3, 3))[:2, :2],
    pytest.param(np.stack([REAL_SPECTRUM[:2, :2], REAL_SPECTRUM[1:, 1:]]), marks=stacks),
    np.empty((0, 0)),
    np.array([[3.0]]),
]
# Its eigenvalues are 1, 1 and 2, up to rounding errors.
TWICE = normal(3, 3) @ np.diag([1.0, 1.0, 2.0]) @ np.linalg.inv(normal(3, 3))


@pytest.mark.parametrize("A", MATRICES)
def test_right_and_left_vectors(A):
    """Real and complex spectra; eigenvectors have LAPACK's length and phase."""
    check_results(eig, A)
    check_results(eig, A, None, True)


@pytest.mark.parametrize("A", MATRICES[:3])
def test_left_vectors_alone(A):
    """The right ones are computed for them."""
    check_results(eig, A, left=True, right=False)


@pytest.mark.parametrize("A", MATRICES)
def test_values(A):
    """The eigenvalues alone, from either function."""
    check_rule(eigvals, A)
    check_rule(eig, A, right=False)


def test_values_as_fractions():
    """The denominators are ones; of a pair of matrices they are LAPACK's choice, and refused."""
    check_rule(eigvals, REAL_SPECTRUM, None, True, check_finite=False, homogeneous_eigvals=True)
    check_results(eig, COMPLEX_SPECTRUM, homogeneous_eigvals=True)
    for f in (eig, eigvals):
        with pytest.raises(ValueError, match="homogeneous_eigvals=False"):
            rrule(f, REAL_SPECTRUM, np.eye(3), homogeneous_eigvals=True)


def test_real_vectors_of_pairs():
    """They have a sign at most that is arbitrary."""
    A, B = REAL_SPECTRUM[:2, :2], positive_definite(2, 2)
    check_results(eig, A, B)
    check_results(eig, A, B, left=True, overwrite_a=True, overwrite_b=True)
    with pytest.raises(ValueError, match="Write `right=True`"):
        rrule(eig, A, B, left=True, right=False)


@pytest.mark.parametrize("kinds", [(float, float), (float, complex), (complex, complex)])
@pytest.mark.parametrize("A", [REAL_SPECTRUM, COMPLEX_SPECTRUM])
def test_values_of_pairs(A, kinds):
    """By both matrices; the cotangent of a real one is real."""
    A = A + 1j * normal(3, 3) if kinds[0] is complex else A
    check_rule(eigvals, A, positive_definite(3, 3, dtype=kinds[1]))


@stacks
def test_stack_beside_a_matrix():
    """The cotangent of a matrix that was repeated is a sum."""
    check_rule(eigvals, np.stack([REAL_SPECTRUM, 2 * REAL_SPECTRUM]), positive_definite(3, 3))


def without_phase(A, B):
    """A function of the eigenvalues and vectors of a pair that does not feel the phases of the vectors."""
    w, VL, VR = eig(A, B, left=True)
    projection = w[0] * VR[:, :1] @ np.conj(VR[:, :1].T)
    mixed = VL[:, :1] @ np.conj(VR[:, 1:2].T) * np.conj(VL[0, 0]) * VR[0, 1]
    return np.sum(np.real(projection + mixed) * normal(3, 3)) + np.sum(np.imag(projection - mixed))


@pytest.mark.parametrize("dtype", DTYPES)
def test_complex_vectors_of_pairs(dtype):
    """Functions that do not feel their phases have derivatives, of the second order too."""
    A, A_dot = COMPLEX_SPECTRUM.astype(dtype), normal(3, 3, dtype=dtype)
    B, B_dot = positive_definite(3, 3, dtype=dtype), normal(3, 3, dtype=dtype, seed=1)
    h = 1e-6
    expected = (without_phase(A + h * A_dot, B + h * B_dot) - without_phase(A - h * A_dot, B - h * B_dot)) / (
        2 * h
    )

    assert jvp(without_phase, (A, B), (A_dot, B_dot))[1] == pytest.approx(expected, abs=1e-7)
    A_bar, B_bar = grad(without_phase, (0, 1))(A, B)
    pulled = np.vdot(A_bar, A_dot) + np.vdot(B_bar, B_dot)
    assert pulled.real == pytest.approx(expected, abs=1e-7)

    def f(A):
        return without_phase(A, B)

    ahead, behind = grad(f)(A + h * A_dot), grad(f)(A - h * A_dot)
    np.testing.assert_allclose(hvp(f, A, A_dot), (ahead - behind) / (2 * h), atol=1e-6)


def test_phases_of_pairs():
    """A function that feels them is refused."""
    with pytest.raises(ValueError, match=r"scipy\.linalg\.eig\(a, b\) has no derivative by the phase"):
        grad(lambda A: np.sum(np.real(eig(A, np.eye(3))[1])))(COMPLEX_SPECTRUM)


@pytest.mark.parametrize("A", [np.eye(3), TWICE])
@pytest.mark.parametrize("pair", [(), (np.eye(3),)])
def test_functions_of_values_and_vectors_at_equal_values(A, pair):
    """Forwards they are differentiated right, left vectors beside right ones; in reverse they are NaN."""

    def square(A):
        w, VL, VR = eig(A, *pair, left=True)
        return np.real((VR * w**2 / np.sum(np.conj(VL) * VR, axis=0)) @ np.conj(VL.T))

    A_dot = normal(3, 3) @ np.diag(range(3)) @ np.linalg.inv(normal(3, 3))

    np.testing.assert_allclose(jvp(square, (A,), (A_dot,))[1], A @ A_dot + A_dot @ A, atol=1e-9)
    assert np.isnan(grad(lambda A: np.sum(square(A)))(A)).any()


def test_singular_second_matrix():
    """An infinite eigenvalue has no derivative."""
    with pytest.raises(np.linalg.LinAlgError):
        rrule(eigvals, REAL_SPECTRUM, np.diag([1.0, 1.0, 0.0]))[1](np.ones(3))


def test_constants():
    """Zeros stay zero, in both modes."""
    A, B, zero = REAL_SPECTRUM, positive_definite(3, 3), ZeroTangent()
    for f in (eig, eigvals):
        assert frule((NoTangent(), zero), f, A)[1] == zero
        assert frule((NoTangent(), zero, zero), f, A, B)[1] == zero
        assert rrule(f, A)[1](zero)[1] == zero
        assert rrule(f, A, B)[1](zero)[1:] == (zero, zero)
    for second, second_bar in ((B, zero), (None, NoTangent())):
        assert rrule(eig, A, second)[1]((zero, zero))[1:] == (zero, second_bar)


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    for f in (eig, eigvals):
        check_memory_and_checks(f, REAL_SPECTRUM)
