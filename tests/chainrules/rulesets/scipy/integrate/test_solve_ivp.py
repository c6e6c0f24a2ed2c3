"""The rules of `scipy.integrate.solve_ivp`, against finite differences of the solver."""

import math

import numpy as np
import pytest
from scipy.integrate import DOP853, solve_ivp

from chainrules.ad import ADConfig, grad, hessian, jacobian, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError, rrule
from tests.chainrules.rule_checks import record_rules

EXACT = {"rtol": 1e-8, "atol": 1e-10}


def predators(t, y, a, b):
    """How a predator and its prey grow."""
    return [a * y[0] - y[0] * y[1], -b * y[1] + y[0] * y[1]]


class Growth:
    """A rate, and a right-hand side that holds it."""

    def __init__(self, rate):
        self.rate = rate

    def __call__(self, t, y):
        """Grow."""
        return self.rate * y


def last(*args, **options):
    """The solution at the end."""
    return solve_ivp(*args, **({"method": "DOP853"} | EXACT | options)).y[:, -1]


def fall(g, height, v):
    """The solution until an impact."""

    def ground(t, y):
        return y[0] - 0.1 * v * t

    ground.terminal = True
    return solve_ivp(lambda t, y: [y[1], -g], (0, 5), np.stack([height, v]), "DOP853", events=ground, **EXACT)


def impact(x):
    """The time and the speed of an impact."""
    fallen = fall(*x)
    return np.concatenate([fallen.t_events[0], fallen.y_events[0][0]])


def end(x):
    """The last time and speed."""
    fallen = fall(*x)
    return np.concatenate([fallen.t[-1:], fallen.y[:, -1]])


PROGRAMS = {
    "closure": (lambda x: last(lambda t, y: [-x[0] * y[0], x[1] * y[0]], (0, 1), [1.0, x[1]]), [0.7, 0.4]),
    "alone": (lambda x: last(lambda t, y: [-x[0] * y[0] * math.exp(t)], (0, 1), [x[1]]), [0.7, 0.4]),
    "constant": (lambda x: last(lambda t, y: [y[1], -9.81], (0, x[0]), [0.0, x[1]]), [0.7, 0.4]),
    "functor": (lambda x: last(Growth(x[0]), (0.2, 1.0), [x[1], 1.0]), [0.7, 0.4]),
    "matrix": (
        lambda x: last(lambda t, y: np.tanh(np.reshape(x, (2, 2)) @ y), (0, 1), [1.0, 0.5]),
        [0.3, -1, 0.5, 2],
    ),
    "span": (lambda x: last(lambda t, y: -x[0] * t * y, (x[1], x[2]), [1.0]), [0.7, 0.4, 1.2]),
    "backwards": (lambda x: last(lambda t, y: -x[0] * t * y, (x[2], x[1]), [1.0]), [0.7, 0.4, 1.2]),
    "an array of ends": (lambda x: last(lambda t, y: -t * y, x, [1.0]), [0.4, 1.2]),
    "whole numbers": (lambda x: last(lambda t, y: -x[0] * t * y, (0, 2), [1, 2]), [0.7]),
    "complex": (
        lambda x: np.abs(last(lambda t, y: x[0] * 1j * y + x[1] * np.conj(y), (0, 1), [1 + 0.5j, 2j])),
        [0.7, 0.4],
    ),
    "complex start": (
        lambda x: np.abs(last(lambda t, y: 1j * y * np.abs(y), (0, 1), np.stack([x[0] + 1j * x[1]])) + 1.0),
        [0.7, 0.4],
    ),
    "their times": (
        lambda x: solve_ivp(lambda t, y: -x[0] * t * y, (0, 2), [1.0], "DOP853", t_eval=x[1:], **EXACT).y[0],
        [0.7, 0.3, 1.2],
    ),
    "times backwards": (
        lambda x: solve_ivp(lambda t, y: -t * y, (x[0], 0), [1.0], "Radau", t_eval=[0.6, 0.0], **EXACT).y[0],
        [0.7],
    ),
    "an event": (impact, [9.81, 2.0, 0.3]),
    "several events": (
        lambda x: np.concatenate(
            [
                *(
                    met := solve_ivp(
                        lambda t, y, a: [-a * y[1], y[0]],
                        (0, 6),
                        [1.0, x[1]],
                        "DOP853",
                        events=[
                            lambda t, y, a: y[0] - x[1],
                            lambda t, y, a: y[1] - a * t,
                            lambda t, y, a: y[0] - 9.0,
                        ],
                        args=(x[0],),
                        **EXACT,
                    )
                ).t_events,
                *(np.ravel(y) for y in met.y_events),
            ]
        ),
        [1.3, 0.4],
    ),
    "stiff": (
        lambda x: last(
            lambda t, y, k: k * (np.cos(t) - y),
            (0, 1),
            [0.5],
            method="LSODA",
            t_eval=[0.5, 1.0],
            args=(x[0],),
        ),
        [40.0],
    ),
}


TO_SECOND_ORDER = ("closure", "span", "complex", "their times", "an event")


def weighted(f):
    """The sum of all numbers of a result, each with its own weight."""
    return lambda x: np.sum(f(x) * (1.0 + np.arange(len(f(x)))))


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    """By the start, the ends, the times, arguments, and all that the right-hand side holds."""
    f, x = PROGRAMS[name]
    f, x, x_dot = weighted(f), np.array(x), np.linspace(0.5, 1.0, len(x))
    slope = (f(x + 1e-4 * x_dot) - f(x - 1e-4 * x_dot)) / 2e-4
    np.testing.assert_allclose(grad(f)(x) @ x_dot, slope, rtol=2e-6)
    np.testing.assert_allclose(jvp(f, (x,), (x_dot,))[1], slope, rtol=2e-6)


@pytest.mark.parametrize("name", TO_SECOND_ORDER)
def test_second_order(name):
    """The gradient has a derivative."""
    f, x = PROGRAMS[name]
    gradient, x, x_dot = grad(weighted(f)), np.array(x), np.linspace(0.5, 1.0, len(x))
    bend = (gradient(x + 1e-4 * x_dot) - gradient(x - 1e-4 * x_dot)) / 2e-4
    np.testing.assert_allclose(jvp(gradient, (x,), (x_dot,))[1], bend, rtol=1e-5, atol=1e-6)
    by_reverse = grad(lambda x: np.sum(gradient(x) * x_dot))(x)
    np.testing.assert_allclose(by_reverse, bend, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(hessian(weighted(f))(x) @ x_dot, bend, rtol=1e-5, atol=1e-6)


def test_the_end_by_an_event():
    """The last time moves with the event, in reverse mode and to second order."""
    f, x, x_dot = weighted(end), np.array([9.81, 2.0, 0.3]), np.array([0.5, 0.7, 1.0])
    slope = (f(x + 1e-4 * x_dot) - f(x - 1e-4 * x_dot)) / 2e-4
    np.testing.assert_allclose(grad(f)(x) @ x_dot, slope, rtol=2e-6)
    bend = (grad(f)(x + 1e-4 * x_dot) - grad(f)(x - 1e-4 * x_dot)) / 2e-4
    np.testing.assert_allclose(jvp(grad(f), (x,), (x_dot,))[1], bend, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("method", ["RK23", "RK45", "DOP853", DOP853, "Radau", "BDF", "LSODA"])
def test_each_method(method):
    """The error of the derivative is about the tolerance, as the one of the solution is."""

    def decayed(rate, start):
        times = np.array([0.5, 2.0])
        return solve_ivp(
            lambda t, y: -rate * y, (0.0, 2.0), start, method, t_eval=times, rtol=1e-6, atol=1e-8
        ).y

    record_rules(solve_ivp, decayed, (0.0, 1.0), [1.0])
    by_rate = jacobian(decayed)(0.7, np.array([1.0, 2.0]))
    by_start = jacobian(decayed, argnums=1)(0.7, np.array([1.0, 2.0]))
    t, y0 = np.array([0.5, 2.0]), np.array([[1.0], [2.0]])
    np.testing.assert_allclose(by_rate, -t * y0 * np.exp(-0.7 * t), rtol=3e-5)
    np.testing.assert_allclose(
        by_start, np.einsum("ij,t->itj", np.eye(2), np.exp(-0.7 * t)), rtol=3e-5, atol=1e-12
    )


@pytest.mark.parametrize("t_eval", [None, [0.0], [0.2, 0.21], [2.0], [0.0, 2.0]])
def test_the_result_is_that_of_scipy(t_eval):
    """Also the number of calls, though the rule asks for the solution between the steps."""
    args = (predators, (0.0, 2.0), [1.0, 2.0], "DOP853", t_eval, False, None, False, (0.7, 0.4))
    result, _ = rrule(ADConfig(), solve_ivp, *args)
    plain = solve_ivp(*args)
    np.testing.assert_array_equal(result.t, plain.t)
    np.testing.assert_array_equal(result.y, plain.y)
    assert (result.nfev, result.sol) == (plain.nfev, None)


def test_the_times_of_the_solver_are_followed():
    """They move with the parameters, and with them a sum over the solution."""

    def total(rate):
        solution = solve_ivp(lambda t, y: -rate * y, (0.0, 1.0), [1.0], rtol=1e-3)
        return np.sum(solution.y) + np.sum(solution.t)

    slope = (total(0.7 + 1e-6) - total(0.7 - 1e-6)) / 2e-6
    np.testing.assert_allclose(grad(total)(0.7), slope, rtol=1e-6)
    np.testing.assert_allclose(jvp(total, (0.7,), (1.0,))[1], slope, rtol=1e-6)


def test_the_times_of_lsoda_cannot_be_followed():
    """The error says what to give."""

    def total(rate):
        return np.sum(solve_ivp(lambda t, y: -rate * y, (0.0, 1.0), [1.0], "LSODA").y)

    with pytest.raises(NoDerivativeError, match="as `t_eval`"):
        grad(total)(0.7)
    with pytest.raises(DerivativeNotImplementedError, match="as `t_eval`"):
        jvp(total, (0.7,), (1.0,))


@pytest.mark.parametrize("options", [{"dense_output": True}, {"t_eval": []}])
def test_calls_without_a_rule_are_followed(options):
    """The solution between steps, as before there was a rule."""

    def half(rate):
        solution = solve_ivp(lambda t, y: -rate * y, (0.0, 2.0), [1.0], rtol=1e-6, atol=1e-8, **options)
        return solution.sol(1.0)[0] if "dense_output" in options else rate * len(solution.y)

    expected = {"dense_output": -np.exp(-0.7), "t_eval": 0.0}[next(iter(options))]
    np.testing.assert_allclose(grad(half)(0.7), expected, rtol=1e-5)


def test_equal_ends_and_large_systems():
    """Of no time there are no steps, and a Jacobian of many unknowns costs more than following."""
    assert grad(lambda a: solve_ivp(lambda t, y: -y, (1.0, 1.0), [a]).y[0, -1])(0.7) == 1.0
    rates = np.linspace(0.1, 1.0, 40)
    by_rates = grad(lambda k: np.sum(solve_ivp(lambda t, y: -k * y, (0.0, 0.1), np.ones(40)).y[:, -1]))(rates)
    np.testing.assert_allclose(by_rates, -0.1 * np.exp(-0.1 * rates), rtol=1e-4)


def test_a_solver_that_stopped():
    """The error has the time at which it did."""

    def pole(a):
        return solve_ivp(lambda t, y: y**2, (0.0, 2.0), [a], t_eval=[0.5, 2.0]).y[0, -1]

    with pytest.raises(NoDerivativeError, match=r"stopped at t = 0\.99.*Required step size"):
        grad(pole)(1.0)


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again: of another function it would give the derivative in silence."""

    def f(x):
        held = [1.0]
        y = solve_ivp(lambda t, y: -held[0] * x * y, (0.0, 1.0), [1.0]).y[0, -1]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)


def test_a_function_that_counts_its_calls():
    """Only the first pullback calls it."""
    calls = [0]

    def counted(t, y):
        calls[0] += 1
        return -y

    by_start = jacobian(lambda y0: solve_ivp(counted, (0.0, 1.0), y0, t_eval=[0.5, 1.0], rtol=1e-6).y)(
        np.ones(2)
    )
    np.testing.assert_allclose(by_start[:, 1], np.exp(-1.0) * np.eye(2), atol=1e-6)


def test_a_right_hand_side_that_mixes_its_points():
    """Called with many states at once it has other values, and so it is called with each by itself."""

    def f(a):
        return solve_ivp(lambda t, y: -a * y / (1.0 + np.sum(y)), (0.0, 1.0), np.ones(2), t_eval=[1.0]).y[
            0, 0
        ]

    np.testing.assert_allclose(grad(f)(0.7), (f(0.7 + 1e-4) - f(0.7 - 1e-4)) / 2e-4, rtol=1e-4)


def test_a_right_hand_side_that_writes():
    """It changes the state of the solver, which is followed."""

    def f(x):
        def damped(t, y):
            y *= 0.999
            return -x * y

        return solve_ivp(damped, (0.0, 1.0), [1.0], t_eval=[1.0], rtol=1e-3).y[0, 0]

    slope = (f(0.7 + 1e-5) - f(0.7 - 1e-5)) / 2e-5
    np.testing.assert_allclose(grad(f)(0.7), slope, rtol=1e-5)
    np.testing.assert_allclose(jvp(f, (0.7,), (1.0,))[1], slope, rtol=1e-5)


@pytest.mark.parametrize("method", ["RK45", "DOP853"])
def test_a_solution_that_grazes_an_event(method):
    """The error has the time and the rate."""

    def touched(a):
        top = solve_ivp(
            lambda t, y: 3.0 * a * (t - 1.0) ** 2,
            (0.0, 2.0),
            [-1.0],
            method,
            events=lambda t, y: y[0],
            **EXACT,
        )
        return np.sum(top.t_events[0])

    with pytest.raises(NoDerivativeError, match=r"grazes an event at t = .* at the rate"):
        grad(touched)(1.0)
    with pytest.raises(NoDerivativeError, match=r"grazes an event at t = .* at the rate"):
        jvp(touched, (1.0,), (1.0,))


def test_a_start_of_single_precision():
    """Its cotangent is of the same."""
    start = np.ones(2, dtype=np.float32)
    by_start = grad(lambda y0: np.sum(solve_ivp(lambda t, y: -y, (0.0, 1.0), y0, t_eval=[1.0]).y))(start)
    assert by_start.dtype == np.float32
    np.testing.assert_allclose(by_start, np.exp(-1.0), rtol=1e-3)


@pytest.mark.parametrize("method", ["RK45", "Radau", "BDF"])
def test_derivatives_at_the_default_tolerances(method):
    """They are nearer to those of the exact solution than those of the steps are."""

    def left(rate, **options):
        solved = solve_ivp(lambda t, y: -rate * y, (0.0, 5.0), [1.0], method, t_eval=[2.0, 5.0], **options)
        return np.sum(solved.y)

    exact = (left(0.701, **EXACT) - left(0.699, **EXACT)) / 0.002
    by_rule, by_steps = (abs(grad(left)(0.7, dense_output=followed) - exact) for followed in (False, True))
    assert by_rule < by_steps


def test_a_jump_where_the_solution_reaches_a_threshold():
    """The event has the place of the jump, which moves with the threshold and the rate."""

    def at_end(p):
        def reached(t, y):
            return y[0] - p[0]

        reached.terminal = True
        first = solve_ivp(lambda t, y: -p[1] * y, (0.0, 3.0), [1.0], events=reached, **EXACT)
        rest = (first.t[-1], 3.0)
        return solve_ivp(lambda t, y: -3.0 * p[1] * y, rest, first.y[:, -1], t_eval=[3.0], **EXACT).y[0, -1]

    p = np.array([0.8, 0.9])
    differences = [(at_end(p + step) - at_end(p - step)) / 2e-3 for step in 1e-3 * np.eye(2)]
    np.testing.assert_allclose(grad(at_end)(p), differences, rtol=1e-4)
