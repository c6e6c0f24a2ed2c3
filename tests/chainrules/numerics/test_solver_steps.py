"""Solutions of initial value problems, and the steps of a solver."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from chainrules.ad import ADConfig
from chainrules.numerics.solver_steps import METHODS, Problem, interpolated
from chainrules.operations.initial_value_problems import solution


def problem(t_span, t_eval):
    """A decay."""
    options = {"method": "RK45"}
    result = solution(lambda t, y: -y, t_span, [1.0, 2.0], None, t_eval, None, options)
    return Problem(
        solution, ADConfig(), lambda t, y: -y, t_span, [1.0, 2.0], (), t_eval, None, options, result
    )


def test_the_ends_of_steps():
    """They hold the steps of the solver and the times of the result, in the order of the solution."""
    forwards, backwards = problem((0.0, 2.0), [0.5, 1.0]), problem((2.0, 0.0), [1.0, 0.5])
    for x, sign in ((forwards, 1.0), (backwards, -1.0)):
        own = x.outputs[0]
        assert np.all(sign * np.diff(x.ends) > 0.0)
        assert set(x.result["sol"].ts) | {0.5, 1.0} == set(x.ends)
        np.testing.assert_array_equal(x.ends[x.places(own)], own.t)
        np.testing.assert_array_equal(x.times, x.ends)


def test_points():
    """The last one of a step is its end, and the solution there is that of the solver."""
    x = problem((0.0, 2.0), None)
    t, y = x.points()
    s = len(x.collocation.points)
    np.testing.assert_array_equal(t[s - 1 :: s], x.ends[1:])
    np.testing.assert_allclose(y[:, s - 1 :: s], x.result["y"][:, 1:], rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("t_span", [(0.0, 3.0), (3.0, 0.0)])
def test_the_solution_between_steps(method, t_span):
    """It is SciPy's own, at ends of steps as well, of which each belongs to the step before."""
    dense = solve_ivp(lambda t, y: [y[1], -t * y[0]], t_span, [1.0, 2.0], method, dense_output=True).sol
    t = np.concatenate([dense.ts, np.linspace(*t_span, 40)])
    t = np.sort(t) if t_span[0] < t_span[1] else -np.sort(-t)
    np.testing.assert_allclose(interpolated(dense, t), dense(t), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize("method", ["RK23", "RK45"])
def test_a_complex_solution_that_an_event_ends(method):
    """The last step ends after the last time."""

    def event(t, y):
        return y[0].imag - 0.5

    event.terminal = True
    found = solve_ivp(lambda t, y: 1j * y, (0.0, 3.0), [1.0 + 0.0j], method, events=event, dense_output=True)
    t = np.append(np.linspace(0.0, found.t[-1], 20), found.t[-1])
    np.testing.assert_allclose(interpolated(found.sol, t), found.sol(t), rtol=1e-14)


def test_columns_in_rows():
    """What belongs to times of the result stands at their ends of steps, with zeros at the others."""
    x = problem((0.0, 2.0), [0.5, 1.0])
    rows = x.at_ends(x.outputs[0], np.array([[1.0, 2.0], [3.0, 4.0]]))
    np.testing.assert_array_equal(rows[x.places(x.outputs[0])], [[1.0, 3.0], [2.0, 4.0]])
    assert np.sum(rows) == 10.0
