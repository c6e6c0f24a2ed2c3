"""Some eigenvalues and eigenvectors of large matrices, in both modes and in second order."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, eigs, eigsh, lobpcg

from chainrules.ad import grad, jvp
from chainrules.rulesets.scipy.sparse.linalg import eigenvalues
from chainrules_core import NO_TANGENT, RuleNotFoundError, ZeroTangent, frule, rrule
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


def test_zeros_and_operators():
    """Zeros stay zeros; an operator has no entries to have a cotangent."""
    assert rrule(eigsh, SYMMETRIC, **OPTIONS)[1](ZeroTangent())[1] == ZeroTangent()
    assert frule((NO_TANGENT, ZeroTangent()), eigsh, SYMMETRIC, **OPTIONS)[1] == ZeroTangent()
    assert rrule(eigsh, LinearOperator((N, N), matvec=SYMMETRIC.__matmul__, dtype=float)) is None
    with pytest.raises((TypeError, RuleNotFoundError)):
        grad(lambda t: eigsh(_operator(t), **OPTIONS)[0][0])(1.0)


def _operator(t):
    return LinearOperator((N, N), matvec=lambda v: SYMMETRIC @ v * t, dtype=float)


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
