"""The rules; loaded through the entry point.

The right-hand side is a function of the caller's, perhaps with parameters in it, whose derivative only the AD
system knows. So the rules take a configuration, and call back. The derivative is that of the steps, exactly:

    y_dot advances by the same steps, with the pushforward of f in the place of f;
    going back, each step pulls the cotangent of its result to its state, its slopes, and f.

Backwards only the states are kept; the slopes of a step are computed once more when it is pulled back. So the
memory is that of the solution. Times have no derivatives here: they are refused, rather than dropped.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    ProjectTo,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    not_implemented,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunk,
)
from runge_kutta.solver import RK4, Tableau, combined, solve

OF_TIMES = "The derivative of a solution by its times: they are constants of this solver."


@frule.dispatch
def solve_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    s: typeof_(solve),
    f: Callable,
    y0: np.ndarray,
    times: np.ndarray,
    *,
    method: Tableau = RK4,
) -> Any:
    _, f_dot, y_dot, times_dot = tangents
    if not isinstance(times_dot, NoTangent | ZeroTangent):
        return solve(f, y0, times, method=method), not_implemented(OF_TIMES)
    y, y_dot = y0, 0 * y0 + y_dot
    states, dots = [y], [y_dot]
    for t, h in zip(times[:-1], np.diff(times), strict=True):
        slopes: list[Any] = []
        slope_dots: list[Any] = []
        for c, row in zip(method.c, method.a, strict=True):
            stage, stage_dot = y + h * combined(row, slopes), y_dot + h * combined(row, slope_dots)
            slope, slope_dot = frule_via_ad(config, (f_dot, ZeroTangent(), stage_dot), f, t + c * h, stage)
            slopes.append(slope)
            slope_dots.append(0 * y + unthunk(slope_dot))
        y, y_dot = y + h * combined(method.b, slopes), y_dot + h * combined(method.b, slope_dots)
        states.append(y)
        dots.append(y_dot)
    return np.stack(states), np.stack(dots)


@rrule.dispatch
def solve_rrule(
    config: RuleConfig[HasReverseMode],
    s: typeof_(solve),
    f: Callable,
    y0: np.ndarray,
    times: np.ndarray,
    *,
    method: Tableau = RK4,
) -> Any:
    # Through the AD system as well, so that its own arrays do not get into what the pullback keeps.
    states = solve(lambda t, y: rrule_via_ad(config, f, t, y)[0], y0, times, method=method)
    project_y = ProjectTo(y0)

    def solve_pullback(states_bar: Any) -> Any:
        f_bar: Any = ZeroTangent()
        y_bar = states_bar[-1]
        for n in range(len(times) - 2, -1, -1):
            at = times[n], times[n + 1] - times[n], states[n]
            step_bar, y_bar = pulled_back(lambda t, y: rrule_via_ad(config, f, t, y), at, y_bar, method)
            f_bar = f_bar + step_bar
            y_bar = y_bar + states_bar[n]
        return NoTangent(), f_bar, project_y(y_bar), not_implemented(OF_TIMES)

    return states, solve_pullback


def pulled_back(rrule_of_f: Callable, at: Any, y_bar: Any, method: Tableau) -> tuple[Any, Any]:
    """The cotangents of `f` and of the state before a step, from that of the state after it."""
    t, h, y = at
    slopes: list[Any] = []
    pullbacks: list[Any] = []
    for c, row in zip(method.c, method.a, strict=True):
        slope, pullback = rrule_of_f(t + c * h, y + h * combined(row, slopes))
        slopes.append(slope)
        pullbacks.append(pullback)
    f_bar: Any = ZeroTangent()
    slope_bars = [h * weight * y_bar for weight in method.b]
    for k in range(len(slopes) - 1, -1, -1):
        one_f_bar, _, stage_bar = pullbacks[k](slope_bars[k])
        f_bar, stage_bar = f_bar + one_f_bar, unthunk(stage_bar)
        y_bar = y_bar + stage_bar
        for j, weight in enumerate(method.a[k]):
            slope_bars[j] = slope_bars[j] + h * weight * stage_bar
    return f_bar, y_bar
