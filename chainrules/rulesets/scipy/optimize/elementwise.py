"""Rules for the roots and minima of many functions of one number: `scipy.optimize.elementwise`.

Each is found by itself, and so is its derivative: `chainrules.formulas.equations.implicit_functions`.
Searches may begin at brackets, which have no derivatives themselves: their ends are where steps led.
"""

from typing import Any

import numpy as np
import scipy.optimize.elementwise

from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules.formulas.equations.minima import is_flat
from chainrules.values.callee_unions import typeof_any
from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import zeros_if_zero
from chainrules.values.solver_calls import cotangents_in_result, tangent_of_result
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
)

SOLVERS = (scipy.optimize.elementwise.find_root, scipy.optimize.elementwise.find_minimum)
BRACKETING = (scipy.optimize.elementwise.bracket_root, scipy.optimize.elementwise.bracket_minimum)


@frule.dispatch
def elementwise_frule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    tangents: Any,
    solver: typeof_any(SOLVERS),
    f: Any,
    start: Any,
    **named: Any,
):
    args, called = named.get("args", ()), f"scipy.optimize.elementwise.{solver.__name__}"
    result, _ = noted_call((f, args), called, primitive(solver), f, start, **named)
    f_dot = tangents[1]
    if isinstance(f_dot, AbstractZero):
        return result, f_dot
    still = (NO_TANGENT,) * len(args)
    x_dot = push_solution(config, equation_of(config, called, f, args, result), NO_TANGENT, (f_dot, *still))
    _, y_dot = frule_via_ad(config, (f_dot, NO_TANGENT, *still), f, result["x"], *args)
    value_dot = ZeroTangent() if called.endswith("root") else y_dot
    return result, tangent_of_result(result, {"x": x_dot, "f_x": value_dot}, called)


@rrule.dispatch
def elementwise_rrule(
    config: RuleConfig[HasReverseMode], solver: typeof_any(SOLVERS), f: Any, start: Any, **named: Any
):
    args, called = named.get("args", ()), f"scipy.optimize.elementwise.{solver.__name__}"
    result, check = noted_call((f, args), called, primitive(solver), f, start, **named)

    def elementwise_pullback(result_bar):
        check()
        known, f_bar = cotangents_in_result(result, result_bar, ["x", "f_x"], called), ZeroTangent()
        if not isinstance(known["x"], AbstractZero):
            equation = equation_of(config, called, f, args, result)
            _, inputs_bar = pull_solution(config, equation)(known["x"])
            f_bar = inputs_bar[0]
        if not (called.endswith("root") or isinstance(known["f_x"], AbstractZero)):
            value, pullback = rrule_via_ad(config, f, result["x"], *args)
            own_f_bar, slope, *_ = pullback(known["f_x"])
            if isinstance(known["x"], AbstractZero):
                equation = equation_of(config, called, f, args, result)
                check_values(config, equation, value, slope, known["f_x"])
            f_bar = f_bar + own_f_bar
        return NO_TANGENT, f_bar, ZeroTangent()

    return result, elementwise_pullback


def check_values(config: Any, equation: Equation, value: Any, slope: Any, factor: Any) -> None:
    """Refuse values where the search stopped on its way."""
    x, value, slope, factor = map(primal_of, (equation.x, value, zeros_if_zero(equation.x, slope), factor))
    if not np.all(is_flat(x, value, np.abs(slope), factor, equation.problem)):
        pull_solution(config, equation)(np.zeros_like(x))


@frule.dispatch
def bracket_frule(
    tangents: Any, search: typeof_any(BRACKETING), f: Any, start: Any, *other_end: Any, **named: Any
):
    result = primitive(search)(f, start, *other_end, **named)
    return result, tangent_of_result(result, {}, f"scipy.optimize.elementwise.{search.__name__}")


@rrule.dispatch
def bracket_rrule(search: typeof_any(BRACKETING), f: Any, start: Any, *other_end: Any, **named: Any):
    result = primitive(search)(f, start, *other_end, **named)

    def bracket_pullback(result_bar):
        cotangents_in_result(result, result_bar, (), f"scipy.optimize.elementwise.{search.__name__}")
        return NO_TANGENT, ZeroTangent(), ZeroTangent(), *(ZeroTangent() for _ in other_end)

    return result, bracket_pullback


def equation_of(config: Any, called: str, f: Any, args: Any, result: Any) -> Equation:
    """That the function is zero, or its slope."""
    is_root = called.endswith("root")

    def value(x: Any, f: Any, *args: Any) -> Any:
        return f(x, *args)

    def slope(x: Any, f: Any, *args: Any) -> Any:
        y, pullback = rrule_via_ad(config, f, x, *args)
        return pullback(np.ones_like(primal_of(y))[()])[1]

    def check(J: Any, steps: Any) -> None:
        if not np.all(J > 0.0):
            raise NoDerivativeError(
                f"{called}: the second derivative at the solution is {np.min(J)}, so that it is no minimum."
            )

    problem = "" if np.all(primal_of(result["success"])) else f"status {primal_of(result['status'])}"
    equation = Equation(called, value if is_root else slope, (f, *args), result["x"], problem)
    return equation._replace(is_elementwise=True, check=None if is_root else check)
