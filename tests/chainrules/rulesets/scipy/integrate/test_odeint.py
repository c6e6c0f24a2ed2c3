"""The rules of `scipy.integrate.odeint`, against finite differences of the solver."""

import numpy as np
import pytest
from scipy.integrate import odeint

from chainrules.ad import grad, jvp
from chainrules_core import NoDerivativeError
from tests.chainrules.rule_checks import record_rules

EXACT = {"rtol": 1e-10, "atol": 1e-12}


def driven(y, t, a, b):
    """Two unknowns."""
    return [-a * y[0] * t, y[0] * b]


PROGRAMS = {
    "arguments": (lambda x: odeint(driven, [1.0, x[1]], [0.0, 0.4, 1.0], tuple(x), **EXACT), [0.7, 0.4]),
    "their times": (
        lambda x: odeint(lambda t, y: -x[0] * t * y, [1.0], x, tfirst=True, **EXACT),
        [0.7, 1.2, 1.4],
    ),
    "backwards": (
        lambda x: odeint(lambda y, t: -x[0] * t * y, x[1], [1.0, 0.5, 0.0], full_output=1, hmax=0.2)[0],
        [0.7, 1.2],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    """By the start, the times, the arguments, and all that the right-hand side holds."""
    f, x = PROGRAMS[name]
    x, x_dot = np.array(x), np.linspace(0.5, 1.0, len(x))
    weights = 1.0 + np.arange(np.size(f(x))).reshape(np.shape(f(x)))
    slope = np.sum(weights * (f(x + 1e-4 * x_dot) - f(x - 1e-4 * x_dot))) / 2e-4
    np.testing.assert_allclose(grad(lambda x: np.sum(weights * f(x)))(x) @ x_dot, slope, rtol=2e-6)
    np.testing.assert_allclose(np.sum(weights * jvp(f, (x,), (x_dot,))[1]), slope, rtol=2e-6)


def test_second_order():
    """The gradient has a derivative."""
    record_rules(odeint, driven, 1.0, [0.0, 1.0])
    second = jvp(grad(lambda a: odeint(lambda y, t: -a * y, 1.0, [0.0, 1.0], **EXACT)[1, 0]), (0.7,), (1.0,))[
        1
    ]
    np.testing.assert_allclose(second, np.exp(-0.7), rtol=1e-6)


def test_a_solver_that_stopped():
    """Its result is none, and the error has the distance from one."""

    def pole(a):
        return odeint(lambda y, t: -a * y, 1.0, [0.0, 1e3], mxstep=3)[1, 0]

    with pytest.warns(match="Excess work"), pytest.raises(NoDerivativeError, match="is at the distance"):
        grad(pole)(1.0)


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again."""

    def f(x):
        held = [1.0]
        y = odeint(lambda y, t: -held[0] * x * y, 1.0, [0.0, 1.0])[1, 0]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)
