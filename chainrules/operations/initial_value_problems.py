"""Solutions of initial value problems ``y' = f(t, y, *args)``, as a function that has rules.

The tangent of a solution at a fixed time solves ``s' = (∂f/∂y) s + f_dot`` from ``s(t0) = y0_dot - f(t0, y0)
t0_dot``; at a time that moves, ``f(t, y) t_dot`` is added. E. Hairer, S. P. Nørsett, G. Wanner, "Solving
Ordinary Differential Equations I", 1993, section I.14. This linear equation is solved on the steps that the
solver took, by a collocation method of higher order than the solver's, so that the error of a derivative is
about the one of the solution. The adjoint is the one of that method, to rounding: see
`chainrules.numerics.linear_flows`.

The derivatives of `f` are computed at all points of all steps at once, if `f` can be called so.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.integrate

from chainrules.numerics.event_times import pull_time, push_time
from chainrules.numerics.solver_steps import Function, Problem, from_reals, in_reals, units
from chainrules.values.held_numbers import noted_call
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
    NoTangent,
    ProjectTo,
    RuleConfig,
    Thunk,
    ZeroTangent,
    frule,
    is_complex,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

# So many numbers in more than two copies of all states take less time in one pullback than in one for each.
FEW = 10_000


@primitive
def solution(  # noqa: PLR0913, PLR0917 - those of SciPy
    f: Function, t_span: Any, y0: Any, args: Any, t_eval: Any, events: Any, options: dict[str, Any]
) -> Any:
    """The result of `scipy.integrate.solve_ivp`, which holds the solution between the steps as well.

    Parameters
    ----------
    f, t_span, y0, args, t_eval, events
        Those of `solve_ivp`.
    options
        Its other arguments; ``tfirst=False`` for a function of the state and the time, in this order; and
        ``can_be_followed=True`` for a call whose steps may be followed if that takes less time.
    """
    options = {"t_eval": t_eval, "args": args, "events": events, "dense_output": True} | options
    is_of_time_first = options.pop("tfirst", True)
    options.pop("can_be_followed", None)

    def of_time_first(t: Any, y: Any, *args: Any) -> Any:
        return f(y, t, *args)

    y0 = np.array(y0)  # a copy: the function may write into its first state, and may be called again
    return scipy.integrate.solve_ivp(f if is_of_time_first else of_time_first, t_span, y0, **options)


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
    events: Any,
    options: Any,
) -> Any:
    """Solve the linear equation forwards."""
    _, f_dot, span_dot, y0_dot, args_dot, times_dot, events_dot, _ = tangents
    asked = (f, t_span, y0, args, t_eval, events, options)
    result, _ = noted_call((f, args, events), "scipy.integrate.solve_ivp", solution, *asked)
    problem = Problem(solution, config, f, t_span, y0, as_tuple(args), t_eval, events, options, result)
    problem.check()
    t, y = problem.points()
    push = problem.right_hand_side(t, y).push(not problem.is_traced, problem.most_points)
    n, of_complex = len(y), is_complex(y)
    dots, still = item_tangents(args_dot, len(problem.args)), [NO_TANGENT] * len(problem.args)
    columns = [
        push(NO_TANGENT, problem.in_order(NO_TANGENT, unit), still) for unit in units(n, len(t), of_complex)
    ]
    J = np.stack([in_reals(column, of_complex).T for column in columns], axis=-1)
    start_dot = in_reals(np.reshape(tangent_as_array(y0, y0_dot), -1) + np.zeros(n), of_complex)
    forcing = np.zeros((len(t), len(start_dot)))
    if not all(isinstance(dot, AbstractZero) for dot in (f_dot, *dots)):
        forcing = in_reals(push(f_dot, (NO_TANGENT, NO_TANGENT), dots), of_complex).T
    t0_dot, t1_dot = item_tangents(span_dot, 2)
    if not isinstance(t0_dot, AbstractZero):
        start_dot = start_dot - in_reals(problem.first_slope("forwards"), of_complex) * t0_dot
    by_steps = np.reshape(forcing, (len(problem.ends) - 1, -1, len(start_dot)))
    s = problem.flow(J).forwards(start_dot, by_steps)
    own, *met = problem.outputs
    at_events, t1_dot = push_events(problem, s, events_dot, dots, t1_dot)
    early, late = problem.shares()
    t_dot = tangent_as_array(result["t"] if t_eval is None else t_eval, times_dot)
    for share, dot in ((early, t0_dot), (late, t1_dot)):
        if not isinstance(dot, AbstractZero):
            t_dot = t_dot + share * dot
    y_dot = from_reals(s[problem.places(own)].T, of_complex)
    if np.any(primal_of(t_dot)) or primal_of(t_dot) is not t_dot:
        y_dot = y_dot + problem.slopes(own, "forwards") * t_dot
    result_dots = {"t": t_dot, "y": y_dot}
    if met:
        for place, name in enumerate(("t_events", "y_events")):
            result_dots[name] = tuple_tangent(list, [x[place] for x in at_events])
    return result, dict_tangent(type(result), dict.fromkeys(result, NO_TANGENT) | result_dots)


def push_events(
    problem: Problem, s: Any, events_dot: Any, dots: list[Any], t1_dot: Any
) -> tuple[list[Any], Any]:
    """The tangents of the times and states of each event, and of the end, which an event may have set."""
    met, at_events = problem.outputs[1:], []
    event_dots = [events_dot] if callable(problem.events) else item_tangents(events_dot, len(met))
    for output, event, event_dot in zip(met, problem.event_functions, event_dots, strict=True):
        y_dot = from_reals(s[problem.places(output)].T, is_complex(problem.result["y"]))
        meetings = problem.meetings(output, event, "forwards")
        t_dots = [push_time(problem.config, x, event_dot, y_dot[:, k], dots) for k, x in enumerate(meetings)]
        y_dots = [y_dot[:, k] + x.slope * t_dots[k] for k, x in enumerate(meetings)]
        at_events.append([np.stack(x) if x else NO_TANGENT for x in (t_dots, y_dots)])
        if problem.is_ended_by(output):
            t1_dot = t_dots[-1]
    return at_events, t1_dot


@rrule.dispatch
def solution_rrule(  # noqa: PLR0913, PLR0917 - those of the function
    config: RuleConfig[HasReverseMode],
    g: typeof_(solution),
    f: Any,
    t_span: Any,
    y0: Any,
    args: Any,
    t_eval: Any,
    events: Any,
    options: Any,
) -> Any:
    """Solve the adjoint of the linear equation backwards."""
    asked = (f, t_span, y0, args, t_eval, events, options)
    result, check = noted_call((f, args, events), "scipy.integrate.solve_ivp", solution, *asked)
    problem = Problem(solution, config, f, t_span, y0, as_tuple(args), t_eval, events, options, result)

    @functools.cache
    def linearize() -> Any:
        problem.check()
        check()
        return linearized(problem)

    def solution_pullback(result_bar: Any) -> Any:
        of_complex, y_bar = is_complex(result["y"]), zeros_if_zero(result["y"], result_bar["y"])
        pull, steps = linearize()
        s_bar = problem.at_ends(problem.outputs[0], in_reals(y_bar, of_complex))

        @functools.cache
        def by_times() -> Any:
            check()
            slopes = problem.slopes(problem.outputs[0], "backwards")
            return zeros_if_zero(result["t"], result_bar["t"]) + np.sum(
                np.real(np.conj(slopes) * y_bar), axis=0
            )

        last_bar = problem.is_ended_by_event and t_eval is None and np.sum(problem.shares()[1] * by_times())
        events_bar, met_bar, event_arg_bars = pull_events(problem, result_bar, last_bar or 0.0)
        start_bar, forcing_bar = steps.backwards(s_bar + met_bar)
        start_bar = from_reals(start_bar, of_complex)
        f_bar, _, arg_bars = pull(
            from_reals(np.reshape(forcing_bar, (-1, forcing_bar.shape[-1])).T, of_complex)
        )
        arg_bars = [a + b for a, b in zip(event_arg_bars, arg_bars, strict=True)]
        times_bar: Any = no_cotangent(t_eval)
        if t_eval is not None and not isinstance(times_bar, NoTangent):
            times_bar = Thunk(lambda: cotangent_in_lists(t_eval, by_times()))
        return (
            NO_TANGENT,
            f_bar,
            pull_ends(problem, by_times, start_bar),
            cotangent_in_lists(y0, np.reshape(start_bar, np.shape(primal_of(array_of(y0))))),
            iterable_cotangent(args, args, arg_bars) if args is not None else NO_TANGENT,
            times_bar,
            events_bar,
            NO_TANGENT,
        )

    return result, solution_pullback


def linearized(problem: Problem) -> tuple[Any, Any]:
    """The pullback of the right-hand side at all points, and the linear equation that its Jacobians make."""
    t, y = problem.points()
    n, count, of_complex = len(y), len(t), is_complex(y)
    bars = units(n, count, of_complex)
    takes_less = len(bars) > 1 and len(bars) * y.size <= FEW and not problem.is_traced
    copies = len(bars) if takes_less else 1
    pull = problem.right_hand_side(t, y, copies).pull(not problem.is_traced, problem.most_points)
    together = [np.concatenate(bars[k : k + copies], axis=1) for k in range(0, len(bars), copies)]
    rows = np.concatenate([problem.in_order(*pull(bar)[1])[1] for bar in together], axis=1)
    J = np.reshape(in_reals(rows, of_complex).T, (len(bars), count, len(bars)))
    return pull, problem.flow(np.swapaxes(J, 0, 1))


def pull_ends(problem: Problem, by_times: Callable[[], Any], start_bar: Any) -> Any:
    """The cotangent of both ends, from those of the times of the result and of the first state."""
    span = problem.t_span

    def by_start() -> Any:
        moved = np.sum(np.real(np.conj(problem.first_slope("backwards")) * start_bar))
        return ProjectTo(span[0])(np.sum(problem.shares()[0] * by_times()) - moved)

    def by_end() -> Any:
        return ProjectTo(span[1])(np.sum(problem.shares()[1] * by_times()))

    bars: list[Any] = [Thunk(by_start), ZeroTangent() if problem.is_ended_by_event else Thunk(by_end)]
    bars = [no_cotangent(t) if isinstance(t, int) else bar for t, bar in zip(span, bars, strict=True)]
    return iterable_cotangent(
        span, span, bars if isinstance(span, tuple | list) else list(map(unthunk, bars))
    )


def pull_events(problem: Problem, result_bar: Any, last_bar: Any) -> tuple[Any, Any, list[Any]]:
    """The cotangents of the events, of the solution at all ends of steps, and of `args`.

    Parameters
    ----------
    problem, result_bar
        The problem, and the cotangent of its result.
    last_bar
        The cotangent of the last time, if an event has ended the solution.
    """
    _, *met = problem.outputs
    given = [item_tangents(result_bar[name], len(met)) for name in ("t_events", "y_events")]
    event_bars, s_bar, arg_bars = [], 0.0, [ZeroTangent()] * len(problem.args)
    for output, event, times_bar, states_bar in zip(met, problem.event_functions, *given, strict=True):
        event_bar: Any = no_cotangent(event)
        t_bar, y_bar = zeros_if_zero(output.t, times_bar), zeros_if_zero(output.y.T, states_bar).T
        if problem.is_ended_by(output):
            t_bar = t_bar + last_bar * (np.arange(len(t_bar)) == len(t_bar) - 1)
        if not is_zero(t_bar) or not is_zero(y_bar):
            columns = []
            for k, x in enumerate(problem.meetings(output, event, "backwards")):
                moved = t_bar[k] + np.sum(np.real(np.conj(x.slope) * y_bar[:, k]))
                g_bar, column, own_arg_bars = pull_time(problem.config, x, moved)
                columns.append(y_bar[:, k] + column)
                event_bar = event_bar + g_bar
                arg_bars = [a + b for a, b in zip(arg_bars, own_arg_bars, strict=True)]
            s_bar = s_bar + problem.at_ends(output, in_reals(np.stack(columns, axis=1), is_complex(output.y)))
        event_bars.append(event_bar)
    if not met:
        return NO_TANGENT, s_bar, arg_bars
    events = problem.events
    return (
        event_bars[0] if callable(events) else iterable_cotangent(events, events, event_bars),
        s_bar,
        arg_bars,
    )


def is_zero(x_bar: Any) -> bool:
    """Whether a cotangent is zero, and nothing that is traced."""
    x_bar = unthunk(x_bar)
    return isinstance(x_bar, AbstractZero) or (primal_of(x_bar) is x_bar and not np.any(x_bar))


def as_tuple(args: Any) -> tuple[Any, ...]:
    """The further arguments of the right-hand side."""
    return () if args is None else tuple(args)
