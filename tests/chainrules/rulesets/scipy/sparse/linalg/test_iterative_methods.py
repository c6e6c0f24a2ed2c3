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
from chainrules_core import (
    NO_TANGENT,
    DerivativeNotImplementedError,
    NotImplementedTangent,
    Tangent,
    frule,
    rrule,
    unthunk,
)
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
    """It is not met by a zero solution where a cotangent is small, or the right side is large."""
    A, b = matrix(cg), normal(5)
    for size in (1.0, 1e6):
        f = lambda b, size=size: 1e-9 * np.sum(cg(A, b, rtol=0.0, atol=1e-8 * size)[0])  # noqa: E731 - one expression
        np.testing.assert_allclose(grad(f)(size * b) * 1e9, np.linalg.inv(A).T @ np.ones(5), rtol=1e-6)


@pytest.mark.parametrize("solver", [cg, gmres])
def test_operators(solver):
    """Of an operator only products are computed."""
    A, b = matrix(solver), normal(5)
    operator = LinearOperator(A.shape, matvec=A.__matmul__, rmatvec=A.T.__matmul__, dtype=float)
    np.testing.assert_allclose(
        grad(lambda b: np.sum(solver(operator, b, **OPTIONS)[0] ** 2))(b),
        grad(lambda b: np.sum(np.linalg.solve(A, b) ** 2))(b),
        rtol=1e-8,
    )


def held(A, has_adjoint=True):
    """An operator that closes over a matrix."""
    rmatvec = (lambda v: A.conj().T @ v) if has_adjoint else None
    return LinearOperator(A.shape, matvec=lambda v: A @ v, rmatvec=rmatvec, dtype=A.dtype)


def check_like_direct(f, direct, *args):
    """Compare gradients, tangents and second derivatives with those of a direct solution."""
    places = tuple(range(len(args)))
    for x_bar, expected in zip(grad(f, places)(*args), grad(direct, places)(*args), strict=True):
        np.testing.assert_allclose(x_bar, expected, rtol=1e-8, atol=1e-9)
    dots = tuple(normal(*np.shape(x), seed=7) if np.ndim(x) else 0.3 for x in args)
    np.testing.assert_allclose(jvp(f, args, dots)[1], jvp(direct, args, dots)[1], rtol=1e-8)
    np.testing.assert_allclose(hessian(f)(*args), hessian(direct)(*args), rtol=1e-7, atol=1e-8)


def direct(t, A, b):
    """A function of a direct solution."""
    return np.sum(np.sin(np.linalg.solve(A * t, b)))


@pytest.mark.parametrize("solver", HERMITIAN + GENERAL)
@pytest.mark.parametrize("form", [held, aslinearoperator])
def test_operators_that_hold_what_is_differentiated(solver, form):
    """The cotangent of an operator is the pull back of its product, also by each entry of a matrix."""
    f = lambda t, A, b: np.sum(np.sin(solver(form(A * t), b, **OPTIONS)[0]))  # noqa: E731 - one expression
    check_like_direct(f, direct, 2.0, matrix(solver), normal(5))


def normal_operator(op):
    """The product with its transpose."""
    return op.T @ op


COMPOSED = {
    "scaled": (lambda t: t * aslinearoperator(SYMMETRIC), lambda t: t * SYMMETRIC),
    "sum": (
        lambda t: aslinearoperator(SYMMETRIC * t) + held(SYMMETRIC) * t,
        lambda t: 2 * t * SYMMETRIC,
    ),
    "difference": (lambda t: -held(DIRECT * t) - held(DIRECT), lambda t: -(t + 1) * DIRECT),
    "product": (
        lambda t: aslinearoperator(SYMMETRIC * t) @ held(DIRECT * t),
        lambda t: t * t * SYMMETRIC @ DIRECT,
    ),
    "power": (lambda t: held(DIRECT * t) ** 2, lambda t: t * t * DIRECT @ DIRECT),
    "adjoint": (lambda t: aslinearoperator(DIRECT * t).H, lambda t: t * DIRECT.T),
    "transpose": (lambda t: held(DIRECT * t).T, lambda t: t * DIRECT.T),
    "normal equations": (
        lambda t: normal_operator(held(DIRECT * t)),
        lambda t: t * t * DIRECT.T @ DIRECT,
    ),
    "of a sparse matrix": (
        lambda t: aslinearoperator(scipy.sparse.csr_array(DIRECT) * t),
        lambda t: t * DIRECT,
    ),
}


@pytest.mark.parametrize(("operator", "equal"), COMPOSED.values(), ids=COMPOSED)
def test_operators_of_operators(operator, equal):
    """Sums, products, adjoints and multiples, as SciPy makes them."""
    check_like_direct(
        lambda t, b: np.sum(np.sin(gmres(operator(t), b, **OPTIONS)[0])),
        lambda t, b: direct(1.0, equal(t), b),
        2.0,
        normal(5),
    )


@pytest.mark.parametrize("solver", HERMITIAN)
def test_hermitian_operators_need_no_adjoint(solver):
    """They are their own adjoints."""
    A, b = matrix(solver), normal(5)
    check_like_direct(
        lambda t, b: np.sum(np.sin(solver(held(A * t, has_adjoint=False), b, **OPTIONS)[0])),
        lambda t, b: direct(t, A, b),
        2.0,
        b,
    )


@pytest.mark.parametrize("solver", [cg, bicg, gmres, bicgstab])
def test_complex_operators(solver):
    """The adjoint, and no mere transpose; real parts have real gradients."""
    A, b = matrix(solver, complex), normal(5, dtype=complex)
    f = lambda t, b: np.sum(np.abs(solver(held(A * t), b, **OPTIONS)[0]) ** 4)  # noqa: E731 - one expression
    g = lambda t, b: np.sum(np.abs(np.linalg.solve(A * t, b)) ** 4)  # noqa: E731 - one expression
    for x_bar, expected in zip(grad(f, (0, 1))(2.0, b), grad(g, (0, 1))(2.0, b), strict=True):
        np.testing.assert_allclose(x_bar, expected, rtol=1e-8)


def test_single_precision():
    """A gradient has the precision of its argument."""
    A, b = DIRECT.astype(np.float32), normal(5).astype(np.float32)
    f = lambda A: np.sum(gmres(held(A), b, rtol=1e-6)[0])  # noqa: E731 - one expression
    gradient = grad(f)(A)
    assert gradient.dtype == np.float32
    expected = grad(lambda A: np.sum(np.linalg.solve(A, b)))(A)
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-5)  # single precision


def test_an_operator_without_an_adjoint():
    """What to write is said, for the system and for its preconditioner; forwards none is needed."""
    b = normal(5)
    operator = lambda t: held(DIRECT * t, has_adjoint=False)  # noqa: E731 - one expression
    with pytest.raises(
        NotImplementedError, match=r"write `LinearOperator\(shape, matvec=..., rmatvec=...\)`"
    ):
        grad(lambda t: np.sum(gmres(operator(t), b, **OPTIONS)[0]))(2.0)
    with pytest.raises(NotImplementedError, match="also for a preconditioner"):
        grad(lambda t: np.sum(gmres(DIRECT * t, b, M=held(np.eye(5), has_adjoint=False), **OPTIONS)[0]))(2.0)
    x_dot = jvp(lambda t: gmres(operator(t), b, **OPTIONS)[0], (2.0,), (1.0,))[1]
    np.testing.assert_allclose(x_dot, -np.linalg.solve(DIRECT, b) / 4, rtol=1e-8)


def test_a_derivative_that_is_missing_in_an_adjoint_is_said():
    """It is not taken for an adjoint that is missing."""

    def refused(v):
        raise DerivativeNotImplementedError("no derivative")

    operator = LinearOperator(SYMMETRIC.shape, matvec=SYMMETRIC.__matmul__, rmatvec=refused, dtype=float)
    with pytest.raises(DerivativeNotImplementedError, match="no derivative"):
        grad(lambda b: np.sum(cg(operator, b)[0]))(normal(5))


def test_operators_without_an_ad_system():
    """A rule that cannot differentiate the function of an operator says so where its cotangent is used."""
    b = normal(5)
    _, pullback = rrule(cg, held(SYMMETRIC), b, **OPTIONS)
    A_bar, b_bar = map(unthunk, pullback((np.ones(5), 0))[1:])
    assert isinstance(A_bar, NotImplementedTangent)
    np.testing.assert_allclose(b_bar, np.linalg.solve(SYMMETRIC, np.ones(5)))
    A = aslinearoperator(SYMMETRIC)
    assert frule((NO_TANGENT, Tangent[type(A)](A=SYMMETRIC), b), cg, A, b) is None
    (_, info), x_dot = frule((NO_TANGENT, NO_TANGENT, b), cg, A, b, **OPTIONS)
    assert info == 0
    np.testing.assert_allclose(x_dot[0], np.linalg.solve(SYMMETRIC, b))


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
