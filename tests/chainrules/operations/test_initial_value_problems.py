"""The rules of solutions of initial value problems, where the right-hand side takes the state first."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules.operations.initial_value_problems import is_zero, solution
from chainrules_core import Thunk, ZeroTangent

OPTIONS = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-12}


def decayed(options, f):
    """A solution as a function of its rate and its start."""
    return lambda x: solution(f, (0.0, 1.0), x[1:], (x[0],), [0.5, 1.0], None, OPTIONS | options)["y"][0, -1]


@pytest.mark.parametrize(
    ("options", "f"), [({}, lambda t, y, a: -a * y), ({"tfirst": False}, lambda y, t, a: -a * y)]
)
def test_the_order_of_arguments(options, f):
    """Both have the same derivatives, to second order."""
    program, x = decayed(options, f), np.array([0.7, 2.0])
    expected = np.exp(-0.7) * np.array([-2.0, 1.0])
    np.testing.assert_allclose(grad(program)(x), expected, rtol=1e-8)
    np.testing.assert_allclose(jvp(program, (x,), (np.ones(2),))[1], np.sum(expected), rtol=1e-8)
    second = jvp(grad(program), (x,), (np.array([1.0, 0.0]),))[1]
    np.testing.assert_allclose(second, np.exp(-0.7) * np.array([2.0, -1.0]), rtol=1e-7)


def test_an_event_at_a_time_of_the_result():
    """The cotangents of both meet at the same end of a step."""

    def both(a):
        options = OPTIONS | {"max_step": 0.5}
        solved = solution(
            lambda t, y: -a * y, (0.0, 1.0), [1.0], None, [0.5, 1.0], lambda t, y: t - 0.5, options
        )
        return solved["y"][0, 0] + 2.0 * solved["y_events"][0][0, 0]

    np.testing.assert_allclose(grad(both)(0.7), -3.0 * 0.5 * np.exp(-0.35), rtol=1e-8)
    np.testing.assert_allclose(jvp(both, (0.7,), (1.0,))[1], -3.0 * 0.5 * np.exp(-0.35), rtol=1e-8)


def test_zeros():
    """A cotangent of an event that nothing depends on, in each form."""
    assert all(map(is_zero, (ZeroTangent(), 0.0, np.zeros(2), Thunk(lambda: np.zeros(2)))))
    assert not is_zero(np.array([0.0, 1.0]))
