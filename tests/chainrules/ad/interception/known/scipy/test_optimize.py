"""Functions of `scipy.optimize` that are entered, or whose result is computed anew."""

import numpy as np
import pytest
from scipy import optimize

from chainrules.ad import grad, jvp
from chainrules_testutils import jacobian

X = np.array([0.3, 0.9, 1.4, 2.2])
PROGRAMS = {
    "bracket": lambda x: optimize.bracket(lambda t: (t - 30.0 - x[0]) ** 4 + np.sin(t * x[1]))[1],
    "line_search": lambda x: optimize.line_search(
        lambda t: np.sum((t - x) ** 4), lambda t: 4.0 * (t - x) ** 3, np.zeros(4), 30.0 * x
    )[3],
    "inverse Hessian": lambda x: (
        optimize.LbfgsInvHessProduct(x[:2].reshape(1, 2), x[2:].reshape(1, 2)) @ np.eye(2)
    )[0, 1],
    "its product": lambda x: optimize.LbfgsInvHessProduct(np.eye(2, 4) + x, x + np.ones((2, 4))).matvec(x)[0],
    "check_grad": lambda x: optimize.check_grad(lambda t: np.sum(t**2), np.sin, x, epsilon=0.1),
    "its arguments": lambda x: optimize.check_grad(
        lambda t, a: np.sum(t**2), lambda t, a: t * np.sin(a), x, x[0], epsilon=0.1
    ),
    "its direction": lambda x: optimize.check_grad(
        lambda t: np.sum(t**2), np.sin, x, epsilon=0.1, direction="random", seed=1
    ),
    "quadratic_assignment": lambda x: (
        optimize.quadratic_assignment(
            np.outer(x, x[::-1] ** 2), np.outer(np.sin(x), x), method="2opt", options={"rng": 0}
        ).fun
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_results_of_steps(name):
    """What steps lead to is their result, and no solution that they come near."""
    f = PROGRAMS[name]
    gradient = grad(f)(X)
    np.testing.assert_allclose(gradient, jacobian(None, f, X)[0][0], rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(jvp(f, (X,), (X,))[1], gradient @ X, atol=1e-12)


@pytest.mark.parametrize("given", [lambda a: (a,), lambda a: a])
def test_arguments_of_direct(given):
    """It takes them by keyword alone: the function that is called has them."""

    def f(a):
        found = optimize.direct(lambda x, a: np.sum((x - a) ** 2 + a**3), [(-3, 3)], args=given(a))
        return found.x[0] + found.fun

    # The search ends half of a millionth beside the minimum.
    np.testing.assert_allclose(grad(f)(0.3), 1.0 + 3 * 0.3**2, rtol=1e-5)
    np.testing.assert_allclose(jvp(f, (0.3,), (1.0,))[1], grad(f)(0.3))


def by_filled_slope(x, search):
    """The minimum of a square, whose slope is an array that the program fills."""

    def slope(t):
        y = np.zeros(4)
        for k in range(4):
            y[k] = 2.0 * (t[k] - x[k])
        return y

    return search(lambda t: np.sum((t - x) ** 2), slope)


@pytest.mark.parametrize(
    "search",
    [
        lambda f, slope: optimize.minimize(f, np.zeros(4), method="SLSQP", jac=slope).x,
        lambda f, slope: optimize.minimize(f, np.zeros(4), (), "SLSQP", slope).x,
        lambda f, slope: optimize.fmin_slsqp(f, np.zeros(4), fprime=slope, iprint=0),
    ],
)
def test_slopes_that_are_filled(search):
    """The code in C takes plain arrays alone."""
    np.testing.assert_allclose(grad(lambda x: by_filled_slope(x, search) @ X)(X), X, rtol=1e-6)
    np.testing.assert_allclose(jvp(lambda x: by_filled_slope(x, search), (X,), (X,))[1], X, rtol=1e-6)
