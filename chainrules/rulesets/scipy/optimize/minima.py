"""Rules for minima: `chainrules.formulas.equations.minima` has the theorems.

The functions that search everywhere end in a minimum too, and the older ones return it as a number, an
array or a tuple. Starts are constants: wherever the search begins, it finds the same minimum.
"""

import copy
from typing import Any

import numpy as np
import scipy.optimize

from chainrules.formulas.equations.active_sets import Limits, Task
from chainrules.formulas.equations.minima import Minimum
from chainrules.values.callee_unions import typeof_any
from chainrules.values.solver_calls import (
    bars_of,
    cotangents_in_result,
    defaults_of,
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
    primitive,
    rrule,
)

SOLVERS = (
    *(scipy.optimize.minimize, scipy.optimize.minimize_scalar),
    *(scipy.optimize.basinhopping, scipy.optimize.brute, scipy.optimize.differential_evolution),
    *(scipy.optimize.direct, scipy.optimize.dual_annealing, scipy.optimize.shgo),
    *(scipy.optimize.brent, scipy.optimize.golden, scipy.optimize.fminbound),
    *(scipy.optimize.fmin, scipy.optimize.fmin_bfgs, scipy.optimize.fmin_cg, scipy.optimize.fmin_cobyla),
    *(scipy.optimize.fmin_l_bfgs_b, scipy.optimize.fmin_ncg, scipy.optimize.fmin_powell),
    *(scipy.optimize.fmin_slsqp, scipy.optimize.fmin_tnc),
)


@frule.dispatch
def minimum_frule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    tangents: Any,
    solver: typeof_any(SOLVERS),
    *given: Any,
    **named: Any,
):
    arguments, called, inputs, result, _ = solved(solver, given, named, INPUTS, with_own_bounds(solver))
    dots = dots_of(solver, tangents[1:], inputs)
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return result, ZeroTangent()
    x_dot, fun_dot = minimum_of(config, called, arguments, result).push(dots)
    x_key, fun_key = keys_of(result)
    known = {fun_key: fun_dot, x_key: x_dot, **dict.fromkeys(zeros_in(arguments, result), ZeroTangent())}
    return result, tangent_of_result(result, known, called)


@rrule.dispatch
def minimum_rrule(config: RuleConfig[HasReverseMode], solver: typeof_any(SOLVERS), *given: Any, **named: Any):
    arguments, called, inputs, result, check = solved(solver, given, named, INPUTS, with_own_bounds(solver))

    def minimum_pullback(y_bar):
        check()
        x_key, fun_key = keys_of(result)
        keys = [key for key in (x_key, fun_key, *zeros_in(arguments, result)) if key is not None]
        known = cotangents_in_result(result, y_bar, keys, called)
        bars = minimum_of(config, called, arguments, result).pull(
            known[x_key], known.get(fun_key, NO_TANGENT)
        )
        return NO_TANGENT, *bars_of(solver, given, dict(zip(inputs, bars, strict=True)))

    return result, minimum_pullback


# --- The call ----------------------------------------------------------------------------------------------

# The parameters that say what is to be least.
INPUTS = (
    *("fun", "func", "f", "args", "bounds", "x1", "x2", "constraints", "minimizer_kwargs"),
    *("eqcons", "f_eqcons", "ieqcons", "f_ieqcons", "cons", "consargs"),
)


def with_own_bounds(solver: Any) -> Any:
    """The call of a solver with copies of bounds, since `minimize` assigns to their attributes.

    The slope that guides the search is plain: a program that an AD system follows may fill arrays of that
    system's own, which SciPy's code in C does not take.
    """

    def call(*given: Any, **named: Any) -> Any:
        by_place = map(own, defaults_of(solver), given)
        return primitive(solver)(*by_place, **{name: own(name, x) for name, x in named.items()})

    def own(name: str, x: Any) -> Any:
        if name in {"jac", "fprime"} and callable(x):
            return lambda *args: primal_of(x(*args))
        return copy.copy(x) if isinstance(x, scipy.optimize.Bounds) else x

    return call


# Those that take what is not a tuple for one argument; the others go through it.
TAKING_ONE = ("minimize", "minimize_scalar", "basinhopping", "brute", "direct")


def inputs_of(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments that say what is to be least."""
    return {name: arguments[name] for name in INPUTS if name in arguments}


def minimum_of(config: Any, called: str, arguments: dict[str, Any], result: Any) -> Minimum:
    """The minimum that was found."""
    names = list(inputs_of(arguments))
    takes_one = called.rpartition(".")[2] in TAKING_ONE
    returns_slopes = arguments.get("jac") is True or (
        "approx_grad" in arguments and arguments["fprime"] is None and not arguments["approx_grad"]
    )
    is_number = called.endswith("minimize_scalar")

    def task_of(*inputs: Any) -> Task:
        named = dict(zip(names, inputs, strict=True))
        if "args" in named:
            named["args"] = as_tuple(named["args"]) if takes_one else tuple(named["args"])
        return task_with(named, returns_slopes, is_number)

    problem = "" if parts_of_result(result).get("success", True) else str(result.get("message"))
    x_key, _ = keys_of(result)
    return Minimum(
        config, called, task_of, inputs_of(arguments).values(), parts_of_result(result)[x_key], problem
    )


def task_with(inputs: dict[str, Any], returns_slopes: bool, is_number: bool) -> Task:
    """What is to be least.

    Parameters
    ----------
    inputs
        The arguments that say so.
    returns_slopes
        Whether the function returns its gradient too.
    is_number
        Whether the bounds are those of one number.
    """
    f = next(inputs[name] for name in ("fun", "func", "f") if name in inputs)
    inputs = inputs | (inputs.get("minimizer_kwargs") or {} if "bounds" not in inputs else {})
    args, bounds = as_tuple(inputs.get("args", ())), inputs.get("bounds")
    first = returns_slopes or inputs.get("jac") is True
    if "x1" in inputs:
        bounds = Limits(inputs["x1"], inputs["x2"])
    elif is_number and bounds is not None:
        bounds = Limits(*bounds)

    def value(x: Any) -> Any:
        return f(x, *args)[0] if first else f(x, *args)

    return Task(
        value,
        None if bounds is None or (not hasattr(bounds, "ub") and not len(bounds)) else bounds,
        constraints_in(inputs, args),
    )


def as_tuple(x: Any) -> tuple[Any, ...]:
    """Further arguments of a function, of which one may be given as it is."""
    return x if isinstance(x, tuple) else (x,)


def constraints_in(inputs: dict[str, Any], args: tuple[Any, ...]) -> list[Any]:
    """The constraints, as `minimize` takes them."""
    found = inputs.get("constraints") or ()
    constraints = list(found) if isinstance(found, list | tuple) else [found]
    for kind, one, several in (("eq", "f_eqcons", "eqcons"), ("ineq", "f_ieqcons", "ieqcons")):
        if one in inputs:
            functions = inputs[several] if inputs[one] is None else [inputs[one]]
            constraints += [{"type": kind, "fun": f, "args": args} for f in functions]
    if "cons" in inputs:
        functions = inputs["cons"] if isinstance(inputs["cons"], list | tuple) else [inputs["cons"]]
        given = args if inputs["consargs"] is None else as_tuple(inputs["consargs"])
        constraints += [{"type": "ineq", "fun": f, "args": given} for f in functions]
    return constraints


# --- The result --------------------------------------------------------------------------------------------


def zeros_in(arguments: dict[str, Any], result: Any) -> tuple[str, ...]:
    """The fields that stay zero: the gradient, where there are no bounds and constraints."""
    is_free = arguments.get("bounds") is None and not arguments.get("constraints")
    return ("jac",) if is_free and isinstance(result, dict) and "jac" in result else ()


def keys_of(result: Any) -> tuple[Any, Any]:
    """Where the minimum stands in a result, and where the value there, if that does."""
    if isinstance(result, dict):
        return "x", "fun"
    has_value = isinstance(result, tuple) and isinstance(primal_of(result[1]), float | np.floating)
    return 0, 1 if has_value else None
