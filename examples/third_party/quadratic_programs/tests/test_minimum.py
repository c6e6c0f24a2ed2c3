"""The rules, by the testers of `chainrules-testutils`, and a layer that is trained."""

import numpy as np
import pytest
from quadratic_programs import NotSolvedError, minimum

from chainrules.ad import grad, value_and_grad
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule

rng = np.random.default_rng(0)
B = rng.normal(size=(3, 3))
Q, q = B @ B.T + np.eye(3), np.array([-4.0, 1.0, 2.0])
A, b = np.concatenate([np.eye(3), np.ones((1, 3))]), np.array([0.3, 5.0, 5.0, 4.0])
V = rng.normal(size=(3, 3))
SYMMETRIC = PrimalAndTangent(Q, V + V.T)


def test_values():
    """The minimum is where the conditions of optimality hold, with one inequality at work."""
    x, multipliers = minimum(Q, q, A, b)
    np.testing.assert_allclose(Q @ x + q + A.T @ multipliers, 0.0, atol=1e-10)
    np.testing.assert_allclose(x[0], 0.3)
    assert np.all(A @ x <= b + 1e-10)
    assert (multipliers > 1e-6).tolist() == [True, False, False, False]


def test_rules():
    """In both modes, by all arguments, of the minimum and the multipliers."""
    test_frule(minimum, SYMMETRIC, q, A, b, rtol=1e-6, atol=1e-6)
    test_rrule(minimum, Q, q, A, b, rtol=1e-6, atol=1e-6)


def test_no_inequality_at_work():
    """Then it is the minimum without any, and the bounds do not matter."""
    far = b + 100.0
    np.testing.assert_allclose(minimum(Q, q, A, far).x, -np.linalg.solve(Q, q))
    np.testing.assert_allclose(grad(lambda b: np.sum(minimum(Q, q, A, b).x))(far), 0.0, atol=1e-9)


def test_without_inequalities():
    """There may be none."""
    no_rows, no_bounds = np.zeros((0, 3)), np.zeros(0)
    np.testing.assert_allclose(minimum(Q, q, no_rows, no_bounds).x, -np.linalg.solve(Q, q))
    inverse = grad(lambda q: np.sum(minimum(Q, q, no_rows, no_bounds).x))(q)
    np.testing.assert_allclose(inverse, -np.linalg.solve(Q, np.ones(3)))


def test_what_has_no_solution():
    """It is an error, and not a number."""
    with pytest.raises(NotSolvedError, match="2 inequalities"):
        minimum(np.eye(1), np.zeros(1), np.array([[1.0], [-1.0]]), np.array([-1.0, -1.0]))


def test_a_layer_learns():
    """Bounds are found from where minima were, through the conditions of optimality."""
    costs = rng.normal(size=(8, 3)) - 2.0
    actual = np.array([0.3, 0.5, 5.0, 4.0])
    seen = [minimum(Q, cost, A, actual).x for cost in costs]

    def loss(bounds):
        errors = [minimum(Q, cost, A, bounds).x - x for cost, x in zip(costs, seen, strict=True)]
        return sum(error @ error for error in errors)

    bounds = np.array([0.6, 0.9, 5.0, 4.0])
    first = loss(bounds)
    for _ in range(60):
        value, gradient = value_and_grad(loss)(bounds)
        bounds = bounds - 0.05 * gradient
    assert value < 0.01 * first
