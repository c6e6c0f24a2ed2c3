"""Rules for minima: `chainrules.formulas.equations.minima` has the theorems.

What a result says of the search is constant; its approximations of the Hessian have no derivative here.
"""

from typing import Any

import scipy.optimize

from chainrules.formulas.equations.minima import BY_BOUNDS, Minimum, holds_zeros
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
    not_implemented,
    primitive,
    rrule,
)

SOLVERS = (scipy.optimize.minimize, scipy.optimize.minimize_scalar)


@frule.dispatch
def minimum_frule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    tangents: Any,
    solver: typeof_any(SOLVERS),
    *given: Any,
    **named: Any,
):
    result = primitive(solver)(*given, **named)
    minimum = Minimum(config, solver, given, named, result)
    dots = dict(zip(minimum.names, tangents[1:], strict=False))
    f_dot, args_dot = dots[minimum.names[0]], dots.get("args", NO_TANGENT)
    if not isinstance(minimum.arguments["args"], tuple):
        args_dot = tuple_tangent(tuple, (args_dot,))
    arg_dots = item_tangents(args_dot, len(minimum.args))
    missing = minimum.missing(dots.get("bounds", NO_TANGENT))
    if missing is not None:
        x_dot = fun_dot = missing
    elif all(isinstance(dot, AbstractZero) for dot in (f_dot, *arg_dots)):
        return result, ZeroTangent()
    else:
        x_dot, fun_dot = minimum.push(f_dot, arg_dots)
    result_dots = {name: minimum.constant(name) for name in result}
    return result, dict_tangent(type(result), result_dots | {"x": x_dot, "fun": fun_dot})


@rrule.dispatch
def minimum_rrule(config: RuleConfig[HasReverseMode], solver: typeof_any(SOLVERS), *given: Any, **named: Any):
    result = primitive(solver)(*given, **named)
    minimum = Minimum(config, solver, given, named, result)
    check = check_of_changes((minimum.f, minimum.args), minimum.solver)

    def minimum_pullback(y_bar):
        check()
        bars: dict[str, Any] = {name: no_cotangent(x) for name, x in minimum.arguments.items()}
        first = minimum.names[0]
        missing = minimum.missing(NO_TANGENT)
        for name in result:
            constant = minimum.constant(name)
            if not isinstance(constant, AbstractZero) and not holds_zeros(y_bar[name]):
                missing = not_implemented(f"the field `{name}` of the result of {minimum.solver}")
        if missing is None:
            f_bar, args_bar = minimum.pull(y_bar["x"], y_bar["fun"])
            is_tuple = isinstance(minimum.arguments["args"], tuple)
            bars |= {first: f_bar, "args": args_bar if is_tuple else args_bar[0]}
        else:
            bars |= dict.fromkeys((first, "args"), missing)
        if "constraints" in bars and minimum.is_constrained:
            bars["constraints"] = missing
        if "bounds" in bars and minimum.is_held:
            bars["bounds"] = BY_BOUNDS
        return NO_TANGENT, *(bars[name] for name, _ in zip(minimum.names, given, strict=False))

    return result, minimum_pullback
