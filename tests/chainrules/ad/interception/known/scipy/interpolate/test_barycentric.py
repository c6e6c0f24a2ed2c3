"""Interpolants in barycentric form, at their nodes too, against finite differences."""

import numpy as np
import pytest
from scipy import interpolate

from chainrules.ad import grad, hessian, jvp
from chainrules_testutils import jacobian

NODES = np.linspace(0.0, 1.0, 6)
VALUES = np.sin(3.0 * NODES)
FORMS = {
    "polynomial": lambda x, y, at: interpolate.BarycentricInterpolator(x, y)(at),
    "function": interpolate.barycentric_interpolate,
    "derivative": lambda x, y, at: interpolate.BarycentricInterpolator(x, y).derivative(at),
    "columns": lambda x, y, at: interpolate.BarycentricInterpolator(x, np.stack([y, y * y], axis=1))(at),
    "rational": lambda x, y, at: interpolate.FloaterHormannInterpolator(x, y, d=3)(at),
}
PLACES = [0.37, 0.4, NODES[0], NODES[-1], np.array([0.4, 0.33, 0.0]), np.array([[0.2, 0.25], [1.0, 0.4]])]


@pytest.mark.parametrize("at", PLACES, ids=str)
@pytest.mark.parametrize("form", FORMS)
def test_derivatives(form, at):
    """By the place, the nodes and the values: a place at a node has the derivative of its neighbours."""
    f = FORMS[form]

    def total(x, y, at):
        return np.sum(np.sin(f(x, y, at)))

    args = NODES, VALUES, np.asarray(at) if np.ndim(at) else at
    expected = jacobian(None, total, *args)
    for derivative, one in zip(grad(total, argnums=(0, 1, 2))(*args), expected, strict=True):
        np.testing.assert_allclose(np.ravel(derivative), np.ravel(one), rtol=1e-6, atol=1e-8)
    y, y_dot = jvp(lambda at: f(NODES, VALUES, at), args[2:], (np.ones_like(at),))
    np.testing.assert_allclose(y, f(*args), rtol=1e-14, atol=1e-15)
    after, before = (np.asarray(f(NODES, VALUES, at + h)) for h in (1e-5, -1e-5))
    np.testing.assert_allclose(y_dot, (after - before) / 2e-5, rtol=1e-6, atol=1e-8)


def test_values_at_nodes_are_those_of_the_nodes():
    """To the last digit."""
    y, _ = jvp(lambda at: FORMS["polynomial"](NODES, VALUES, at), (NODES,), (NODES,))
    assert y.tolist() == VALUES.tolist()


def test_second_derivatives_at_a_node():
    """The formula at a node is exact, not a first term."""

    def f(u):
        return interpolate.BarycentricInterpolator(NODES + u[1] * NODES**2, VALUES)(u[0])

    (expected,) = jacobian(None, grad(f), np.array([0.4, 0.0]))
    np.testing.assert_allclose(hessian(f)(np.array([0.4, 0.0])), expected, rtol=1e-6)


def test_support_points_of_a_rational_approximation():
    """Which SciPy chooses among the points, and so are places that one looks at."""
    x = np.linspace(-1.0, 1.0, 40)
    for at in (*x[[0, 17, 39]], 0.123):
        expected = np.exp(at) * np.cos(3 * at) - 3 * np.exp(at) * np.sin(3 * at)
        slope = grad(lambda at: interpolate.AAA(x, np.exp(x) * np.cos(3 * x))(at))(at)
        np.testing.assert_allclose(slope, expected, rtol=1e-8)


def test_far_places():
    """At infinity a rational function has its limit, and no derivative is lost elsewhere."""
    f = interpolate.FloaterHormannInterpolator(NODES, VALUES, d=3)
    y, y_dot = jvp(f, (np.array([np.inf, 0.4]),), (np.ones(2),))
    np.testing.assert_allclose(y, f(np.array([np.inf, 0.4])))
    np.testing.assert_allclose(y_dot, [0.0, (f(0.4 + 1e-6) - f(0.4 - 1e-6)) / 2e-6], rtol=1e-8)


def test_no_places():
    """There is nothing to differentiate."""
    assert grad(lambda y: 2.0 * y[0] + np.sum(FORMS["polynomial"](NODES, y, np.zeros(0))))(VALUES)[0] == 2.0
