"""Minima: the functions that move them and pull back from them, and the conditions for that."""

import numpy as np
import pytest

from chainrules.ad import ADConfig
from chainrules.formulas.equations.active_sets import Condition, Limits, Task
from chainrules.formulas.equations.minima import Minimum
from chainrules_core import NO_TANGENT, NoDerivativeError, ZeroTangent


def minimum(x, p, problem="", **task):
    """Of a square under conditions."""

    def task_of(p):
        return Task(lambda x: np.sum((x - p) ** 2), **task)

    return Minimum(ADConfig(), "search", task_of, (p,), np.asarray(x), problem)


def test_a_free_minimum():
    """It moves with its inputs; the value there stays."""
    p = np.array([1.0, 2.0])
    x_dot, fun_dot = minimum(p, p).push((np.ones(2),))
    np.testing.assert_allclose(x_dot, [1.0, 1.0])
    assert fun_dot == 0.0
    (p_bar,) = minimum(p, p).pull(np.array([3.0, 4.0]), NO_TANGENT)
    np.testing.assert_allclose(p_bar, [3.0, 4.0])


def test_what_holds_it():
    """A bound, and a constraint with its multiplier."""
    found = minimum([0.0, 2.0], np.array([-1.0, 5.0]), bounds=Limits(0.0, 9.0))
    assert found.active.held == [Condition(-1, 0, 0)]
    constraints = [{"type": "ineq", "fun": lambda x: 4.0 - x[0] - x[1]}]
    held = minimum([2.0, 2.0], np.array([3.0, 3.0]), constraints=constraints)
    assert held.active.rows == [Condition(0, 0, 0)]
    np.testing.assert_allclose(held.active.multipliers, [2.0])
    np.testing.assert_allclose(held.push((np.array([1.0, 0.0]),))[0], [0.5, -0.5])
    np.testing.assert_allclose(held.pull(np.array([1.0, 0.0]), 1.0)[0], [0.5 + 2.0, -0.5 + 2.0])


def test_a_maximum():
    """It is stationary, and no minimum."""
    found = Minimum(ADConfig(), "search", lambda p: Task(lambda x: -np.sum((x - p) ** 2)), (1.0,), np.ones(1))
    with pytest.raises(NoDerivativeError, match=r"eigenvalue -2\.0"):
        found.push((1.0,))


def test_the_value_on_the_way_to_a_minimum():
    """Near enough it has a derivative, by Newton's step if the slope does not tell; elsewhere it has none."""
    p = np.array([1.0, 2.0])
    for away in (0.0, 1e-5, 5e-4):
        (p_bar,) = minimum(p + away, p).pull(ZeroTangent(), 3.0)
        np.testing.assert_allclose(p_bar, -6.0 * away, atol=1e-15)
    with pytest.raises(NoDerivativeError, match=r"did not converge.*at the distance 0\.14"):
        minimum(p + 0.1, p).pull(ZeroTangent(), 3.0)
    with pytest.raises(NoDerivativeError, match=r"did not converge.*It says: stopped"):
        minimum(p + 1e-5, p, problem="stopped").pull(ZeroTangent(), 3.0)
