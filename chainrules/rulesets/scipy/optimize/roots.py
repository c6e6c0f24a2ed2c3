"""Rules for solutions of equations: `chainrules.formulas.equations.implicit_functions` has the theorem.

Wherever the search starts, it finds the same solution: starts and brackets have the derivative zero. What a
result says of the search is constant.
"""

import functools
import inspect
from typing import Any

import numpy as np
import scipy.optimize

from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules.values.callee_unions import typeof_any
from chainrules.values.held_numbers import check_of_changes
from chainrules.values.iterables import dict_tangent, item_tangents, no_cotangent, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
)

SOLVERS = (
    *(scipy.optimize.brentq, scipy.optimize.brenth, scipy.optimize.ridder, scipy.optimize.bisect),
    *(scipy.optimize.toms748, scipy.optimize.newton, scipy.optimize.root_scalar, scipy.optimize.root),
    *(scipy.optimize.fsolve, scipy.optimize.fixed_point),
)


@frule.dispatch
def root_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, solver: typeof_any(SOLVERS), *given: Any, **named: Any
):
    result = primitive(solver)(*given, **named)
    dots = dict(zip(parameters_of(solver), tangents[1:], strict=False))
    arguments = arguments_of(solver, given, named)
    equation = equation_of(solver, arguments, result)
    args_dot = dots.get("args", NO_TANGENT)
    if not isinstance(arguments["args"], tuple):
        args_dot = tuple_tangent(tuple, (args_dot,))
    f_dot, arg_dots = tangents[1], item_tangents(args_dot, len(equation.args))
    if all(isinstance(dot, AbstractZero) for dot in (f_dot, *arg_dots)):
        return result, ZeroTangent()
    return result, tangent_of(result, push_solution(config, equation, f_dot, arg_dots))


@rrule.dispatch
def root_rrule(config: RuleConfig[HasReverseMode], solver: typeof_any(SOLVERS), *given: Any, **named: Any):
    result = primitive(solver)(*given, **named)
    arguments = arguments_of(solver, given, named)
    check = check_of_changes((arguments["f"], arguments["args"]), f"scipy.optimize.{solver.__name__}")

    def root_pullback(y_bar):
        check()
        bars = {name: no_cotangent(x) for name, x in arguments.items()}
        x_bar = cotangent_in(result, y_bar)
        if not isinstance(x_bar, AbstractZero):
            f_bar, args_bar = pull_solution(config, equation_of(solver, arguments, result))(x_bar)
            is_tuple = isinstance(arguments["args"], tuple)
            bars |= {"f": f_bar, "args": args_bar if is_tuple else args_bar[0]}
        return NO_TANGENT, *(bars[name] for name, _ in zip(parameters_of(solver), given, strict=False))

    return result, root_pullback


# --- The call ----------------------------------------------------------------------------------------------


@functools.cache
def defaults_of(solver: Any) -> dict[str, Any]:
    """The default of each parameter of a solver, the first of which is called `f` here."""
    _, *names = parameters = inspect.signature(solver).parameters
    return {"f": None} | {name: parameters[name].default for name in names}


def parameters_of(solver: Any) -> list[str]:
    """The names of the parameters of a solver."""
    return list(defaults_of(solver))


def arguments_of(solver: Any, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """All arguments of a call, by the names of the parameters."""
    return defaults_of(solver) | dict(zip(parameters_of(solver), given, strict=False)) | named


def equation_of(solver: Any, arguments: dict[str, Any], result: Any) -> Equation:
    """The equation that was solved."""
    args = arguments["args"]
    returns_slopes = arguments.get("jac") is True or arguments.get("fprime") is True
    return Equation(
        f"scipy.optimize.{solver.__name__}",
        arguments["f"],
        args if isinstance(args, tuple) else (args,),
        solution_in(result),
        problem_of(result),
        of_first=returns_slopes or arguments.get("fprime2") is True,
        is_fixed_point=solver.__name__ == "fixed_point",
    )


# --- The result --------------------------------------------------------------------------------------------


def solution_in(result: Any) -> Any:
    """The solution, in the result of a solver."""
    if isinstance(result, tuple):
        return result[0]
    return result[solution_key(result)] if isinstance(result, dict) else result


def solution_key(result: Any) -> str:
    """The key of the solution in a result that is an object."""
    return "root" if "root" in result else "x"


def tangent_of(result: Any, x_dot: Any) -> Any:
    """The tangent of the result of a solver."""
    if isinstance(result, tuple):
        report = result[1]
        report_dot = tangent_of(report, x_dot) if is_report(report) else NO_TANGENT
        return tuple_tangent(type(result), (x_dot, report_dot, *(NO_TANGENT for _ in result[2:])))
    if isinstance(result, dict):
        constant: dict[str, Any] = dict.fromkeys(result, NO_TANGENT)
        return dict_tangent(type(result), constant | {solution_key(result): x_dot})
    return x_dot


def cotangent_in(result: Any, y_bar: Any) -> Any:
    """The cotangent of the solution, from the one of the result of a solver."""
    if isinstance(result, tuple):
        x_bar, *others = item_tangents(y_bar, len(result))
        return x_bar + cotangent_in(result[1], others[0]) if is_report(result[1]) else x_bar
    if isinstance(result, dict) and not isinstance(y_bar, AbstractZero):
        return y_bar[solution_key(result)]
    return y_bar


def is_report(x: Any) -> bool:
    """Whether a part of a result is a `RootResults`, which has the solution too."""
    return isinstance(x, dict) and "root" in x


def problem_of(result: Any) -> str:
    """Why a solver says that it did not converge; empty, if it does not say so."""
    parts = result if isinstance(result, tuple) else (result,)
    report = next((x for x in parts if isinstance(x, dict)), {})
    succeeded = primal_of(report.get("converged", report.get("success", True)))
    if np.all(succeeded):
        return ""
    reason = " ".join(str(report.get("flag", report.get("message"))).split())
    return f"{reason} ({report.get('function_calls', report.get('nfev'))} calls of the function)"
