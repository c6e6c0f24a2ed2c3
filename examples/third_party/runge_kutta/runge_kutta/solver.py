"""`solve`, and the tables of its methods."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core import primitive


@dataclass(frozen=True)
class Tableau:
    """An explicit method: its nodes `c`, the rows of its matrix `a`, and its weights `b`.

    J. C. Butcher, "Numerical Methods for Ordinary Differential Equations" (2016), section 231.
    """

    c: tuple[float, ...]
    a: tuple[tuple[float, ...], ...]
    b: tuple[float, ...]


RK4 = Tableau((0.0, 0.5, 0.5, 1.0), ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), (1 / 6, 1 / 3, 1 / 3, 1 / 6))


@primitive
def solve(f: Callable[[float, Any], Any], y0: np.ndarray, times: np.ndarray, *, method: Tableau = RK4) -> Any:
    """The solution of ``y' = f(t, y)``, ``y(times[0]) = y0``, at each time, in an array of one more axis.

    There is one step from each time to the next.
    """
    states = [y0]
    for t, h in zip(times[:-1], np.diff(times), strict=True):
        states.append(step(f, t, h, states[-1], method))
    return np.stack(states)


def step(f: Callable[[float, Any], Any], t: float, h: float, y: Any, method: Tableau) -> Any:
    """The state a step later."""
    slopes: list[Any] = []
    for c, row in zip(method.c, method.a, strict=True):
        slopes.append(f(t + c * h, y + h * combined(row, slopes)))
    return y + h * combined(method.b, slopes)


def combined(weights: tuple[float, ...], slopes: list[Any]) -> Any:
    """The sum of the slopes, with weights; zero without any."""
    return sum((weight * slope for weight, slope in zip(weights, slopes, strict=True) if weight), 0.0)
