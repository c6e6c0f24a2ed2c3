"""Rules for `odeint`: `chainrules.operations.initial_value_problems` has the equations.

`odeint` says nothing of its steps. So `solve_ivp` solves the same problem by the same method once more, and
the derivative is that of this solution, which has to agree.
"""

from typing import Any

import numpy as np
import scipy.integrate

from chainrules.operations.initial_value_problems import solution, solution_frule, solution_rrule
from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import dict_tangent, item_tangents, no_cotangent, tuple_tangent
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    RuleConfig,
    Thunk,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

odeint = primitive(scipy.integrate.odeint)

# The tolerance of `odeint`, if none is given.
TOLERANCE = 1.49012e-8
# Two solutions by the same method are no further apart, as a part of the largest number, if both are right.
AGREEMENT = 1e-3


@frule.dispatch
def odeint_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    o: typeof_(scipy.integrate.odeint),
    f: Any,
    y0: Any,
    t: Any,
    *further: Any,
    **named: Any,
):
    _, f_dot, y0_dot, t_dot, *args_dot = tangents
    args, options = options_of(further, named)
    result, _ = noted_call((f, args), "scipy.integrate.odeint", odeint, f, y0, t, *further, **named)
    times = array_of(t)
    times_dot = t_dot if isinstance(t_dot, AbstractZero) else tangent_as_array(t, t_dot)
    first_dot = times_dot if isinstance(times_dot, AbstractZero) else times_dot[0]
    span_dot = tuple_tangent(tuple, (first_dot, NO_TANGENT))
    args_dot = args_dot[0] if args_dot else NO_TANGENT
    start_dot = y0_dot if isinstance(y0_dot, AbstractZero) else np.reshape(tangent_as_array(y0, y0_dot), -1)
    dots = (NO_TANGENT, f_dot, span_dot, start_dot, args_dot, times_dot, NO_TANGENT, NO_TANGENT)
    problem = (f, (times[0], times[-1]), np.reshape(array_of(y0), -1), args, times, None, options)
    solved, solved_dot = solution_frule(config, dots, solution, *problem)
    check_agreement(result, solved)
    y_dot = solved_dot["y"].T
    return result, y_dot if not isinstance(result, tuple) else tuple_tangent(tuple, (y_dot, NO_TANGENT))


@rrule.dispatch
def odeint_rrule(
    config: RuleConfig[HasReverseMode],
    o: typeof_(scipy.integrate.odeint),
    f: Any,
    y0: Any,
    t: Any,
    *further: Any,
    **named: Any,
):
    args, options = options_of(further, named)
    result, check = noted_call((f, args), "scipy.integrate.odeint", odeint, f, y0, t, *further, **named)
    times = array_of(t)
    pulls: list[Any] = []

    def pull(solved_bar):
        if not pulls:
            check()
            problem = (f, (times[0], times[-1]), np.reshape(array_of(y0), -1), args, times, None, options)
            solved, pull = solution_rrule(config, solution, *problem)
            check_agreement(result, solved)
            pulls.append((pull, type(solved), list(solved)))
        pull, kind, names = pulls[0]
        return pull(dict_tangent(kind, dict.fromkeys(names, NO_TANGENT) | {"y": solved_bar}))

    def odeint_pullback(y_bar):
        if isinstance(result, tuple):
            y_bar = item_tangents(y_bar, len(result))[0]
        if isinstance(y_bar, AbstractZero):
            return NO_TANGENT, *map(no_cotangent, (f, y0, t, *further))
        _, f_bar, span_bar, start_bar, args_bar, times_bar, *_ = pull(unthunk(y_bar).T)
        y0_bar = cotangent_in_lists(y0, np.reshape(start_bar, np.shape(primal_of(array_of(y0)))))

        def by_times():
            first = unthunk(item_tangents(span_bar, 2)[0]) * (np.arange(len(times)) == 0)
            return cotangent_in_lists(t, unthunk(times_bar) + first)

        t_bar: Any = no_cotangent(t)
        t_bar = t_bar if isinstance(t_bar, type(NO_TANGENT)) else Thunk(by_times)
        further_bars = [args_bar, *(NO_TANGENT for _ in further)][: len(further)]
        return NO_TANGENT, f_bar, y0_bar, t_bar, *further_bars

    return result, odeint_pullback


FURTHER = ("args", "Dfun", "col_deriv", "full_output", "ml", "mu", "rtol", "atol", "tcrit", "h0", "hmax")


def options_of(further: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The further arguments of the right-hand side, and the options of `solution`."""
    given = {**dict(zip(FURTHER, further, strict=False)), **named}
    args = given.get("args", ())
    options = {name: given.get(name) for name in ("rtol", "atol")}
    options = {name: TOLERANCE if x is None else primal_of(x) for name, x in options.items()}
    if given.get("hmax"):
        options["max_step"] = primal_of(given["hmax"])
    options |= {"method": "LSODA", "tfirst": bool(given.get("tfirst", False))}
    return args, options


def check_agreement(result: Any, solved: Any) -> None:
    """Refuse a result that is no solution."""
    y = primal_of(result[0] if isinstance(result, tuple) else result)
    apart = np.max(np.abs(y - primal_of(solved["y"]).T), initial=0.0)
    largest = np.max(np.abs(y), initial=0.0)
    if not apart <= AGREEMENT * largest:
        raise NoDerivativeError(
            "scipy.integrate.odeint: another solution of the same problem by the same method is at the "
            f"distance {apart}, so that at least one of them is wrong, and has no derivative. Give a smaller "
            "`rtol` and `atol`, or a larger `mxstep`."
        )
