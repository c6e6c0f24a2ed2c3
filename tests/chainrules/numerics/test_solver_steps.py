"""Solutions of initial value problems, and the steps of a solver."""

import numpy as np

from chainrules.ad import ADConfig
from chainrules.numerics.solver_steps import Problem
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


def test_columns_in_rows():
    """What belongs to times of the result stands at their ends of steps, with zeros at the others."""
    x = problem((0.0, 2.0), [0.5, 1.0])
    rows = x.at_ends(x.outputs[0], np.array([[1.0, 2.0], [3.0, 4.0]]))
    np.testing.assert_array_equal(rows[x.places(x.outputs[0])], [[1.0, 3.0], [2.0, 4.0]])
    assert np.sum(rows) == 10.0
