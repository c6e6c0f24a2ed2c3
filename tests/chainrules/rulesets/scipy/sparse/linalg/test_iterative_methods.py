"""Iterative solvers: both modes, on sparse and dense matrices; derivatives are systems of the same kind."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import (
    LinearOperator,
    aslinearoperator,
    bicg,
    bicgstab,
    cg,
    cgs,
    gcrotmk,
    gmres,
    lgmres,
    minres,
    qmr,
    spsolve,
    tfqmr,
)

from chainrules.ad import grad, hessian, jvp
from chainrules_core import rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import same_pattern

HERMITIAN = [cg, minres]
GENERAL = [bicg, bicgstab, cgs, gmres, lgmres, qmr, gcrotmk, tfqmr]

# Solutions are as accurate as the solvers are told to be.
OPTIONS = {"rtol": 1e-13}
CLOSE = {"rtol": 1e-6, "atol": 1e-6}

DIRECT = np.eye(5) * 5 + np.eye(5, k=1) + np.eye(5, k=-2)
SYMMETRIC = np.eye(5) * 5 + np.eye(5, k=1) + np.eye(5, k=-1)


def matrix(solver, dtype=float):
    """A well-conditioned matrix, Hermitian where the solver wants that."""
    A = (SYMMETRIC if solver in HERMITIAN else DIRECT).astype(dtype)
    if dtype is complex:
        lower = 1j * np.tril(A, -1)
        A += lower - lower.T if solver in HERMITIAN else lower
    return A


@pytest.mark.parametrize("solver", HERMITIAN + GENERAL)
@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_array])
def test_solutions(solver, form):
    """By the matrix and by the right side; nothing by the number that tells of convergence."""
    A, b = form(matrix(solver)), normal(5)
    test_frule(solver, A, b, fkwargs=OPTIONS, **CLOSE)
    test_rrule(solver, A, b, fkwargs=OPTIONS, **CLOSE)


@pytest.mark.parametrize("solver", [cg, *GENERAL])  # `minres` is for real numbers
def test_complex_systems(solver):
    """The adjoint, and no mere transpose."""
    A, b = scipy.sparse.csr_array(matrix(solver, complex)), normal(5, dtype=complex)
    test_frule(solver, A, b, fkwargs=OPTIONS, **CLOSE)
    test_rrule(solver, A, b, fkwargs=OPTIONS, **CLOSE)


@pytest.mark.parametrize("solver", [cg, minres, gmres, lgmres])
def test_second_derivatives(solver):
    """As of a direct solver, entry by entry."""
    A, b = scipy.sparse.csr_array(matrix(solver)), normal(5)

    def by(solve):
        return lambda entries: np.sum(
            solve(scipy.sparse.csr_array((entries, A.indices, A.indptr), shape=A.shape)) ** 2
        )

    f, g = by(lambda A: solver(A, b, **OPTIONS)[0]), by(lambda A: spsolve(A, b))
    np.testing.assert_allclose(grad(f)(A.data), grad(g)(A.data), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(hessian(f)(A.data), hessian(g)(A.data), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(jvp(f, (A.data,), (A.data,))[1], jvp(g, (A.data,), (A.data,))[1], rtol=1e-8)


@pytest.mark.parametrize("solver", [cg, gmres, bicgstab])
def test_the_initial_guess_has_no_derivative(solver):
    """Wherever it begins, a solver finds the solution."""
    A, b = matrix(solver), normal(5)
    _, pullback = rrule(solver, A, b, normal(5), **OPTIONS)
    assert [bool(np.any(bar != 0)) for bar in map(unthunk, pullback((np.ones(5), 0))[1:3])] == [True, True]
    assert not grad(lambda x0: np.sum(solver(A, b, x0, **OPTIONS)[0]))(np.ones(5)).any()


@pytest.mark.parametrize("solver", [gmres, cg, bicgstab, qmr])
def test_preconditioners(solver):
    """The adjoint system has the adjoint preconditioner: with the inverse it converges in one step."""
    A, b = matrix(solver), normal(5)
    inverse = np.linalg.inv(A)
    names = ("M1", "M2") if solver is qmr else ("M",)
    exact = dict(zip(names, (inverse, np.eye(5)), strict=False))
    for form in (aslinearoperator,) if solver is qmr else (aslinearoperator, np.asarray):
        preconditioners = {name: form(M) for name, M in exact.items()}
        _, pullback = rrule(solver, A, b, maxiter=2, **OPTIONS, **preconditioners)
        np.testing.assert_allclose(pullback((np.ones(5), 0))[2], inverse.T @ np.ones(5))


def test_an_absolute_tolerance_follows_the_right_side():
    """It is not met by a zero solution where a cotangent is small."""
    A, b = matrix(cg), normal(5)
    f = lambda b: 1e-9 * np.sum(cg(A, b, rtol=0.0, atol=1e-8)[0])  # noqa: E731 - one expression
    np.testing.assert_allclose(grad(f)(b) * 1e9, np.linalg.inv(A).T @ np.ones(5), rtol=1e-6)


@pytest.mark.parametrize("solver", [cg, gmres])
def test_operators(solver):
    """Of an operator only products are computed; it is a constant."""
    A, b = matrix(solver), normal(5)
    operator = LinearOperator(A.shape, matvec=A.__matmul__, rmatvec=A.T.__matmul__, dtype=float)
    np.testing.assert_allclose(
        grad(lambda b: np.sum(solver(operator, b, **OPTIONS)[0] ** 2))(b),
        grad(lambda b: np.sum(np.linalg.solve(A, b) ** 2))(b),
        rtol=1e-8,
    )


def test_operators_that_hold_traced_values_are_refused():
    """An error, since the derivative would be lost."""
    A, b = matrix(cg), normal(5)

    def f(t):
        operator = LinearOperator(A.shape, matvec=lambda v: A @ v * t, dtype=float)
        return np.sum(cg(operator, b)[0])

    with pytest.raises(TypeError, match=r"would lose its derivative|leaves no trace for the derivative"):
        grad(f)(2.0)


def test_what_did_not_converge_is_refused():
    """It is no solution, so that the derivative of a solution is not its derivative."""
    A, b = matrix(gmres), normal(5)
    with pytest.raises(np.linalg.LinAlgError, match="gmres did not converge"):
        grad(lambda b: np.sum(gmres(A, b, maxiter=1, restart=1)[0]))(b)
    with pytest.raises(np.linalg.LinAlgError, match="the cotangent of bicgstab did not converge"):
        # One step suffices for the right side, an eigenvector, and not for the cotangent.
        rrule(bicgstab, np.diag(np.arange(1.0, 6)), np.eye(5)[0], **OPTIONS, maxiter=1)[1]((b, 0))


def test_cotangents_keep_the_pattern():
    """The matrix has entries where it stored some."""
    A = scipy.sparse.csr_array(matrix(cg))
    _, pullback = rrule(cg, A, normal(5), **OPTIONS)
    assert same_pattern(unthunk(pullback((normal(5), 0))[1]), A)


def test_tfqmr_with_a_preconditioner():
    """What SciPy returns is no solution."""
    A, b = scipy.sparse.csr_array(np.diag([2.0, 3.0]) + 0.5), np.ones(2)
    with pytest.raises(ValueError, match="does not solve the system"):
        rrule(tfqmr, A, b, M=np.diag([0.5, 0.3]))
