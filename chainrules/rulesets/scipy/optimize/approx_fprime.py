"""Rules for `approx_fprime`, whose result stands for a gradient: AD differentiates that exactly."""

from typing import Any

import numpy as np
import scipy.optimize

from chainrules.formulas.calls.derivatives_by_directions import jacobian_of
from chainrules.values.held_numbers import check_of_changes
from chainrules.values.several_arrays import array_of, cotangent_in_lists
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    ZeroTangent,
    frule,
    frule_via_ad,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)

# The step, if it is not given, has no influence on the derivative.
approx_fprime = primitive(scipy.optimize.approx_fprime)


@frule.dispatch
def approx_fprime_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    function: typeof_(scipy.optimize.approx_fprime),
    xk: Any,
    f: Any,
    *further: Any,
):
    _, x_dot, f_dot, *further_dots = tangents
    y, dots = approx_fprime(xk, f, *further), (x_dot, f_dot, *further_dots[1:])
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return y, ZeroTangent()
    program = jacobian_of(config, np.size(xk))
    return y, frule_via_ad(config, (NO_TANGENT, *dots), program, vector(xk), f, *further[1:])[1]


@rrule.dispatch
def approx_fprime_rrule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    function: typeof_(scipy.optimize.approx_fprime),
    xk: Any,
    f: Any,
    *further: Any,
):
    check = check_of_changes((f, further), "scipy.optimize.approx_fprime")

    def approx_fprime_pullback(y_bar):
        check()
        _, pullback = rrule_via_ad(config, jacobian_of(config, np.size(xk)), vector(xk), f, *further[1:])
        _, x_bar, f_bar, *arg_bars = pullback(y_bar)
        step_bars = [ZeroTangent()] * len(further[:1])
        return (
            NO_TANGENT,
            cotangent_in_lists(xk, np.reshape(x_bar, np.shape(primal_of(array_of(xk))))),
            f_bar,
            *step_bars,
            *arg_bars,
        )

    return approx_fprime(xk, f, *further), approx_fprime_pullback


def vector(x: Any) -> Any:
    """The point, as the function is given it."""
    return np.reshape(1.0 * array_of(x), -1)
