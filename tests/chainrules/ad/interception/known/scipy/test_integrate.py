"""What takes its steps where the program can see them is followed; what hides them says what to write."""

import numpy as np
import pytest
from scipy.integrate import LSODA, RK45, Radau, complex_ode, ode, solve_bvp

from chainrules.ad import grad, jvp


@pytest.mark.parametrize("solver", [RK45, Radau])
def test_objects_that_solve_step_by_step(solver):
    """The steps, and what is between them."""

    def f(p):
        steps = solver(lambda t, y: -p * y, 0.0, [1.0], p, rtol=1e-7, atol=1e-9)
        while steps.status == "running":
            steps.step()
        return steps.y[0] + steps.dense_output()(p - 1e-3)[0]

    slope = (f(0.5 + 1e-5) - f(0.5 - 1e-5)) / 2e-5
    np.testing.assert_allclose([grad(f)(0.5), jvp(f, (0.5,), (1.0,))[1]], slope, rtol=1e-5)


@pytest.mark.parametrize("solver", [ode, complex_ode, lambda f: LSODA(f, 0.0, [1.0], 1.0)])
def test_steps_in_code_in_c(solver):
    """The error says what to write instead."""
    with pytest.raises(TypeError, match="Its steps are taken by code in C: write `solve_ivp`"):
        grad(lambda p: solver(lambda t, y: -p * y).t)(0.5)


def test_constant_boundary_values():
    """A problem without traced numbers keeps SciPy's spline."""

    def f(p):
        found = solve_bvp(
            lambda t, y: np.stack([y[1], t]), lambda a, b: np.stack([a[0], b[0]]), [0.0, 1.0], np.ones((2, 2))
        )
        return p * found.sol(0.5)[0]

    np.testing.assert_allclose(grad(f)(2.0), -1.0 / 16.0)
