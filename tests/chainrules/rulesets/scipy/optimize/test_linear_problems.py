"""The rules of linear problems: against finite differences, in both modes and to second order."""

import numpy as np
import pytest
from scipy.optimize import Bounds, linprog, lsq_linear, nnls
from scipy.sparse import csr_array

from chainrules.ad import ADConfig, grad, hessian, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised

rng = np.random.default_rng(0)
A, B = rng.normal(size=(7, 4)), 3.0 * rng.normal(size=7)
X = np.cos(np.arange(5.0))
COSTS, AROUND = np.array([1.0, -2.0, 0.5]), rng.normal(size=(3, 5))


def matrix(x):
    """One that depends on `x`."""
    return A + 0.1 * x[0] * x[1] * np.arange(4.0)


def program(x):
    """A linear program, with an unknown at a bound of each side and an inequality that holds nothing."""
    return linprog(
        COSTS + 0.01 * AROUND @ x,
        A_ub=np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 2.0]]) + 0.1 * x[:2, None] * x[:3],
        b_ub=np.stack([2.0 + 0.1 * x[0], 1.0]),
        A_eq=np.stack([[1.0, 2.0 + 0.1 * x[3], 0.5]]),
        b_eq=[1.5 * np.exp(x[2])],
        bounds=[(0, None), (0.1 * x[3], None), (0.2 * x[0], 3.0)],
    )


def inequalities(x):
    """A linear program that inequalities alone hold."""
    return linprog(-1.0 - x[:2] ** 2, [[2.0, 1.0], [1.0, 3.0]], np.stack([3.0 + x[0], 4.0]))


PROBLEMS = {
    "nnls": lambda x: nnls(matrix(x), B + x[2])[0],
    "rnorm": lambda x: nnls(matrix(x), B + x[2])[1],
    "free": lambda x: lsq_linear(matrix(x), B + x[2]).x,
    "bounds": lambda x: lsq_linear(matrix(x), B, (-1.0, np.stack([0.2 * x[0], 0.3, x[3], 4.0]))).x,
    "Bounds": lambda x: lsq_linear(matrix(x), B, Bounds(-1.0, np.stack([0.2 * x[0], 0.3, x[3], 4.0]))).x,
    "all held": lambda x: lsq_linear([[1.0]], [9.0], (0.0, x[0])).x,
    "cost": lambda x: lsq_linear(matrix(x), B + x[2], (-1.0, 0.5), tol=1e-14).cost,
    "fun": lambda x: lsq_linear(matrix(x), B + x[2], (-1.0, 0.5), tol=1e-14).fun,
    "program": lambda x: program(x).x,
    "value": lambda x: program(x).fun,
    "slack": lambda x: program(x).slack,
    "inequalities": lambda x: inequalities(x).x,
    "box": lambda x: linprog(COSTS, bounds=[(x[2], x[0])]).fun + linprog(COSTS, bounds=(-1, x[1])).fun,
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_solutions(name):
    """By matrices, sides and bounds; the solution, the value and the residuals."""
    weights = np.random.default_rng(1).normal(size=np.shape(PROBLEMS[name](X)))

    def f(x):
        return np.sum(weights * PROBLEMS[name](x))

    h, direction = 1e-5, np.sin(np.arange(1.0, 6.0))
    gradient = grad(f)(X)
    expected = (f(X + h * direction) - f(X - h * direction)) / (2.0 * h)
    np.testing.assert_allclose(gradient @ direction, expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (X,), (direction,))[1], gradient @ direction, rtol=1e-10, atol=1e-12)
    if name in {"nnls", "cost", "program"}:
        difference = grad(f)(X + h * direction) - grad(f)(X - h * direction)
        np.testing.assert_allclose(hessian(f)(X) @ direction, difference / (2.0 * h), rtol=1e-6, atol=1e-8)
    for solver in (nnls, lsq_linear, linprog):
        record_exercised(solver, frule.find(ADConfig(), (None,) * 2, solver, COSTS))
        record_exercised(solver, rrule.find(ADConfig(), solver, COSTS))


def test_the_value_of_a_program_has_the_marginals():
    """The envelope theorem."""
    upper = np.array([3.0, 4.0])

    def value(upper):
        return linprog([-1.0, -2.0], [[2.0, 1.0], [1.0, 3.0]], upper).fun

    expected = linprog([-1.0, -2.0], [[2.0, 1.0], [1.0, 3.0]], upper).ineqlin.marginals
    np.testing.assert_allclose(grad(value)(upper), expected)


REFUSED = {
    "dependent": (lambda x: lsq_linear(np.ones((3, 2)) * x[1], np.ones(3)).x[0], "depend on each other"),
    "at a bound": (lambda x: nnls(np.eye(2), x[0] * np.array([1.0, 0.0]))[0][0], "does not hold it"),
    "many": (
        lambda x: linprog(np.stack([x[0], x[0]]), [[-1, -1]], [-1.0]).x[0],
        "with the multiplier",
    ),
    "stopped": (
        lambda x: lsq_linear(matrix(x), B, (-9.0, 9.0), "trf", max_iter=1, lsq_solver="lsmr", lsmr_tol=0.9).x[
            0
        ],
        "did not converge",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_conditions(name):
    """Each is told."""
    f, message = REFUSED[name]
    for derive in (lambda: grad(f)(X), lambda: jvp(f, (X,), (X,))):
        with pytest.raises(NoDerivativeError, match=message):
            derive()


def test_a_program_without_a_solution():
    """There is nothing to differentiate."""
    with pytest.raises(NoDerivativeError, match="found no solution"):
        jvp(lambda x: linprog([1.0], [[1.0]], x), (np.array([-1.0]),), (np.ones(1),))


def test_what_is_not_implemented():
    """Sparse matrices, whole numbers, and multipliers."""
    with pytest.raises(DerivativeNotImplementedError, match="`lsq_linear` of a sparse matrix"):
        grad(lambda x: lsq_linear(csr_array(A), B * x[0]).x[0])(X)
    with pytest.raises(DerivativeNotImplementedError, match="in whole numbers"):
        grad(lambda x: linprog(COSTS * x[0], bounds=(0, 1), integrality=1).fun)(X)
    with pytest.raises(DerivativeNotImplementedError, match="the field `lower`"):
        grad(lambda x: program(x).lower.marginals[0])(X)
