"""Some eigenvalues and eigenvectors of large matrices, in both modes and in second order."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator, eigs, eigsh, lobpcg

from chainrules.ad import grad, hessian, hvp, jvp
from chainrules.rulesets.scipy.sparse.linalg import eigenvalues
from chainrules_core import NO_TANGENT, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import normal

N = 11
SYMMETRIC = np.diag(np.arange(1.0, N + 1)) + np.eye(N, k=1) + np.eye(N, k=-1)
GENERAL = np.diag(np.arange(1.0, N + 1)) + 2 * np.eye(N, k=1) - 0.7 * np.eye(N, k=-2)
METRIC = np.diag(np.linspace(1, 2, N)) + 0.1 * (np.eye(N, k=1) + np.eye(N, k=-1))
START = np.ones(N)  # SciPy begins at random elsewhere
OPTIONS = {"k": 2, "v0": START}
FORMS = [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_array]


def moved(t, matrix, form=scipy.sparse.csr_array):
    """A matrix that depends on three numbers and keeps the symmetry of `matrix`."""
    directions = [np.diag(np.sin(np.arange(N))), np.eye(N, k=1) + np.eye(N, k=-1), matrix]
    return sum((form(d) * t[i] for i, d in enumerate(directions)), start=form(matrix))


def check(f):
    """Gradient, tangent and Hessian against differences of values and of gradients."""
    check_along(f, np.array([0.1, -0.2, 0.3]), normal(3))


def of(w, V):
    """A function of eigenvalues and eigenvectors that does not depend on signs and phases."""
    return np.sum(np.abs(w) ** 2) + np.sum(np.abs(V) ** 4 * np.arange(1.0, N + 1)[:, None])


@pytest.mark.parametrize("form", FORMS)
def test_hermitian_problems(form):
    """Values and vectors, of sparse and dense matrices."""
    check(lambda t: of(*eigsh(moved(t, SYMMETRIC, form), **OPTIONS)))


@pytest.mark.parametrize("options", [{"which": "SA"}, {"which": "BE"}, {"sigma": 3.3}])
def test_which_values(options):
    """Wherever in the spectrum they are."""
    matrix = lambda t: moved(t, SYMMETRIC, scipy.sparse.csc_array)  # noqa: E731 - one expression
    check(lambda t: of(*eigsh(matrix(t), **OPTIONS, **options)))


@pytest.mark.parametrize("which", ["LM", "SA"])
def test_values_alone(which):
    """In the order in which SciPy gives them then, which is another one."""
    weights = np.array([1.0, 10.0])
    f = lambda t: np.sum(  # noqa: E731 - one expression
        weights * eigsh(moved(t, SYMMETRIC), **OPTIONS, which=which, return_eigenvectors=False)
    )
    check(f)
    y = rrule(eigsh, SYMMETRIC, **OPTIONS, which=which, return_eigenvectors=False)[0]
    np.testing.assert_allclose(y, eigsh(SYMMETRIC, **OPTIONS, which=which, return_eigenvectors=False))


def test_generalised_problems():
    """By both matrices, given by position and by keyword."""
    check(lambda t: of(*eigsh(moved(t, SYMMETRIC), 2, moved(t, METRIC), v0=START)))
    check(lambda t: of(*eigsh(SYMMETRIC, M=moved(t, METRIC), **OPTIONS)))
    check(lambda t: of(*eigsh(moved(t, SYMMETRIC), M=METRIC, **OPTIONS)))
    check(lambda t: of(*eigs(moved(t, GENERAL), 2, moved(t, METRIC), v0=START)))


def test_general_problems():
    """With real and with complex eigenvalues, of real and complex matrices."""
    check(lambda t: of(*eigs(moved(t, GENERAL), **OPTIONS)))
    check(lambda t: of(*eigs(moved(t, GENERAL + 3 * np.eye(N, k=-3)), **OPTIONS)))
    check(lambda t: of(*eigs(moved(t, GENERAL.astype(complex)) * (1 + 0.5j), **OPTIONS)))
    check(lambda t: np.sum(np.abs(eigs(moved(t, GENERAL), **OPTIONS, return_eigenvectors=False))))


def test_complex_hermitian_problems():
    """The cotangent is Hermitian."""
    lower = 0.3j * np.eye(N, k=-1)
    check(lambda t: of(*eigsh(moved(t, SYMMETRIC + lower - lower.T), **OPTIONS)))


def test_block_iterations():
    """`lobpcg` begins with vectors, which have no influence."""
    X = np.eye(N)[:, :2] + 0.1
    options = {"largest": True, "tol": 1e-12, "maxiter": 300}
    check(lambda t: of(*lobpcg(moved(t, SYMMETRIC), X, **options)))
    check(lambda t: of(*lobpcg(moved(t, SYMMETRIC), X, moved(t, METRIC), **options)))


def test_phases_are_refused():
    """A real part of a complex vector says nothing."""
    with pytest.raises(ValueError, match="arbitrary"):
        grad(lambda t: np.sum(eigs(moved(t, GENERAL * (1 + 1j)), **OPTIONS)[1].real ** 3))(np.ones(3))


@pytest.mark.parametrize("function", [eigsh, eigs])
def test_rules(function):
    """By the testers, on a diagonal matrix, which stays symmetric."""
    options = OPTIONS | {"return_eigenvectors": False}
    A = scipy.sparse.diags_array(np.arange(1.0, N + 1), format="csr")
    test_frule(function, A, fkwargs=options, rtol=1e-6, atol=1e-6)
    test_rrule(function, A, fkwargs=options, rtol=1e-6, atol=1e-6)


def test_zeros():
    """Zeros stay zeros."""
    assert rrule(eigsh, SYMMETRIC, **OPTIONS)[1](ZeroTangent())[1] == ZeroTangent()
    assert frule((NO_TANGENT, ZeroTangent()), eigsh, SYMMETRIC, **OPTIONS)[1] == ZeroTangent()


def test_elements_that_are_zero():
    """A dense matrix has derivatives by all its elements, of all orders."""
    f = lambda X: of(*eigsh(SYMMETRIC + X + X.T, **OPTIONS))  # noqa: E731 - one expression

    def g(X):
        w, V = np.linalg.eigh(SYMMETRIC + X + X.T)
        return of(w[-2:], V[:, -2:])

    X = np.zeros((N, N))
    np.testing.assert_allclose(hessian(f)(X), hessian(g)(X), rtol=1e-8, atol=1e-9)


def operator(A, has_adjoint=True):
    """An operator that closes over a matrix."""
    rmatvec = (lambda v: A.conj().T @ v) if has_adjoint else None
    return LinearOperator(A.shape, matvec=lambda v: A @ v, rmatvec=rmatvec, dtype=A.dtype)


@pytest.mark.parametrize("form", [operator, aslinearoperator, lambda A: operator(A, has_adjoint=False)])
@pytest.mark.parametrize("which", ["LM", "SA"])
def test_operators(form, which):
    """Values and vectors, of which nothing is known but products."""
    check(lambda t: of(*eigsh(form(moved(t, SYMMETRIC, np.asarray)), **OPTIONS, which=which)))


def test_values_of_operators():
    """In the order in which SciPy gives them alone."""
    weights = np.array([1.0, 10.0])
    f = lambda t: np.sum(  # noqa: E731 - one expression
        weights * eigsh(operator(moved(t, SYMMETRIC)), **OPTIONS, return_eigenvectors=False)
    )
    check(f)


def test_complex_operators():
    """The vectors have phases that nothing depends on."""
    skew = 1j * (np.eye(N, k=1) - np.eye(N, k=-1))
    check(lambda t: of(*eigsh(operator(moved(t, SYMMETRIC, np.asarray) + skew), **OPTIONS)))


def test_second_derivatives_by_operators():
    """By each element of the matrix that an operator holds, and along a direction of all of them."""
    f = lambda X: of(*eigsh(operator(SYMMETRIC + X + X.T), **OPTIONS))  # noqa: E731 - one expression
    g = lambda X: of(*eigsh(SYMMETRIC + X + X.T, **OPTIONS))  # noqa: E731 - one expression
    X, V = np.zeros((N, N)), normal(N, N)
    np.testing.assert_allclose(hvp(f, X, V), hvp(g, X, V), rtol=1e-7, atol=1e-8)


def test_operators_in_lobpcg():
    """The same, by another method."""
    n = 40
    A, start = np.diag(np.arange(1.0, n + 1)), normal(n, 2)
    bend = np.diag(np.cos(np.arange(n)))
    value = lambda w, V: np.sum(w**2) + np.sum(V**4 * np.arange(1.0, n + 1)[:, None])  # noqa: E731 - one expression
    f = lambda t: value(*lobpcg(operator(A + t * bend), start, tol=1e-9, maxiter=500))  # noqa: E731 - one expression
    g = lambda t: value(*eigsh(A + t * bend, 2, v0=np.ones(n)))  # noqa: E731 - one expression
    np.testing.assert_allclose(grad(f)(0.1), grad(g)(0.1), rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (0.1,), (1.0,))[1], grad(g)(0.1), rtol=1e-6)


def test_operators_that_are_refused():
    """Left eigenvectors are not known of an operator, nor are the elements of a pencil."""
    with pytest.raises(TypeError, match="would take left eigenvectors"):
        grad(lambda t: eigs(operator(GENERAL * t), **OPTIONS)[0][0].real)(1.0)
    with pytest.raises(TypeError, match="give both as sparse or dense matrices"):
        grad(lambda t: eigsh(operator(SYMMETRIC * t), **OPTIONS, M=METRIC)[0][0])(1.0)


@pytest.mark.parametrize("history", ["retLambdaHistory", "retResidualNormsHistory"])
def test_the_course_of_an_iteration_is_refused(history):
    """By keyword and by position."""
    start = normal(N, 1)
    with pytest.raises(ValueError, match=r"retLambdaHistory=True.* Leave them out"):
        grad(lambda t: lobpcg(SYMMETRIC * t, start, **{history: True})[0][0])(1.0)
    with pytest.raises(ValueError, match="Leave them out"):
        grad(lambda t: lobpcg(SYMMETRIC * t, start, None, None, None, None, None, True, 0, True)[0][0])(1.0)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_values_alone_of_half_a_pair(seed):
    """Of two conjugate values of which one is asked for, SciPy returns another one without vectors."""
    A = scipy.sparse.csc_array(np.random.default_rng(seed).normal(size=(8, 8)))
    k = 2 if seed == 0 else 3
    f = lambda x: eigs(A * x, k, v0=np.ones(8), return_eigenvectors=False)  # noqa: E731 - one expression

    w, w_dot = jvp(f, (1.0,), (1.0,))
    np.testing.assert_allclose(w, f(1.0), rtol=1e-8)
    np.testing.assert_allclose(w_dot, w, rtol=1e-6)
    np.testing.assert_allclose(grad(lambda x: np.sum(f(x).imag))(1.0), np.sum(f(1.0).imag), rtol=1e-6)


def test_values_alone_that_are_others():
    """Which cannot be told from wrong ones."""
    with pytest.raises(ValueError, match="returns other eigenvalues than with vectors"):
        eigenvalues._in_order(np.array([3.0, 2.0]), np.eye(2), np.eye(2), np.array([3.0, 1.0]), "eigsh")


def test_buckling():
    """The vectors are normalised by the first matrix."""
    options = {"sigma": 1.5, "mode": "buckling", **OPTIONS}
    check(lambda t: of(*eigsh(moved(t, SYMMETRIC + 2 * np.eye(N)), M=METRIC, **options)))
    check(lambda t: of(*eigsh(SYMMETRIC + 2 * np.eye(N), M=moved(t, METRIC), **options)))
    check(lambda t: of(*eigsh(moved(t, SYMMETRIC + 2 * np.eye(N)), **options)))
    values = lambda t: eigsh(moved(t, METRIC), return_eigenvectors=False, **options)  # noqa: E731 - one expression
    check(lambda t: np.sum(values(t) ** 2))
