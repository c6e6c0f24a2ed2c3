"""Solutions of initial value problems, as `scipy.integrate.solve_ivp` finds them, and steps on the way."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import scipy.integrate
from scipy.integrate._ivp.rk import RkDenseOutput

from chainrules.numerics.collocation import Collocation, radau
from chainrules.numerics.event_times import Meeting
from chainrules.numerics.linear_flows import Flow, flow
from chainrules.numerics.many_points import Points
from chainrules.values.several_arrays import array_of
from chainrules_core import NoDerivativeError, primal_of

# A right-hand side.
Function = Callable[..., Any]

# The points of each step, by the class of the method; the order of the collocation is twice that, less one.
POINTS: dict[type, int] = {
    scipy.integrate.RK23: 3,
    scipy.integrate.RK45: 4,
    scipy.integrate.DOP853: 5,
    scipy.integrate.Radau: 3,
    scipy.integrate.BDF: 3,
    scipy.integrate.LSODA: 4,
}
METHODS: dict[str, type] = {method.__name__: method for method in POINTS}


class Output(NamedTuple):
    """Times of a result, and the solution there, one column for each."""

    t: Any
    y: Any


@dataclass(frozen=True, eq=False)
class Problem:
    """An initial value problem and its solution, which `solve` has found: a function that has rules."""

    solve: Function
    config: Any
    f: Any
    t_span: Any
    y0: Any
    args: tuple[Any, ...]
    t_eval: Any
    events: Any
    options: dict[str, Any]
    result: Any

    def check(self) -> None:
        """Refuse what the solver calls no solution."""
        if not primal_of(self.result["success"]):
            t1 = primal_of(self.t_span[1])
            raise NoDerivativeError(
                f"scipy.integrate.solve_ivp did not reach the end of `t_span`, {t1}, so that its result "
                f"has no derivative: it stopped at t = {self.result['sol'].t_max} after "
                f"{self.result['nfev']} calls of the function. It says: {self.result['message']} Try a "
                "method for stiff problems, such as Radau; if the solution has a pole, stop before it."
            )

    @property
    def collocation(self) -> Collocation:
        """The points of a step."""
        method = self.options["method"]
        return radau(POINTS[METHODS[method] if isinstance(method, str) else method])

    @property
    def event_functions(self) -> list[Any]:
        """The functions of the events."""
        if self.events is None:
            return []
        return [self.events] if callable(self.events) else list(self.events)

    @cached_property
    def outputs(self) -> list[Output]:
        """What the result holds: at its times, and where each event is met."""
        met = zip(self.result["t_events"] or (), self.result["y_events"] or (), strict=True)
        return [Output(self.result["t"], self.result["y"]), *(Output(t, y.T) for t, y in met)]

    @property
    def is_ended_by_event(self) -> bool:
        """Whether the last time of the solution is that of an event."""
        return bool(primal_of(self.result["status"]) == 1)

    def is_ended_by(self, output: Output) -> bool:
        """Whether the last of the times at which an event is met is the last of the solution."""
        t = primal_of(output.t)
        return self.is_ended_by_event and len(t) > 0 and bool(t[-1] == self.result["sol"].ts[-1])

    @cached_property
    def ends(self) -> Any:
        """The ends of the steps and the times of the result, in their order; nothing is traced."""
        ts = self.result["sol"].ts
        t = np.unique(np.concatenate([ts, *(np.ravel(primal_of(output.t)) for output in self.outputs)]))
        return t if ts[0] < ts[-1] else t[::-1]

    def places(self, output: Output) -> Any:
        """The places of times of the result among `ends`."""
        sign = 1.0 if self.ends[0] < self.ends[-1] else -1.0
        return np.searchsorted(sign * self.ends, sign * primal_of(output.t))

    @cached_property
    def times(self) -> Any:
        """The same as `ends`, but with the start and the times of the result as they are traced."""
        if not self.is_traced:
            return self.ends
        pool = [self.ends, np.stack([self.t_span[0]])]
        chosen = np.arange(len(self.ends))
        chosen[0], size = len(chosen), len(chosen) + 1
        for output in self.outputs:
            count = len(primal_of(output.t))
            chosen[self.places(output)] = size + np.arange(count)
            pool, size = [*pool, output.t], size + count
        return np.concatenate(pool)[chosen]

    def at_ends(self, output: Output, x: Any) -> Any:
        """Columns that belong to times of the result, as rows at all `ends`, with zeros at the others."""
        chosen = np.full(len(self.ends), x.shape[1])
        chosen[self.places(output)] = np.arange(x.shape[1])
        return np.concatenate([x.T, np.zeros((1, len(x)))])[chosen]

    def meetings(self, output: Output, event: Any, mode: str) -> list[Meeting]:
        """Where the solution meets an event."""
        if not len(primal_of(output.t)):
            return []
        solution = primal_of(self.result["sol"])
        ts = solution.ts
        y = solution(ts)
        speed = np.max(np.abs(y - y[:, :1]), axis=1) / np.abs(ts[-1] - ts[0])
        columns = zip(output.t, output.y.T, self.slopes(output, mode).T, strict=True)
        return [Meeting(event, t, y, self.args, slope, speed) for t, y, slope in columns]

    @property
    def is_traced(self) -> bool:
        """Whether the solution is traced by another AD system, or by the same at an outer level."""
        return primal_of(self.result["y"]) is not self.result["y"]

    def states(self, t: Any) -> Any:
        """The solution at times in its order, one column for each; traced, where the solution is."""
        if not self.is_traced:
            return interpolated(self.result["sol"], t)
        return self.solve(self.f, self.t_span, self.y0, self.args, t, None, self.options)["y"]

    def points(self) -> tuple[Any, Any]:
        """All points of all steps, and the solution there."""
        times, within = self.times, self.collocation.points[:-1]
        # The last point is the end to the bit: after the last time there is no solution.
        t = np.concatenate([times[:-1, None] + np.diff(times)[:, None] * within, times[1:, None]], axis=1)
        return np.reshape(t, -1), self.states(np.reshape(t, -1))

    def flow(self, J: Any) -> Flow:
        """The steps of the linear equation, from the Jacobians at all points."""
        m = J.shape[-1]
        return flow(
            np.reshape(J, (-1, len(self.collocation.points), m, m)), np.diff(self.times), self.collocation
        )

    def in_order(self, t: Any, y: Any) -> Any:
        """What belongs to times, and what belongs to states, as the right-hand side takes them."""
        return (t, y) if self.options.get("tfirst", True) else (y, t)

    def right_hand_side(self, t: Any, y: Any, copies: int = 1) -> Points:
        """The right-hand side at many times."""
        return Points(self.config, self.f, self.in_order(t, y), self.args, copies)

    @property
    def most_points(self) -> float:
        """The number of points above which the steps are followed, if each point needs a call of its own.

        Such a call costs about as much as a call in a step that is followed. The Jacobian costs a pullback
        more for each unknown, of which each takes two thirds of a call.
        """
        if not self.options.get("can_be_followed", False):
            return np.inf
        calls: float = primal_of(self.result["nfev"])
        return 5.0 * calls / (len(primal_of(self.result["y"])) + 1.5)

    def slopes(self, output: Output, mode: str) -> Any:
        """The right-hand side at times of the result, one column for each."""
        return self.right_hand_side(output.t, output.y).values(mode if self.is_traced else "")

    def first_slope(self, mode: str) -> Any:
        """The right-hand side at the start."""
        start = self.right_hand_side(np.stack([self.t_span[0]]), np.reshape(array_of(self.y0), (-1, 1)))
        return start.values(mode if self.is_traced else "")[:, 0]

    def shares(self) -> tuple[Any, Any]:
        """How far the times of the result move with each of the two ends of the solution."""
        t = primal_of(self.result["t"])
        if self.t_eval is not None:
            return np.zeros(len(t)), np.zeros(len(t))
        t0, t1 = primal_of(self.t_span[0]), t[-1]
        return (t1 - t) / (t1 - t0), (t - t0) / (t1 - t0)


def interpolated(solution: Any, t: Any) -> Any:
    """A solution at many times, one column for each; of a Runge-Kutta method from all steps at once.

    In a step of such a method it is a polynomial of the part of the step that has gone by.
    """
    pieces = solution.interpolants
    if not isinstance(pieces[0], RkDenseOutput):
        return solution(t)
    sign = 1.0 if solution.ts[0] < solution.ts[-1] else -1.0
    steps = np.clip(np.searchsorted(sign * solution.ts, sign * t) - 1, 0, len(pieces) - 1)
    parts = (np.array([getattr(piece, name) for piece in pieces]) for name in ("t_old", "h", "y_old", "Q"))
    t_old, h, y_old, Q = (part[steps] for part in parts)
    powers = np.cumprod(np.repeat(((t - t_old) / h)[:, None], Q.shape[2], axis=1), axis=1)
    return (y_old + h[:, None] * (Q @ powers[:, :, None])[:, :, 0]).T


# --- Complex states are pairs of real ones: the right-hand side need not be holomorphic --------------------


def in_reals(y: Any, of_complex: bool) -> Any:
    """The real and the imaginary parts, one below the other."""
    return np.concatenate([np.real(y), np.imag(y)]) if of_complex else y


def from_reals(parts: Any, of_complex: bool) -> Any:
    """The numbers with these real and imaginary parts."""
    n = len(parts) // 2
    return parts[:n] + 1j * parts[n:] if of_complex else parts


def units(n: int, count: int, of_complex: bool) -> list[Any]:
    """For each real number of a state the array that has 1 there, at all points."""
    rows = np.concatenate([np.eye(n), 1.0j * np.eye(n)]) if of_complex else np.eye(n)
    return list(np.repeat(rows[:, :, None], count, axis=2))
