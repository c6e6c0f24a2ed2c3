"""Rules for solutions of equations: `chainrules.formulas.equations.implicit_functions` has the theorem.

Wherever the search starts, it finds the same solution: starts and brackets have the derivative zero. The
value of the function at the solution stays zero.
"""

from typing import Any

import numpy as np
import scipy.optimize

from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules.values.callee_unions import typeof_any
from chainrules.values.iterables import item_tangents, iterable_cotangent
from chainrules.values.solver_calls import (
    bars_of,
    cotangents_in_result,
    dots_of,
    parts_of_result,
    solved,
    tangent_of_result,
)
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    ZeroTangent,
    frule,
    primal_of,
    rrule,
)

SOLVERS = (
    *(scipy.optimize.brentq, scipy.optimize.brenth, scipy.optimize.ridder, scipy.optimize.bisect),
    *(scipy.optimize.toms748, scipy.optimize.newton, scipy.optimize.root_scalar, scipy.optimize.root),
    *(scipy.optimize.fsolve, scipy.optimize.fixed_point, scipy.optimize.anderson),
    *(scipy.optimize.broyden1, scipy.optimize.broyden2, scipy.optimize.diagbroyden),
    *(scipy.optimize.excitingmixing, scipy.optimize.linearmixing, scipy.optimize.newton_krylov),
)

# These pass on the items of `args`, whatever it is; the others pass on what is no tuple as one argument.
UNPACKING = (scipy.optimize.newton, scipy.optimize.fixed_point)

# The parameters that say what the equation is.
INPUTS = ("F", "f", "func", "fun", "args")


@frule.dispatch
def root_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, solver: typeof_any(SOLVERS), *given: Any, **named: Any
):
    arguments, called, _, result, _ = solved(solver, given, named, INPUTS)
    f_dot, args_dot = tangents[1], *dots_of(solver, tangents[1:], ["args"])
    equation = equation_of(solver, arguments, result)
    arg_dots = item_tangents(args_dot, len(equation.args)) if unpacks(solver, arguments) else [args_dot]
    if all(isinstance(dot, AbstractZero) for dot in (f_dot, *arg_dots)):
        return result, ZeroTangent()
    x_dot = push_solution(config, equation, f_dot, arg_dots)
    return result, tangent_of(result, x_dot, called)


@rrule.dispatch
def root_rrule(config: RuleConfig[HasReverseMode], solver: typeof_any(SOLVERS), *given: Any, **named: Any):
    arguments, called, _, result, check = solved(solver, given, named, INPUTS)
    first = next(iter(arguments))

    def root_pullback(y_bar):
        check()
        bars = {}
        x_bar = cotangent_in(result, y_bar, called)
        if not isinstance(x_bar, AbstractZero):
            equation = equation_of(solver, arguments, result)
            f_bar, args_bar = pull_solution(config, equation)(x_bar)
            arg_bars = item_tangents(args_bar, len(equation.args))
            if unpacks(solver, arguments):
                args_bar = iterable_cotangent(arguments.get("args", ()), equation.args, arg_bars)
            else:
                (args_bar,) = arg_bars
            bars = {first: f_bar, "args": args_bar}
        return NO_TANGENT, *bars_of(solver, given, bars)

    return result, root_pullback


def equation_of(solver: Any, arguments: dict[str, Any], result: Any) -> Equation:
    """The equation that was solved."""
    args = arguments.get("args", ())
    args = tuple(args) if unpacks(solver, arguments) else (args,)
    returns_slopes = arguments.get("jac") is True or arguments.get("fprime") is True
    return Equation(
        f"scipy.optimize.{solver.__name__}",
        next(iter(arguments.values())),
        args,
        parts_of_result(result)[solution_key(result)],
        problem_of(result),
        of_first=returns_slopes or arguments.get("fprime2") is True,
        is_fixed_point=solver.__name__ == "fixed_point",
    )


def unpacks(solver: Any, arguments: dict[str, Any]) -> bool:
    """Whether the equation is given the items of `args`."""
    return solver in UNPACKING or isinstance(arguments.get("args", ()), tuple)


# --- The result --------------------------------------------------------------------------------------------


def solution_key(result: Any) -> Any:
    """Where the solution stands in the result of a solver."""
    if isinstance(result, dict):
        return "root" if "root" in result else "x"
    return 0


def tangent_of(result: Any, x_dot: Any, called: str) -> Any:
    """The tangent of the result of a solver."""
    dots = {solution_key(result): x_dot, "fun": ZeroTangent()}
    if has_report(result):
        dots |= {1: tangent_of(result[1], x_dot, called)}
    return tangent_of_result(result, dots, called)


def cotangent_in(result: Any, y_bar: Any, called: str) -> Any:
    """The cotangent of the solution, from the one of the result of a solver."""
    key, is_reported = solution_key(result), has_report(result)
    known = [
        key,
        *([1] if is_reported else []),
        *(["fun"] if isinstance(result, dict) and "fun" in result else []),
    ]
    bars = cotangents_in_result(result, y_bar, known, called)
    return bars[key] + cotangent_in(result[1], bars[1], called) if is_reported else bars[key]


def has_report(result: Any) -> bool:
    """Whether a result has a `RootResults` beside the solution, which has the solution too."""
    return isinstance(result, tuple) and isinstance(result[1], dict) and "root" in result[1]


def problem_of(result: Any) -> str:
    """Why a solver says that it did not converge; empty, if it does not say so."""
    parts = result if isinstance(result, tuple) else (result,)
    report = next((x for x in parts if isinstance(x, dict)), {})
    succeeded = primal_of(report.get("converged", report.get("success", True)))
    if np.all(succeeded):
        return ""
    reason = " ".join(str(report.get("flag", report.get("message"))).split())
    return f"{reason} ({report.get('function_calls', report.get('nfev'))} calls of the function)"
