"""What a gradient costs beside the function that it is of: `docs/gradients.md` has these ratios."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from benchmarks.measure import Row, fastest
from chainrules.ad import grad, jvp, linearize

PARAMETERS = np.array([1.0, 0.5, 1.0, 0.3])


def repeated(x: Any) -> Any:
    """Thirty operations on all elements."""
    for _ in range(10):
        x = np.sin(x) * x + 0.1
    return np.sum(x)


def hunted(t: float, y: Any, p: Any) -> Any:
    """The equations of Lotka and Volterra."""
    return np.stack([p[0] * y[0] - p[1] * y[0] * y[1], -p[2] * y[1] + p[3] * y[0] * y[1]])


def solution(method: str, until: float = 5.0) -> Callable[[Any], Any]:
    """The end of a solution by a method of `solve_ivp`, of its parameters."""

    def solve(p: Any) -> Any:
        return np.sum(solve_ivp(hunted, (0, until), [1.0, 1.0], args=(p,), method=method).y[:, -1])

    return solve


def activity(weights: Any) -> Any:
    """How active ten units of a network are after a while, of their hundred weights."""
    network = solve_ivp(lambda t, y: np.tanh(weights @ y), (0, 5), np.ones(10), rtol=1e-6)
    return np.sum(network.y[:, -1] ** 2)


def rows() -> Iterator[Row]:
    """Gradients and tangents, as multiples of the function."""
    for size in (1, 100, 1_000, 10_000, 100_000):
        x = np.linspace(0.0, 1.0, size)
        value, gradient = fastest(lambda x=x: repeated(x), lambda x=x: grad(repeated)(x))
        yield Row(f"gradient of 30 operations on {size} elements", "the function", gradient / value)
    x = np.linspace(0.0, 1.0, 1_000)
    _, pushforward = linearize(repeated, x)
    value, tangent, pushed = fastest(
        lambda: repeated(x), lambda: jvp(repeated, (x,), (x,)), lambda: pushforward(x)
    )
    yield Row("tangent of 30 operations on 1000 elements", "the function", tangent / value)
    yield Row("the same, pushed forward by `linearize`", "the function", pushed / value)
    solutions = {method: solution(method) for method in ("RK45", "DOP853", "BDF", "Radau")}
    solutions["RK45, 27 steps"] = solution("RK45", 20.0)
    for name, solve in solutions.items():
        value, gradient = fastest(lambda f=solve: f(PARAMETERS), lambda f=solve: grad(f)(PARAMETERS))
        yield Row(f"gradient through `solve_ivp`, {name}", "the solution", gradient / value)
    weights = np.random.default_rng(0).normal(size=(10, 10)) / 3.0
    value, gradient = fastest(lambda: activity(weights), lambda: grad(activity)(weights))
    yield Row("gradient through `solve_ivp` by 100 parameters", "the solution", gradient / value)
