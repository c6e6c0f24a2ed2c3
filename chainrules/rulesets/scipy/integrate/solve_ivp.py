"""Rules for `solve_ivp`: `chainrules.operations.initial_value_problems` has the equations.

Both modes solve a linear differential equation on the steps that the solver took: the `frule` the one of the
sensitivities, forwards, the `rrule` its discrete adjoint, backwards, whatever the number of parameters. Both
need the Jacobian of the right-hand side as a matrix. For larger systems, and for calls with `dense_output`,
there is no rule: an AD system that follows Python code follows the steps.

The steps of a solver move when parameters do, in a way that only following them gives. So they are followed
as well where a derivative by the solution at the times of the solver's choice is wanted, without `t_eval` and
between the ends of `t_span`; and where that takes less time, as for a function of several unknowns that
cannot be called with many states at once. The steps of LSODA, which is written in C, and those of a call with
`events` cannot be followed.
"""

import functools
import inspect
import types
from typing import Any

import numpy as np
import scipy.integrate

from chainrules.numerics.many_points import TooManyPointsError
from chainrules.numerics.solver_steps import METHODS, POINTS
from chainrules.operations.initial_value_problems import solution, solution_frule, solution_rrule
from chainrules.values.held_numbers import check_of_changes
from chainrules.values.iterables import dict_tangent, zeros_if_zero
from chainrules.values.several_arrays import array_of
from chainrules_core import (
    NO_TANGENT,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    RuleConfig,
    backing,
    frule,
    not_implemented,
    primal_of,
    rrule,
    rrule_via_ad,
    typeof_,
)

# The arguments of `solution` among those of `solve_ivp`.
ARGUMENTS = ("fun", "t_span", "y0", "args", "t_eval", "events")
# SciPy's function without its rule.
STEP_BY_STEP = types.FunctionType(
    scipy.integrate.solve_ivp.__code__,
    scipy.integrate.solve_ivp.__globals__,
    argdefs=scipy.integrate.solve_ivp.__defaults__,
)
# The largest number of unknowns whose Jacobian is worth its computation.
LARGEST = 32


NOT_FOLLOWED = (
    "scipy.integrate.solve_ivp: the solution at times that the solver chooses has no derivative by LSODA or "
    "with `events`, since these times move by themselves. Give the times that you want as `t_eval`."
)


@frule.dispatch
def solve_ivp_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    s: typeof_(scipy.integrate.solve_ivp),
    *given: Any,
    **named: Any,
):
    arguments = arguments_of(given, named)
    if not is_served(arguments):
        return None
    if arguments["t_eval"] is None and can_be_followed(arguments):
        return None
    dots = dict(zip(parameters(), tangents[1:], strict=False))
    problem_dots = [dots.get(name, NO_TANGENT) for name in ARGUMENTS]
    problem = [*(arguments[name] for name in ARGUMENTS), options_of(arguments)]
    try:
        all_dots = (NO_TANGENT, *problem_dots, NO_TANGENT)
        result, result_dot = solution_frule(config, all_dots, solution, *problem)
    except TooManyPointsError:
        return None
    if arguments["t_eval"] is None:
        missing = dict.fromkeys(("t", "y"), not_implemented(NOT_FOLLOWED))
        result_dot = dict_tangent(type(result), dict(backing(result_dot)) | missing)
    return as_asked(result, problem), result_dot


@rrule.dispatch
def solve_ivp_rrule(
    config: RuleConfig[HasReverseMode], s: typeof_(scipy.integrate.solve_ivp), *given: Any, **named: Any
):
    arguments = arguments_of(given, named)
    if not is_served(arguments):
        return None
    problem = [*(arguments[name] for name in ARGUMENTS), options_of(arguments)]
    result, pull = solution_rrule(config, solution, *problem)
    is_traced = primal_of(result["y"]) is not result["y"]
    if is_traced and arguments["t_eval"] is None and can_be_followed(arguments):
        return None

    check = check_of_changes((arguments["fun"], arguments["args"]), "scipy.integrate.solve_ivp")

    @functools.cache
    def followed():
        check()
        return pull_followed(config, arguments)

    def bars_by_name(result_bar):
        if arguments["t_eval"] is not None or not is_within(result, result_bar):
            try:
                return dict(zip(ARGUMENTS, pull(result_bar)[1:-1], strict=True))
            except TooManyPointsError:
                pass
        return dict(zip(parameters(), followed()(result_bar)[1:], strict=True))

    def solve_ivp_pullback(result_bar):
        bars = bars_by_name(result_bar)
        return NO_TANGENT, *(bars.get(name, NO_TANGENT) for name, _ in zip(parameters(), given, strict=False))

    return as_asked(result, problem), solve_ivp_pullback


@functools.cache
def parameters() -> dict[str, Any]:
    """The default of each parameter of `solve_ivp`."""
    signature = inspect.signature(scipy.integrate.solve_ivp).parameters
    return {name: parameter.default for name, parameter in signature.items() if name != "options"}


def arguments_of(given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """All arguments of a call, by the names of the parameters."""
    return {**parameters(), **dict(zip(parameters(), given, strict=False)), **named}


def options_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """The options of `solution`, which returns what is between the steps anyway."""
    options = {name: x for name, x in arguments.items() if name not in {*ARGUMENTS, "dense_output"}}
    return options | {"can_be_followed": can_be_followed(arguments)}


def is_served(arguments: dict[str, Any]) -> bool:
    """Whether the equations are those of this call."""
    method, t_span, t_eval = (arguments[name] for name in ("method", "t_span", "t_eval"))
    t_span, y0 = (np.ravel(primal_of(array_of(x))) for x in (t_span, arguments["y0"]))
    return bool(
        (method in METHODS if isinstance(method, str) else method in POINTS)
        and not arguments["dense_output"]
        and (t_eval is None or np.size(primal_of(array_of(t_eval))))
        and len(t_span) == 2
        and t_span[0] != t_span[1]
        and 0 < len(y0) * (1 + np.iscomplexobj(y0)) <= LARGEST
    )


def as_asked(result: Any, problem: list[Any]) -> Any:
    """The result as SciPy returns it if nobody asks for the solution between the steps."""
    *_, t_eval, _, options = problem
    evaluations, steps = result["nfev"], primal_of(result["sol"]).ts
    if options["method"] in {"DOP853", scipy.integrate.DOP853}:
        # This method calls the function three times more for a step in which something is wanted.
        times = [] if t_eval is None else np.abs(primal_of(result["t"]) - steps[0])
        times = np.concatenate([times, *(np.abs(primal_of(t) - steps[0]) for t in result["t_events"] or ())])
        wanted = np.unique(np.maximum(np.searchsorted(np.abs(steps - steps[0]), times), 1))
        evaluations = evaluations - 3 * (len(steps) - 1 - len(wanted))
    return type(result)(result, sol=None, nfev=evaluations)


# --- The solver's own times --------------------------------------------------------------------------------


def is_within(result: Any, result_bar: Any) -> bool:
    """Whether a cotangent is one of a time between the ends, or of the solution there."""
    return any(
        np.any(primal_of(zeros_if_zero(result[name], result_bar[name]))[..., 1:-1]) for name in ("t", "y")
    )


def can_be_followed(arguments: dict[str, Any]) -> bool:
    """Whether the method is written in Python, and no root is searched."""
    return arguments["method"] not in {"LSODA", scipy.integrate.LSODA} and arguments["events"] is None


def pull_followed(config: Any, arguments: dict[str, Any]) -> Any:
    """The pullback of the same call, of which the AD system follows each step."""
    if not can_be_followed(arguments):
        raise NoDerivativeError(NOT_FOLLOWED)
    options = {name: x for name, x in arguments.items() if name not in parameters()}
    return rrule_via_ad(config, STEP_BY_STEP, *(arguments[name] for name in parameters()), **options)[1]
