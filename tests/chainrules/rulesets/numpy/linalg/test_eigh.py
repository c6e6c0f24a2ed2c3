"""The rules of `numpy.linalg.eigh` and `eigvalsh`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad, hessian, hvp, jacobian, jvp
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, check_results, hermitian
from tests.chainrules.structured_checks import check_symmetric

STACK = np.stack([hermitian(3), hermitian(3, seed=1)])
# Its eigenvalues are 1, 1 and 2, up to rounding errors.
BASIS = np.linalg.qr(normal(3, 3))[0]
DEGENERATE = BASIS @ np.diag([1.0, 1.0, 2.0]) @ BASIS.T


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("options", [(), ("L",), ("U",)])
def test_eigh(options, dtype):
    """Either triangle, each element perturbed by itself; complex eigenvectors have LAPACK's phase."""
    check_results(np.linalg.eigh, hermitian(3, dtype), *options)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("named", [{}, {"UPLO": "u"}])
def test_eigvalsh(named, dtype):
    """Both modes are right for either triangle."""
    check_rule(np.linalg.eigvalsh, hermitian(3, dtype), **named)


@pytest.mark.parametrize("A", [STACK, STACK[:0], np.empty((0, 0)), np.array([[3.0]])])
def test_stacks(A):
    """Stacks, empty ones too, and matrices without elements."""
    check_results(np.linalg.eigh, A)
    check_rule(np.linalg.eigvalsh, A)


@pytest.mark.parametrize("A", [np.eye(3), np.zeros((3, 3)), DEGENERATE])
def test_eigenvalues_that_are_equal(A):
    """Symmetric functions of the eigenvalues have their derivatives: that of the sum is the identity."""
    for trace in (lambda A: np.sum(np.linalg.eigvalsh(A)), lambda A: np.sum(np.linalg.eigh(A)[0])):
        np.testing.assert_allclose(grad(trace)(A), np.eye(3), atol=1e-14)


def projection(A, count):
    """The projection onto the space of the first `count` eigenvectors."""
    V = np.linalg.eigh(A)[1][:, :count]
    return V @ np.swapaxes(V, 0, 1)


def projection_dot(A, A_dot, count):
    """Its derivative, forwards."""
    (_, V), tangent = frule((NoTangent(), A_dot), np.linalg.eigh, A)
    V, V_dot = V[:, :count], tangent.eigenvectors[:, :count]
    return V_dot @ V.T + V @ V_dot.T


@pytest.mark.parametrize(
    ("A", "count"), [(np.eye(3), 3), (np.zeros((3, 3)), 3), (DEGENERATE, 3), (DEGENERATE, 2)]
)
def test_functions_of_eigenspaces(A, count):
    """The projection onto eigenspaces is smooth, whatever the basis in which it is computed."""
    weights, A_dot = normal(3, 3), hermitian(3, seed=1)
    h = 1e-6
    expected = (projection(A + h * A_dot, count) - projection(A - h * A_dot, count)) / (2 * h)

    gradient = grad(lambda A: np.sum(projection(A, count) * weights))(A)

    np.testing.assert_allclose(np.sum(gradient * A_dot), np.sum(expected * weights), atol=1e-8)
    np.testing.assert_allclose(projection_dot(A, A_dot, count), expected, atol=1e-8)


def test_one_vector_of_a_degenerate_eigenspace():
    """It is arbitrary, so a function of it has no derivative."""
    gradient = grad(lambda A: np.sum(np.linalg.eigh(A)[1][:, 0] * np.arange(1.0, 4.0)))(DEGENERATE)

    assert np.isnan(gradient).any()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("uplo", ["L", "U"])
@pytest.mark.parametrize("A", [np.eye(3), np.zeros((3, 3)), DEGENERATE, np.stack([np.eye(3), DEGENERATE])])
def test_functions_of_values_and_vectors(A, uplo, dtype):
    """Forwards they are differentiated right; in reverse they are NaN: no cotangent knows what is owed."""

    def square(A):
        w, V = np.linalg.eigh(A, uplo)
        return (V * w[..., np.newaxis, :] ** 2) @ np.conj(np.swapaxes(V, -1, -2))

    A, A_dot = A.astype(dtype), np.broadcast_to(hermitian(3, dtype), A.shape)

    pushed = jvp(square, (A,), (A_dot,))[1]
    gradient = grad(lambda A: np.sum(np.real(square(A))))(A)

    np.testing.assert_allclose(pushed, A @ A_dot + A_dot @ A, atol=1e-12)
    assert np.isnan(gradient).any()


def test_a_function_of_no_value_at_equal_ones():
    """A cotangent that happens to be zero says nothing: that of the logarithm is 1 at the identity."""

    def logarithm(A):
        w, V = np.linalg.eigh(A)
        return ((V * np.log(w)) @ V.T)[0, 1]

    assert np.isnan(grad(logarithm)(np.eye(2))).any()


@pytest.mark.parametrize("A", [np.eye(3), DEGENERATE])
@pytest.mark.parametrize("values", [np.linalg.eigvalsh, lambda A: np.linalg.eigh(A)[0]])
def test_second_derivatives_of_smooth_functions_of_the_values(A, values):
    """Those of ``Σ w²`` and ``Σ log w`` are right, pushed forwards, and right or NaN in reverse.

    `hessian` takes what is NaN forwards.
    """
    A_dot, other = hermitian(3), hermitian(3, seed=1)
    inverse = np.linalg.inv(A)

    cases = [(np.square, 2 * A_dot), (np.log, -inverse @ A_dot @ inverse)]
    for g, product in cases:

        def f(A, g=g):
            return np.sum(g(values(A)))

        expected = np.sum(product * other)
        modes = {
            "forward": jvp(lambda A, f=f: jvp(f, (A,), (A_dot,))[1], (A,), (other,))[1],
            "forward of reverse": np.sum(hvp(f, A, A_dot) * other),
            "reverse of forward": np.sum(grad(lambda A, f=f: jvp(f, (A,), (A_dot,))[1])(A) * other),
            "reverse": np.sum(np.tensordot(jacobian(grad(f), mode="reverse")(A), A_dot) * other),
            "hessian": np.sum(np.tensordot(hessian(f)(A), A_dot) * other),
        }
        for mode, actual in modes.items():
            is_unknown = mode.startswith("reverse") and np.isnan(actual)
            assert is_unknown or actual == pytest.approx(expected), mode


def test_cotangent_is_on_the_triangle_that_is_read():
    """The other one is not looked at."""
    for triangle, uplo in ((np.tril, "L"), (np.triu, "U")):
        _, pullback = rrule(np.linalg.eigh, hermitian(3), uplo)
        A_bar = pullback((normal(3), normal(3, 3)))[1]
        np.testing.assert_array_equal(A_bar, triangle(A_bar))


def test_parts_of_a_cotangent():
    """Either part may be zero, or both; names and positions say the same."""
    y, pullback = rrule(np.linalg.eigh, hermitian(3))
    kind = Tangent[type(y)]
    w_bar, V_bar = normal(3), normal(3, 3)

    both = pullback((w_bar, V_bar))[1]
    np.testing.assert_array_equal(pullback(kind(eigenvalues=w_bar, eigenvectors=V_bar))[1], both)
    of_values, of_vectors = pullback(kind(eigenvalues=w_bar))[1], pullback((ZeroTangent(), V_bar))[1]
    np.testing.assert_allclose(of_values + of_vectors, both)
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    assert pullback(kind(eigenvalues=ZeroTangent(), eigenvectors=ZeroTangent()))[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.linalg.eigh, np.linalg.eigvalsh])
def test_eigenvalues_of_a_constant(f):
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), f, hermitian(2))[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.linalg.eigh, np.linalg.eigvalsh], ids=lambda f: f.__name__)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)


def test_cotangents_do_not_tell_the_derivative_at_equal_eigenvalues():
    """Two functions have the same cotangents there, for which no basis turns, and other derivatives.

    So a rule that took zero for the quotients of the turns would be wrong for one of them without a word.
    """
    one, A_dot = np.ones((2, 2)), np.array([[0.0, 1.0], [1.0, 0.0]])

    def of_the_matrix(w, V):
        return np.sum((V * np.exp(w)) @ V.T)  # the sum of the elements of exp(A)

    def of_the_trace(w, V):
        return np.e * (np.sum(w) + np.sum(V @ V.T))  # the last term is constant

    w, V = np.linalg.eigh(np.eye(2))
    (w_bar, V_bar), other_bars = ((grad(f, argnums=(0, 1))(w, V)) for f in (of_the_matrix, of_the_trace))
    np.testing.assert_allclose(w_bar, other_bars[0])
    np.testing.assert_allclose(V_bar, other_bars[1])
    np.testing.assert_allclose(V.T @ V_bar, 2.0 * np.e * one)  # symmetric: no turn changes them
    for f, expected in ((of_the_matrix, 2.0 * np.e), (of_the_trace, 0.0)):
        slope = jvp(lambda A, f=f: f(*np.linalg.eigh(A)), (np.eye(2),), (A_dot,))[1]
        np.testing.assert_allclose(slope, expected, atol=1e-14)
        assert np.isnan(grad(lambda A, f=f: f(*np.linalg.eigh(A)))(np.eye(2))).any()
