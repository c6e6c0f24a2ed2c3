"""The rules, by the testers of `chainrules-testutils`, and fits by an AD system."""

import numpy as np
import pytest
from runge_kutta import RK4, Tableau, solve

from chainrules.ad import ADConfig, grad, jacobian, jvp
from chainrules_core import (
    DerivativeNotImplementedError,
    HasForwardsMode,
    NoReverseMode,
    NoTangent,
    RuleConfig,
    rrule,
)
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule

HEUN = Tableau((0.0, 1.0), ((), (1.0,)), (0.5, 0.5))
TIMES = np.linspace(0.0, 1.0, 6)
CONSTANT = PrimalAndTangent(TIMES, NoTangent())


def growth(rates):
    """Two species, one of which eats the other."""

    def slope(t, y):
        return np.array([rates[0] * y[0] - rates[1] * y[0] * y[1], -y[1] + y[0] * y[1] + 0.1 * t])

    return slope


CALLS = []


def counted(t, y):
    """A right-hand side that counts its calls."""
    CALLS.append(1)
    return -y


def test_values():
    """The error is of the fourth order."""
    y0, exact = np.ones(1), np.exp(np.sin(1.0))
    errors = [
        abs(solve(lambda t, y: np.cos(t) * y, y0, np.linspace(0.0, 1.0, n))[-1, 0] - exact) for n in (11, 21)
    ]
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize("method", [RK4, HEUN])
def test_rules(method):
    """By the state, and by what the right-hand side closes over, in both modes."""
    f = growth(np.array([1.1, 0.9]))
    test_frule(solve, f, np.array([1.0, 0.5]), CONSTANT, fkwargs={"method": method}, rtol=1e-6)
    test_rrule(solve, f, np.array([1.0, 0.5]), CONSTANT, fkwargs={"method": method}, rtol=1e-6)


def test_a_fit():
    """Rates are found from a solution, by an AD system that was never told of this package."""
    actual, y0 = np.array([1.1, 0.9]), np.array([1.0, 0.5])
    data = solve(growth(actual), y0, TIMES)

    def loss(rates):
        return np.sum((solve(growth(rates), y0, TIMES) - data) ** 2)

    rates = np.ones(2)
    for _ in range(20):
        J = jacobian(lambda r: solve(growth(r), y0, TIMES))(rates).reshape(-1, 2)
        rates = rates - np.linalg.lstsq(J, (solve(growth(rates), y0, TIMES) - data).ravel())[0]
    np.testing.assert_allclose(rates, actual, atol=1e-10)
    np.testing.assert_allclose(grad(loss)(rates), 0.0, atol=1e-9)


def test_modes_agree():
    """The derivative of a number by one rate, forwards and backwards."""

    def end(rate):
        return solve(growth([rate, 0.9]), np.array([1.0, 0.5]), TIMES)[-1, 0]

    assert grad(end)(1.1) == pytest.approx(jvp(end, (1.1,), (1.0,))[1], rel=1e-12)


def test_systems_without_reverse_mode():
    """They have no rule, and none is made up."""

    class ForwardOnly(RuleConfig[HasForwardsMode, NoReverseMode]):
        """Such a system."""

    assert rrule(ForwardOnly(), solve, lambda t, y: y, np.ones(1), TIMES) is None
    assert rrule(ADConfig(), solve, lambda t, y: y, np.ones(1), TIMES) is not None


def test_times_have_no_derivative():
    """They are refused, in both modes: a derivative that is dropped in silence is a wrong one."""
    with pytest.raises(DerivativeNotImplementedError, match="times"):
        grad(lambda t: solve(lambda s, y: y, np.ones(1), t)[-1, 0])(TIMES)
    with pytest.raises(DerivativeNotImplementedError, match="times"):
        jvp(lambda t: solve(lambda s, y: y, np.ones(1), t)[-1, 0], (TIMES,), (np.ones(6),))


def test_memory_is_that_of_the_solution():
    """The right-hand side is called once more for each stage on the way back, and nothing of it is kept."""
    CALLS.clear()
    y, pullback = rrule(ADConfig(), solve, counted, np.ones(1), TIMES)
    assert len(CALLS) == 4 * 5
    pullback(np.ones_like(y))
    assert len(CALLS) == 2 * 4 * 5
