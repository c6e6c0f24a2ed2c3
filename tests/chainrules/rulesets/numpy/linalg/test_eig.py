"""The rules of `numpy.linalg.eig` and `eigvals`, against finite differences."""

import numpy as np
import pytest
import scipy.linalg

from chainrules.ad import grad, hessian, hvp, jacobian, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import check_results

REAL_SPECTRUM = np.array([[2.0, 0.3, 0.1], [0.2, 3.5, 0.4], [0.5, 0.3, 5.0]])
COMPLEX_SPECTRUM = np.array([[1.0, -2.0, 0.1], [2.2, 1.5, 0.4], [0.5, 0.3, 5.0]])
MATRICES = [
    REAL_SPECTRUM,
    COMPLEX_SPECTRUM,
    REAL_SPECTRUM + 1j * normal(3, 3),
    np.stack([REAL_SPECTRUM, COMPLEX_SPECTRUM]),
    np.empty((0, 2, 2)),
    np.empty((0, 0)),
    np.array([[3.0]]),
]
# Its eigenvalues are 1, 1 and 2, up to rounding errors.
TWICE = normal(3, 3) @ np.diag([1.0, 1.0, 2.0]) @ np.linalg.inv(normal(3, 3))


@pytest.mark.parametrize("A", MATRICES)
def test_eig(A):
    """Real and complex spectra; eigenvectors have LAPACK's length and phase."""
    check_results(np.linalg.eig, A)


@pytest.mark.parametrize("A", MATRICES)
def test_eigvals(A):
    """Both modes are right for the eigenvalues alone."""
    check_rule(np.linalg.eigvals, A)


@pytest.mark.parametrize("A", [np.eye(3), np.zeros((3, 3)), np.diag([1.0, 1.0, 2.0])])
def test_eigenvalues_that_are_equal(A):
    """Symmetric functions of the eigenvalues have their derivatives: that of the sum is the identity."""
    for values in (np.linalg.eigvals, lambda A: np.linalg.eig(A)[0]):
        gradient = grad(lambda A: np.sum(np.real(values(A))))(A)  # noqa: B023 - called before the next round
        np.testing.assert_allclose(gradient, np.eye(3), atol=1e-14)


def test_function_of_eigenspaces():
    """``V V⁻¹`` is constant, whatever the eigenvalues."""

    def f(A):
        V = np.linalg.eig(A)[1]
        return np.sum(np.real(V @ np.linalg.inv(V)) * normal(3, 3))

    np.testing.assert_allclose(grad(f)(np.eye(3)), 0, atol=1e-13)


@pytest.mark.parametrize("A", [np.eye(3), TWICE, np.kron(np.eye(2), [[1.0, 2.0], [-2.0, 1.0]])])
def test_functions_of_values_and_vectors(A):
    """Forwards they are differentiated right; in reverse they are NaN: no cotangent knows what is owed."""

    def square(A):
        w, V = np.linalg.eig(A)
        return np.real((V * w**2) @ np.linalg.inv(V))

    A_dot = normal(*A.shape) @ np.diag(range(len(A))) @ np.linalg.inv(normal(*A.shape))

    np.testing.assert_allclose(jvp(square, (A,), (A_dot,))[1], A @ A_dot + A_dot @ A, atol=1e-9)
    assert np.isnan(grad(lambda A: np.sum(square(A)))(A)).any()


def test_equal_values_that_become_complex():
    """Real vectors have no derivative in a direction in which they become complex; complex ones stay."""
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])

    V, V_dot = jvp(lambda A: np.linalg.eig(A)[1], (np.eye(2),), (turn,))

    if V.dtype == complex:  # since NumPy 2.5, of every matrix
        np.testing.assert_allclose(turn @ V, V * [1j, -1j])
        np.testing.assert_allclose(V_dot, 0, atol=1e-15)
    else:
        assert np.isnan(V_dot).all()


@pytest.mark.parametrize("A", [np.eye(3), TWICE])
def test_second_derivatives_of_smooth_functions_of_the_values(A):
    """Those of ``Σ w²``, which is the trace of the square, are right, pushed forwards, and NaN in reverse.

    `hessian` pushes along single elements. Some of these make the values of the identity complex.
    """

    def f(A):
        return np.sum(np.real(np.linalg.eigvals(A) ** 2))

    A_dot = normal(3, 3) @ np.diag(range(3)) @ np.linalg.inv(normal(3, 3))

    np.testing.assert_allclose(hvp(f, A, A_dot), 2 * A_dot.T, atol=1e-9)
    assert np.isnan(jacobian(grad(f), mode="reverse")(A)).any()
    second = np.tensordot(hessian(f)(A), A_dot)
    np.testing.assert_allclose(second, np.nan if A is not TWICE else 2 * A_dot.T, atol=1e-9)


def test_one_vector_of_equal_eigenvalues():
    """It is arbitrary, so a function of it has no derivative."""
    gradient = grad(lambda A: np.real(np.linalg.eig(A)[1][:, 0]) @ np.arange(1.0, 4.0))(np.eye(3))

    assert np.isnan(gradient).any()


@pytest.mark.parametrize("A", [REAL_SPECTRUM, COMPLEX_SPECTRUM])
def test_parts_of_a_cotangent(A):
    """Either part may be zero, or both; names and positions say the same."""
    y, pullback = rrule(np.linalg.eig, A)
    kind = Tangent[type(y)]
    w_bar, V_bar = normal(3, dtype=y[0].dtype), normal(3, 3, dtype=y[1].dtype)

    both = pullback((w_bar, V_bar))[1]
    np.testing.assert_array_equal(pullback(kind(eigenvalues=w_bar, eigenvectors=V_bar))[1], both)
    of_values, of_vectors = pullback(kind(eigenvalues=w_bar))[1], pullback((ZeroTangent(), V_bar))[1]
    np.testing.assert_allclose(of_values + of_vectors, both)
    assert pullback(ZeroTangent())[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.linalg.eig, np.linalg.eigvals])
def test_eigenvalues_of_a_constant(f):
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), f, REAL_SPECTRUM)[1] == ZeroTangent()


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize(
    "f",
    [
        np.linalg.eigvals,
        lambda A: np.linalg.eig(A)[0],
        scipy.linalg.eigvals,
        lambda A: scipy.linalg.eig(A)[0],
    ],
)
@pytest.mark.parametrize("A", [np.eye(2, k=1), np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]])])
def test_defective_matrices(mode, f, A):
    """Without a basis of eigenvectors the sum of the squares is smooth, and its derivative unknown."""
    with pytest.raises(np.linalg.LinAlgError, match="defective"):
        jacobian(lambda A: np.real(np.sum(f(A) ** 2)), mode=mode)(A)
