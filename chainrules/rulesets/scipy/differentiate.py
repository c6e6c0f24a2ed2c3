"""Rules for `scipy.differentiate`, whose results stand for derivatives: AD differentiates these exactly.

An estimate of a derivative by differences has, as its own derivative, the next derivative of the function.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.differentiate

from chainrules.formulas.calls.derivatives_by_directions import derivative_along, hessian_of, jacobian_of
from chainrules.values.callee_unions import typeof_any
from chainrules.values.held_numbers import noted_call
from chainrules.values.several_arrays import array_of
from chainrules.values.solver_calls import cotangents_in_result, tangent_of_result
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    ProjectTo,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    not_implemented,
    primitive,
    rrule,
    rrule_via_ad,
)

FUNCTIONS = (scipy.differentiate.derivative, scipy.differentiate.jacobian, scipy.differentiate.hessian)


@frule.dispatch
def derivative_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    function: typeof_any(FUNCTIONS),
    f: Any,
    x: Any,
    **named: Any,
):
    _, f_dot, x_dot = tangents
    args, (called, key, program) = args_of(named), program_of(config, function, x, named)
    result, _ = noted_call((f, args), called, primitive(function), f, x, **named)
    dots = (NO_TANGENT, x_dot, f_dot, *(NO_TANGENT for _ in args))
    if isinstance(x_dot, AbstractZero) and isinstance(f_dot, AbstractZero):
        return result, ZeroTangent()
    _, df_dot = frule_via_ad(config, dots, program, 1.0 * array_of(x), f, *args)
    return result, tangent_of_result(result, {key: df_dot, "x": x_dot}, called)


@rrule.dispatch
def derivative_rrule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    function: typeof_any(FUNCTIONS),
    f: Any,
    x: Any,
    **named: Any,
):
    args, (called, key, program) = args_of(named), program_of(config, function, x, named)
    result, check = noted_call((f, args), called, primitive(function), f, x, **named)

    def derivative_pullback(result_bar):
        check()
        known = cotangents_in_result(result, result_bar, [key, *(["x"] if "x" in result else [])], called)
        f_bar, x_bar = ZeroTangent(), known.get("x", NO_TANGENT)
        if not isinstance(known[key], AbstractZero):
            _, pullback = rrule_via_ad(config, program, 1.0 * array_of(x), f, *args)
            _, own_bar, f_bar, *_ = pullback(known[key])
            x_bar = x_bar + own_bar
        return NO_TANGENT, f_bar, x_bar if isinstance(x_bar, AbstractZero) else ProjectTo(x)(x_bar)

    return result, derivative_pullback


def args_of(named: dict[str, Any]) -> tuple[Any, ...]:
    """The further arguments of the function."""
    args = named.get("args", ())
    return args if isinstance(args, tuple) else (args,)


def program_of(
    config: Any, function: Any, x: Any, named: dict[str, Any]
) -> tuple[str, str, Callable[..., Any]]:
    """The name of a function, the field of its result that is a derivative, and what computes it exactly."""
    called = f"scipy.differentiate.{function.__name__}"
    if named.get("preserve_shape"):
        raise not_implemented(f"{called} with `preserve_shape`").error()
    if function is scipy.differentiate.derivative:
        return called, "df", derivative_along(config, lambda x: np.ones_like(x)[()])
    if function is scipy.differentiate.jacobian:
        return called, "df", jacobian_of(config, len(x))
    return called, "ddf", hessian_of(config, len(x))
