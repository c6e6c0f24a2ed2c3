"""What is given to SciPy's iterative solvers beside a system; and sparse matrices of the older kind."""

import numpy as np
import pytest
import scipy.sparse.linalg
from scipy.sparse import csr_array, csr_matrix
from scipy.sparse.linalg import (
    LinearOperator,
    bicg,
    bicgstab,
    cg,
    cgs,
    expm,
    expm_multiply,
    gcrotmk,
    gmres,
    lgmres,
    minres,
    norm,
    qmr,
)

from chainrules.ad import grad, hessian, jvp
from chainrules.ad.interception.choosing.choosing import choose
from chainrules_testutils import jacobian
from tests.python_calls import functions_run_by

A, B = np.diag([4.0, 5.0, 6.0]) + 1.0, np.array([1.0, 2.0, -1.0])
INVERSE = np.linalg.inv(A)
DIRECT = grad(lambda t: np.sum(np.linalg.solve(A * t, B) ** 2))(2.0)


def preconditioner(M):
    """A preconditioner that closes over a matrix."""
    return LinearOperator(M.shape, matvec=lambda v: M @ v, rmatvec=lambda v: M.T @ v, dtype=float)


@pytest.mark.parametrize("solver", [cg, minres, bicg, bicgstab, cgs, gmres, lgmres, gcrotmk])
@pytest.mark.parametrize("form", [np.asarray, preconditioner])
def test_preconditioners(solver, form):
    """They may depend on the arguments, or be made of arrays inside the function."""
    by_argument = grad(lambda t: np.sum(solver(A * t, B, M=form(INVERSE / t), rtol=1e-12)[0] ** 2))(2.0)
    made_inside = grad(lambda t: np.sum(solver(A * t, B, M=form(np.eye(3)), rtol=1e-12)[0] ** 2))(2.0)
    np.testing.assert_allclose([by_argument, made_inside], DIRECT, rtol=1e-9)


def test_two_preconditioners():
    """Of a solver that takes one for each side."""

    def f(t):
        M1 = preconditioner(INVERSE / t)
        return np.sum(qmr(A * t, B, M1=M1, M2=preconditioner(np.eye(3)), rtol=1e-12)[0] ** 2)

    assert grad(f)(2.0) == pytest.approx(DIRECT, rel=1e-9)
    assert hessian(f)(2.0) == pytest.approx(-3 * DIRECT / 2.0, rel=1e-9)


class Product:
    """What multiplies like a matrix, and is no linear operator: SciPy takes it too."""

    def __init__(self, matrix):
        self.matrix, self.shape = matrix, matrix.shape

    def matvec(self, v):
        """The product."""
        return self.matrix @ v

    def rmatvec(self, v):
        """The product with the adjoint."""
        return self.matrix.T @ v


def test_objects_with_products():
    """They become linear operators."""
    f = lambda t: np.sum(gmres(Product(A * t), B, rtol=1e-12)[0] ** 2)  # noqa: E731 - one expression
    assert grad(f)(2.0) == pytest.approx(DIRECT, rel=1e-9)


def test_constants():
    """Without anything traced a solver is called as it is."""
    spilu = scipy.sparse.linalg.spilu(scipy.sparse.csc_array(A))
    M = LinearOperator(A.shape, matvec=spilu.solve)
    f = lambda b: np.sum(cg(A, b, M=M, rtol=1e-12)[0])  # noqa: E731 - one expression
    np.testing.assert_allclose(grad(f)(B), INVERSE @ np.ones(3), rtol=1e-9)
    assert grad(lambda t: t * np.sum(cg(A, B, M=M)[0]))(1.0) == pytest.approx(np.sum(INVERSE @ B))


def test_matrices_stay_what_they_are():
    """No operator is made of one; a call without a matrix is Python's error."""
    solve = choose(cg)
    assert "_operator" in functions_run_by(lambda: solve(Product(A), B))
    assert "_operator" not in functions_run_by(lambda: solve(A, B))
    with pytest.raises(TypeError, match="missing"):
        grad(lambda t: t * cg())(2.0)


C = np.array([[4.0, 1.0, 0.0], [-1.0, 5.0, 2.0], [0.0, 2.0, 6.5]])
D = np.array([[1.0, -1.0], [2.0, 0.0], [0.5, 3.0]])

PROGRAMS = {
    "norm of columns": lambda M: norm(M, 1),
    "norm of rows": lambda M: norm(M, ord=np.inf),
    "norms of columns": lambda M: np.sum(norm(M, axis=0) * np.arange(3.0)),
    "norms by another order": lambda M: np.sum(norm(M, 1, axis=1) ** 2),
    "norm of all": lambda M: norm(M),
    "exponential": lambda M: np.sum(expm_multiply(M, D) ** 2),
    "exponential at times": lambda M: np.sum(expm_multiply(M, D, start=0.0, stop=0.5, num=3) ** 2),
}


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_sparse_matrices(f):
    """They have the gradients that arrays have, as matrices."""
    gradient = grad(f)(csr_matrix(C))
    assert isinstance(gradient, csr_matrix)
    np.testing.assert_allclose(gradient.toarray(), grad(f)(csr_array(C)).toarray(), rtol=1e-13)


def test_sparse_matrices_that_are_constant():
    """Beside other traced values they are given as they are."""
    by_matrix, by_array = (
        grad(lambda b, form=form: np.sum(expm_multiply(form(C), b) ** 2))(D)
        for form in (csr_matrix, csr_array)
    )
    np.testing.assert_allclose(by_matrix, by_array, rtol=1e-13)


SHIFT = np.array([[1.0, 0.3], [0.2, -0.7]])
MATRICES = [np.zeros((2, 2)), 0.3 * np.eye(2), np.diag([0.3, -1.0]), np.array([[0.3, 2.0], [0.0, 0.5]])]
EXPONENTIALS = {
    "exponential": expm,
    "product": lambda A: expm_multiply(A, D[:2]),
    "products at times": lambda A: expm_multiply(A, D[:2], start=0.1, stop=1.0, num=3),
}


@pytest.mark.parametrize("A", MATRICES, ids=["zeros", "multiple", "diagonal", "triangle"])
@pytest.mark.parametrize("f", EXPONENTIALS.values(), ids=EXPONENTIALS)
def test_exponentials_of_simple_matrices(f, A):
    """Where SciPy needs no term of the series, or one triangle alone, all elements have derivatives."""
    y, y_dot = jvp(f, (A,), (SHIFT,))
    np.testing.assert_allclose(y, f(A), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(
        y_dot, (f(A + 1e-6 * SHIFT) - f(A - 1e-6 * SHIFT)) / 2e-6, rtol=1e-7, atol=1e-9
    )
    gradient = grad(lambda A: np.sum(f(A) ** 2))(A)
    np.testing.assert_allclose(np.sum(gradient * SHIFT), np.sum(2.0 * y * y_dot), rtol=1e-12)
    (expected,) = jacobian(None, lambda t: np.sum(jvp(f, (A + t * SHIFT,), (SHIFT,))[1]), 0.0)
    twice = jvp(lambda t: jvp(f, (A + t * SHIFT,), (SHIFT,))[1], (0.0,), (1.0,))[1]
    np.testing.assert_allclose(np.sum(twice), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "times", [{}, {"start": 0.0, "stop": 1.0, "num": 2}, {"start": 0.1, "stop": 1.0, "num": 5}]
)
@pytest.mark.parametrize("diagonal", [np.full(3, 2.0), np.zeros(3), np.array([2.0, -1.0, 0.5])])
def test_exponentials_of_linear_operators(times, diagonal):
    """The trace only steers: elements have derivatives where the operator is a multiple of the identity."""
    b, weights = np.array([1.0, 2.0, 3.0]), np.array([1.0, -1.0, 2.0])

    def f(x, trace):
        operator = LinearOperator(
            (3, 3), matvec=lambda v: x * np.ravel(v), rmatvec=lambda v: x * np.ravel(v), dtype=float
        )
        y = expm_multiply(operator, b, traceA=trace, **times)
        return np.sum(y * weights)

    t = np.linspace(0.1 if times.get("num") == 5 else 0.0, 1.0, times["num"]) if times else np.ones(1)
    at = t[:, np.newaxis]
    expected = np.sum(at * np.exp(at * diagonal) * b * weights, axis=0)
    for trace in (lambda x: np.sum(diagonal), np.sum):
        gradient = grad(lambda x, trace=trace: f(x, trace(x)))
        np.testing.assert_allclose(gradient(diagonal), expected, rtol=1e-12)
