"""The rules of `scipy.linalg.eigh` and `eigvalsh`, against finite differences."""

import numpy as np
import pytest
from scipy.linalg import eigh, eigvalsh

from chainrules.ad import grad, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import (
    DTYPES,
    check_results,
    hermitian,
    positive_definite,
)
from tests.chainrules.rulesets.scipy.linalg.memory_and_checks import check_memory_and_checks
from tests.chainrules.rulesets.scipy.linalg.systems import stacks

# The driver that SciPy takes by itself, "evr", returns vectors of either sign for matrices next to each
# other.
SMOOTH = {"driver": "evd"}
SUBSETS = [{"subset_by_index": [1, 1]}, {"subset_by_value": [-0.5, 2.9]}]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [True, False])
def test_eigh(lower, dtype):
    """Either triangle, each element perturbed by itself; complex eigenvectors have LAPACK's phase."""
    check_results(eigh, hermitian(3, dtype, seed=1), lower=lower, **SMOOTH)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("driver", ["ev", "evx"])
def test_drivers(driver, dtype):
    """All of them have the same phase."""
    check_results(eigh, hermitian(3, dtype, seed=1), driver=driver)


@pytest.mark.parametrize("dtype", DTYPES)
def test_usual_driver(dtype):
    """Its vectors may have any sign: but not the spaces that they span."""
    A, A_dot, weights, h = hermitian(3, dtype), hermitian(3, dtype, seed=1), normal(3, 3), 1e-6

    def projection(A):
        w, V = eigh(A)
        return np.sum(np.real(w[0] * V[:, :1] @ np.conj(V[:, :1].T)) * weights)

    expected = (projection(A + h * A_dot) - projection(A - h * A_dot)) / (2 * h)
    assert jvp(projection, (A,), (A_dot,))[1] == pytest.approx(expected, abs=1e-7)
    gradient = grad(projection)(A)
    assert np.real(np.vdot(gradient, A_dot)) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("named", SUBSETS)
def test_subsets(named, dtype):
    """Some of the eigenvalues and vectors, by their number or by their value."""
    check_results(eigh, hermitian(3, dtype), **named)
    check_rule(eigvalsh, hermitian(3, dtype), **named)


@stacks
def test_stack_of_subsets():
    """The number of eigenvalues below may be another for each matrix."""
    stack = np.stack([hermitian(3), hermitian(3) + 2 * np.eye(3)])
    interval = {"subset_by_value": [1.5, 3.0], "driver": "evx"}
    assert eigh(stack, **interval)[0].shape == (2, 1)
    check_results(eigh, stack, **interval)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("problem", [1, 2, 3])
def test_pairs_of_matrices(problem, lower, dtype):
    """Every type, by both matrices, on the triangles that are read."""
    A, B = hermitian(2, dtype), positive_definite(2, 2, dtype=dtype)
    check_results(eigh, A, B, lower=lower, type=problem)
    check_rule(eigvalsh, A, B, lower=lower, type=problem)


@pytest.mark.parametrize("problem", [1, 3])
def test_subsets_of_pairs(problem):
    """The vectors that are not asked for are those of both matrices."""
    A, B = hermitian(3, complex), positive_definite(3, 3, dtype=complex)
    check_results(eigh, A, B, type=problem, subset_by_index=[0, 1])


def test_keywords():
    """The second matrix by keyword, traced and as a constant."""
    A, B = hermitian(2), positive_definite(2, 2)
    check_rule(eigvalsh, A, b=B)
    check_rule(eigh, A, b=B, eigvals_only=True, overwrite_a=True, overwrite_b=True, check_finite=False)
    gradient = grad(lambda B: eigh(A, b=B)[0][0])(B)
    np.testing.assert_allclose(gradient, grad(lambda B: eigvalsh(A, B)[0])(B))


@pytest.mark.parametrize(
    "A",
    [pytest.param(np.stack([hermitian(2), hermitian(2, seed=1)]), marks=stacks), np.empty((0, 0)), np.eye(1)],
)
def test_stacks(A):
    """Stacks, and matrices without elements."""
    check_results(eigh, A, **SMOOTH)
    check_rule(eigvalsh, A)


@stacks
def test_stacks_of_pairs():
    """One matrix beside a stack."""
    stack = np.stack([positive_definite(2, 2), positive_definite(2, 2, seed=1)])
    check_results(eigh, hermitian(2), stack)
    check_rule(eigvalsh, stack, np.eye(2))


def test_equal_eigenvalues():
    """A function of the values and vectors has its derivative forwards, of pairs of matrices too."""
    B, A_dot, B_dot = positive_definite(3, 3), hermitian(3), hermitian(3, seed=1)

    def rebuilt(A, B):
        w, V = eigh(A, B)
        return B @ (V * w**2) @ V.T @ B  # A B^-1 A

    pushed = jvp(rebuilt, (2 * B, B), (A_dot, B_dot))[1]
    np.testing.assert_allclose(pushed, 4 * A_dot - 4 * B_dot, atol=1e-10)
    assert np.isnan(grad(lambda B: np.sum(rebuilt(2 * np.eye(3), B)))(np.eye(3))).any()


def test_constants():
    """Zeros stay zero, in both modes."""
    A, B, zero = hermitian(2), positive_definite(2, 2), ZeroTangent()
    for f in (eigh, eigvalsh):
        assert frule((NoTangent(), zero), f, A)[1] == zero
        assert frule((NoTangent(), zero, zero), f, A, B)[1] == zero
        assert rrule(f, A)[1](zero)[1] == zero
        assert rrule(f, A, B)[1](zero)[1:] == (zero, zero)
    for second, second_bar in ((B, zero), (None, NoTangent())):
        assert rrule(eigh, A, second)[1]((zero, zero))[1:] == (zero, second_bar)
    y_dot = frule((NoTangent(), zero, hermitian(2)), eigh, A, B)[1]
    np.testing.assert_allclose(y_dot[0], frule((NoTangent(), 0 * A, hermitian(2)), eigvalsh, A, B)[1])


def test_memory_and_checks():
    """Nothing is overwritten, and NaN is refused where SciPy does."""
    A, B = hermitian(3), positive_definite(3, 3)
    for f in (eigh, eigvalsh):
        check_memory_and_checks(f, A)
        check_memory_and_checks(f, A, B)
