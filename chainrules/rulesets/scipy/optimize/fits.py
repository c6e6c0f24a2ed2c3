"""Rules for least-squares fits, whose parameters are a minimum: `chainrules.formulas.equations.minima`.

The Hessian is the true one, not that of the method of Gauss and Newton: where residuals are not zero, the
second derivatives of the model count. The covariance of the parameters, which SciPy computes by the method
of Gauss and Newton, and the residuals and their Jacobian are functions of the data and of the parameters
that were found.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.optimize

from chainrules.formulas.equations.active_sets import Limits, Task, flat_array
from chainrules.formulas.equations.minima import Minimum
from chainrules.values.callee_unions import typeof_any
from chainrules.values.several_arrays import array_of
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
    frule_via_ad,
    not_implemented,
    primal_of,
    rrule,
    rrule_via_ad,
)

SOLVERS = (scipy.optimize.least_squares, scipy.optimize.leastsq, scipy.optimize.curve_fit)


@frule.dispatch
def fit_frule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    tangents: Any,
    solver: typeof_any(SOLVERS),
    *given: Any,
    **named: Any,
):
    arguments, called, inputs, result, _ = solved(solver, given, named, INPUTS)
    dots = dots_of(solver, tangents[1:], inputs)
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return result, ZeroTangent()
    minimum = minimum_of(config, called, arguments, result)
    x_dot, cost_dot = minimum.push(dots)
    known = {x_key(result): x_dot, "cost": cost_dot}
    for key, program in programs_of(config, arguments, result).items():
        _, known[key] = frule_via_ad(config, (NO_TANGENT, x_dot, *dots), program, minimum.x, *inputs.values())
    return result, tangent_of_result(result, known, called)


@rrule.dispatch
def fit_rrule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    solver: typeof_any(SOLVERS),
    *given: Any,
    **named: Any,
):
    arguments, called, inputs, result, check = solved(solver, given, named, INPUTS)

    def fit_pullback(y_bar):
        check()
        minimum, programs = (
            minimum_of(config, called, arguments, result),
            programs_of(config, arguments, result),
        )
        costs = ["cost"] if isinstance(result, dict) else []
        known = cotangents_in_result(result, y_bar, [x_key(result), *costs, *programs], called)
        x_bar, bars = known[x_key(result)], [ZeroTangent()] * len(inputs)
        for key, program in programs.items():
            if not isinstance(known[key], AbstractZero):
                _, pullback = rrule_via_ad(config, program, minimum.x, *inputs.values())
                _, own_x_bar, *own_bars = pullback(known[key])
                x_bar = x_bar + own_x_bar
                bars = [bar + own_bar for bar, own_bar in zip(bars, own_bars, strict=True)]
        found = minimum.pull(x_bar, known.get("cost", NO_TANGENT))
        bars = [bar + other for bar, other in zip(bars, found, strict=True)]
        return NO_TANGENT, *bars_of(solver, given, dict(zip(inputs, bars, strict=True)))

    return result, fit_pullback


# --- The call ----------------------------------------------------------------------------------------------

# The parameters that say what is fitted.
INPUTS = ("fun", "func", "f", "args", "kwargs", "xdata", "ydata", "sigma", "bounds", "f_scale")


def inputs_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that say what is fitted."""
    return {name: arguments[name] for name in INPUTS if name in arguments}


def minimum_of(config: Any, called: str, arguments: dict[str, Any], result: Any) -> Minimum:
    """The minimum of half the sum of the squares of the residuals, or of what the loss makes of them."""
    residuals, names = residuals_of(arguments), list(inputs_of(arguments))
    given = arguments.get("loss", "linear")
    loss: Callable[[Any], Any] = LOSSES[given] if given in LOSSES else lambda z: given(z)[0]

    def task_of(*inputs: Any) -> Task:
        named = dict(zip(names, inputs, strict=True))
        bounds, scale = named.get("bounds"), named.get("f_scale", 1.0) ** 2

        def value(x: Any) -> Any:
            z = residuals(x, *inputs) ** 2 / scale
            return 0.5 * scale * np.sum(loss(z))

        return Task(value, bounds if bounds is None or hasattr(bounds, "ub") else Limits(*bounds))

    problem = "" if parts_of_result(result).get("success", True) else str(result.get("message"))
    x = parts_of_result(result)[x_key(result)]
    return Minimum(config, called, task_of, inputs_of(arguments).values(), x, problem)


def residuals_of(arguments: dict[str, Any]) -> Callable[..., Any]:
    """The function that gives the residuals, of the parameters and of the inputs."""
    names = list(inputs_of(arguments))
    if arguments.get("nan_policy") == "omit":
        raise not_implemented("`curve_fit` with `nan_policy`: take the points without NaN").error()

    def residuals(x: Any, *inputs: Any) -> Any:
        named = dict(zip(names, inputs, strict=True))
        if "xdata" in named:
            y = named["f"](array_of(named["xdata"]), *x) - array_of(named["ydata"])
            return flat_array(weighted(y, named["sigma"]))
        args, f = named["args"], named["fun"] if "fun" in named else named["func"]
        args = tuple(args) if "fun" in named or isinstance(args, tuple) else (args,)  # as SciPy reads them
        return flat_array(f(x, *args, **named.get("kwargs") or {}))

    return residuals


def weighted(y: Any, sigma: Any) -> Any:
    """The residuals in units of their standard deviations, or of a factor of their covariance matrix."""
    if sigma is None:
        return y
    sigma = array_of(sigma)
    if np.ndim(sigma) < 2 or np.size(sigma) == 1:
        return y / sigma
    return np.linalg.solve(np.linalg.cholesky(sigma), y)


# What a loss makes of squared residuals: `scipy.optimize.least_squares` has the formulas.
LOSSES: dict[Any, Callable[[Any], Any]] = {
    "linear": lambda z: z,
    "soft_l1": lambda z: 2.0 * (np.sqrt(1.0 + z) - 1.0),
    "huber": lambda z: np.where(z <= 1.0, z, 2.0 * np.sqrt(np.where(z <= 1.0, 1.0, z)) - 1.0),
    "cauchy": np.log1p,
    "arctan": np.arctan,
}


# --- The result --------------------------------------------------------------------------------------------


def x_key(result: Any) -> Any:
    """Where the parameters stand in a result."""
    return "x" if isinstance(result, dict) else 0


def programs_of(config: Any, arguments: dict[str, Any], result: Any) -> dict[Any, Callable[..., Any]]:
    """The further parts of a result that have derivatives, as functions of the parameters and the inputs."""
    residuals = residuals_of(arguments)
    is_linear = arguments.get("loss", "linear") == "linear"

    def jacobian(x: Any, *inputs: Any) -> Any:
        still = (NO_TANGENT,) * len(inputs)
        columns = [
            frule_via_ad(config, (NO_TANGENT, unit, *still), residuals, x, *inputs)[1]
            for unit in np.eye(len(x))
        ]
        return np.stack(columns, axis=-1)

    def covariance(x: Any, *inputs: Any) -> Any:
        J = jacobian(x, *inputs)
        C = np.linalg.inv(J.T @ J)
        if "xdata" not in arguments or arguments["absolute_sigma"]:
            return C
        return C * (np.sum(residuals(x, *inputs) ** 2) / (len(J) - len(x)))

    parts = parts_of_result(result)
    if isinstance(result, dict):
        return {"fun": residuals} | (
            {"jac": jacobian} if is_linear and isinstance(parts["jac"], np.ndarray) else {}
        )
    is_regular = (
        len(parts) > 1 and isinstance(parts[1], np.ndarray) and np.all(np.isfinite(primal_of(parts[1])))
    )
    return {1: covariance} if is_linear and is_regular else {}
