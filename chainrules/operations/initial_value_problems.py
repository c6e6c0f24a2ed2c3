"""Solutions of initial value problems ``y' = f(t, y, *args)``, as a function that has rules.

The tangent of a solution at a fixed time solves ``s' = (∂f/∂y) s + f_dot`` from ``s(t0) = y0_dot - f(t0, y0)
t0_dot``; at a time that moves, ``f(t, y) t_dot`` is added. L. S. Pontryagin et al., "The Mathematical Theory of
Optimal Processes", 1962. This linear equation is solved on the steps that the solver took, by a collocation
method of higher order than the solver's, so that the error of a derivative is about the one of the solution.
The adjoint is the one of that method, to rounding: see `chainrules.formulas.equations.linear_flows`.

The derivatives of `f` are computed at all points of all steps at once, if `f` can be called so.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.integrate
from scipy.integrate import OdeSolver

from chainrules.formulas.calls.many_points import Points
from chainrules.formulas.equations.linear_flows import Flow, flow
from chainrules.numerics.collocation import Collocation, radau
from chainrules.values.held_numbers import check_of_changes
from chainrules.values.iterables import (
    dict_tangent,
    item_tangents,
    iterable_cotangent,
    no_cotangent,
    tuple_tangent,
    zeros_if_zero,
)
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    ProjectTo,
    RuleConfig,
    Thunk,
    frule,
    is_complex,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

# The points of each step, by the class of the method; the order of the collocation is twice that, less one.
POINTS: dict[type, int] = {
    scipy.integrate.RK23: 3,
    scipy.integrate.RK45: 4,
    scipy.integrate.DOP853: 6,
    scipy.integrate.Radau: 4,
    scipy.integrate.BDF: 4,
    scipy.integrate.LSODA: 6,
}
METHODS: dict[str, type] = {method.__name__: method for method in POINTS}


@primitive
def solution(  # noqa: PLR0913, PLR0917 - those of SciPy
    f: Callable[..., Any], t_span: Any, y0: Any, args: Any, t_eval: Any, options: dict[str, Any]
) -> Any:
    """The result of `scipy.integrate.solve_ivp`, which holds the solution between the steps as well.

    Parameters
    ----------
    f, t_span, y0, args, t_eval
        Those of `solve_ivp`.
    options
        Its other arguments, and ``tfirst=False`` for a function of the state and the time, in this order.
    """
    options = dict(options)
    if not options.pop("tfirst", True):
        of_state_and_time = f

        def f(t: Any, y: Any, *args: Any) -> Any:  # noqa: RUF100 - as `solve_ivp` calls it
            return of_state_and_time(y, t, *args)

    return scipy.integrate.solve_ivp(f, t_span, y0, t_eval=t_eval, args=args, dense_output=True, **options)


class Problem(NamedTuple):
    """An initial value problem and its solution."""

    config: Any
    f: Any
    t_span: Any
    y0: Any
    args: tuple[Any, ...]
    options: dict[str, Any]
    result: Any

    def check(self) -> None:
        """Refuse what the solver calls no solution."""
        if not primal_of(self.result["success"]):
            raise NoDerivativeError(
                f"scipy.integrate.solve_ivp did not reach the end of `t_span`, {self.t_span}, so that its result "
                f"has no derivative: it stopped at t = {self.result['sol'].t_max} after "
                f"{self.result['nfev']} calls of the function. It says: {self.result['message']} Try a method "
                'for stiff problems, such as "Radau", or a shorter `t_span`: the solution may have a pole.'
            )

    @property
    def collocation(self) -> Collocation:
        """The points of a step."""
        method = self.options["method"]
        return radau(POINTS[METHODS[method] if isinstance(method, str) else method])

    @property
    def ends(self) -> Any:
        """The ends of the steps and the times of the result, in the order of the solution; nothing is traced."""
        ts = self.result["sol"].ts
        t = np.union1d(ts, primal_of(self.result["t"]))
        return t if ts[0] < ts[-1] else t[::-1]

    @property
    def places(self) -> Any:
        """The places of the times of the result among `ends`."""
        ends, t = self.ends, primal_of(self.result["t"])
        return np.searchsorted(ends, t) if ends[0] < ends[-1] else len(ends) - 1 - np.searchsorted(ends[::-1], t)

    @property
    def times(self) -> Any:
        """The same as `ends`, but with the start and the times of the result as they are traced."""
        chosen = np.arange(len(self.ends))
        chosen[0] = len(chosen)
        chosen[self.places] = len(chosen) + 1 + np.arange(len(self.places))
        return np.concatenate([self.ends, np.stack([self.t_span[0]]), self.result["t"]])[chosen]

    @property
    def is_traced(self) -> bool:
        """Whether the solution is traced by another AD system, or by the same at an outer level."""
        return primal_of(self.result["y"]) is not self.result["y"]

    def states(self, t: Any) -> Any:
        """The solution at times in its order, one column for each; traced, where the solution is."""
        if not self.is_traced:
            return self.result["sol"](t)
        return solution(self.f, self.t_span, self.y0, self.args, t, self.options)["y"]

    def points(self) -> tuple[Any, Any]:
        """All points of all steps, and the solution there."""
        times, within = self.times, self.collocation.points[:-1]
        # The last point is the end to the bit: after the last time there is no solution.
        t = np.concatenate([times[:-1, None] + np.diff(times)[:, None] * within, times[1:, None]], axis=1)
        return np.reshape(t, -1), self.states(np.reshape(t, -1))

    def flow(self, J: Any) -> Flow:
        """The steps of the linear equation, from the Jacobians at all points."""
        m = J.shape[-1]
        return flow(np.reshape(J, (-1, len(self.collocation.points), m, m)), np.diff(self.times), self.collocation)

    def in_order(self, t: Any, y: Any) -> Any:
        """What belongs to times, and what belongs to states, as the right-hand side takes them."""
        return (t, y) if self.options.get("tfirst", True) else (y, t)

    def right_hand_side(self, t: Any, y: Any) -> Points:
        """The right-hand side at many times."""
        return Points(self.config, self.f, self.in_order(t, y), self.args)

    def slopes(self, mode: str) -> Any:
        """The right-hand side at the times of the result, one column for each."""
        points = self.right_hand_side(self.result["t"], self.result["y"])
        return points.values(mode if self.is_traced else "")

    def first_slope(self, mode: str) -> Any:
        """The right-hand side at the start."""
        start = self.right_hand_side(np.stack([self.t_span[0]]), np.reshape(array_of(self.y0), (-1, 1)))
        return start.values(mode if self.is_traced else "")[:, 0]

    def shares(self, named: bool) -> tuple[Any, Any]:
        """How far the times of the result move with each of the two ends of `t_span`."""
        t0, t1 = (float(primal_of(t)) for t in self.t_span)
        t = primal_of(self.result["t"])
        late = np.zeros(len(t)) if named or t0 == t1 else (t - t0) / (t1 - t0)
        return (np.zeros(len(t)) if named else 1.0 - late), late


@frule.dispatch
def solution_frule(  # noqa: PLR0913, PLR0917 - those of the function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    g: typeof_(solution),
    f: Any,
    t_span: Any,
    y0: Any,
    args: Any,
    t_eval: Any,
    options: Any,
) -> Any:
    """Solve the linear equation forwards."""
    _, f_dot, span_dot, y0_dot, args_dot, times_dot, _ = tangents
    result = solution(f, t_span, y0, args, t_eval, options)
    problem = Problem(config, f, t_span, y0, as_tuple(args), options, result)
    problem.check()
    t, y = problem.points()
    push = problem.right_hand_side(t, y).push(together=not problem.is_traced)
    still = [NO_TANGENT] * len(problem.args)
    n, of_complex = len(y), is_complex(y)
    J = np.stack(
        [
            in_reals(push(NO_TANGENT, problem.in_order(NO_TANGENT, unit), still), of_complex).T
            for unit in units(n, len(t), of_complex)
        ],
        axis=-1,
    )
    start_dot = in_reals(np.reshape(tangent_as_array(y0, y0_dot), -1) + np.zeros(n), of_complex)
    dots = item_tangents(args_dot, len(problem.args))
    is_still = all(isinstance(dot, AbstractZero) for dot in (f_dot, *dots))
    φ = np.zeros((len(t), len(start_dot))) if is_still else in_reals(push(f_dot, (NO_TANGENT, NO_TANGENT), dots), of_complex).T
    t0_dot, t1_dot = item_tangents(span_dot, 2)
    if not isinstance(t0_dot, AbstractZero):
        start_dot = start_dot - in_reals(problem.first_slope("forwards"), of_complex) * t0_dot
    s = problem.flow(J).forwards(start_dot, np.reshape(φ, (len(problem.ends) - 1, -1, len(start_dot))))
    y_dot = from_reals(s[problem.places].T, of_complex)
    early, late = problem.shares(t_eval is not None)
    t_dot = sum(
        (share * dot for share, dot in ((early, t0_dot), (late, t1_dot)) if not isinstance(dot, AbstractZero)),
        zeros_if_zero(result["t"], tangent_as_array(t_eval, times_dot) if t_eval is not None else times_dot),
    )
    if np.any(primal_of(t_dot)) or primal_of(t_dot) is not t_dot:
        y_dot = y_dot + problem.slopes("forwards") * t_dot
    return result, dict_tangent(type(result), constants(result) | {"t": t_dot, "y": y_dot})


@rrule.dispatch
def solution_rrule(  # noqa: PLR0913, PLR0917 - those of the function
    config: RuleConfig[HasReverseMode],
    g: typeof_(solution),
    f: Any,
    t_span: Any,
    y0: Any,
    args: Any,
    t_eval: Any,
    options: Any,
) -> Any:
    """Solve the adjoint of the linear equation backwards."""
    result = solution(f, t_span, y0, args, t_eval, options)
    problem = Problem(config, f, t_span, y0, as_tuple(args), options, result)
    check = check_of_changes((f, args), "scipy.integrate.solve_ivp")
    linearized: list[Any] = []

    def linearize() -> Any:
        if not linearized:
            problem.check()
            check()
            t, y = problem.points()
            pull = problem.right_hand_side(t, y).pull(together=not problem.is_traced)
            n, of_complex = len(y), is_complex(y)
            rows = [in_reals(problem.in_order(*pull(unit)[1])[1], of_complex) for unit in units(n, len(t), of_complex)]
            linearized.append((pull, problem.flow(np.stack([row.T for row in rows], axis=1))))
        return linearized[0]

    def solution_pullback(result_bar: Any) -> Any:
        t_bar, y_bar = unthunk(result_bar["t"]), zeros_if_zero(result["y"], result_bar["y"])
        of_complex = is_complex(result["y"])
        pull, steps = linearize()
        s_bar = in_reals(y_bar, of_complex).T
        chosen = np.full(len(problem.ends), len(s_bar))
        chosen[problem.places] = np.arange(len(s_bar))
        s_bar = np.concatenate([s_bar, np.zeros_like(s_bar[:1])])[chosen]
        start_bar, φ_bar = steps.backwards(s_bar)
        rows_bar = from_reals(np.reshape(φ_bar, (-1, φ_bar.shape[-1])).T, of_complex)
        f_bar, _, arg_bars = pull(rows_bar)
        start_bar = from_reals(start_bar, of_complex)

        def by_times() -> Any:
            check()
            moved = np.sum(np.real(np.conj(problem.slopes("backwards")) * y_bar), axis=0)
            return zeros_if_zero(result["t"], t_bar) + moved

        def by_end(place: int) -> Any:
            share = problem.shares(t_eval is not None)[place]
            moved = np.sum(share * by_times())
            if place == 0:
                moved = moved - np.sum(np.real(np.conj(problem.first_slope("backwards")) * start_bar))
            return ProjectTo(t_span[place])(moved)

        span_bars = [
            no_cotangent(t) if isinstance(t, int) else Thunk(by_end, place) for place, t in enumerate(t_span)
        ]
        if not isinstance(t_span, tuple | list):
            span_bars = [unthunk(bar) for bar in span_bars]
        times_bar = no_cotangent(t_eval)
        if t_eval is not None and not isinstance(times_bar, type(NO_TANGENT)):
            times_bar = Thunk(lambda: cotangent_in_lists(t_eval, by_times()))
        return (
            NO_TANGENT,
            f_bar,
            iterable_cotangent(t_span, t_span, span_bars),
            cotangent_in_lists(y0, np.reshape(start_bar, np.shape(primal_of(array_of(y0))))),
            tuple_tangent(tuple, arg_bars) if args is not None else NO_TANGENT,
            times_bar,
            NO_TANGENT,
        )

    return result, solution_pullback


def as_tuple(args: Any) -> tuple[Any, ...]:
    """The further arguments of the right-hand side."""
    return () if args is None else tuple(args)


def constants(result: Any) -> dict[str, Any]:
    """The tangents of the fields that have none."""
    return dict.fromkeys(result, NO_TANGENT)


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
    parts = (1.0, 1.0j) if of_complex else (1.0,)
    return [np.multiply.outer(part * row, np.ones(count)) for part in parts for row in np.eye(n)]
