"""Minima: where the gradient is zero, by the implicit function theorem; the Jacobian is the Hessian.

For the value at the minimum, ``min f(x, p)``, the envelope theorem needs no Hessian: its derivative by `p` is
the one of `f` at a fixed `x`. P. Milgrom, I. Segal, "Envelope Theorems for Arbitrary Choice Sets",
Econometrica 70, 2002. The Hessian is the true one, by AD, whatever the search used. An unknown at a bound
that holds it back stays there.
"""

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
import scipy.optimize

from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules.values.iterables import tuple_tangent, zeros_if_zero
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NoDerivativeError,
    StructuralTangent,
    Tangent,
    ZeroTangent,
    backing,
    frule_via_ad,
    not_implemented,
    primal_of,
    rrule_via_ad,
    unthunk,
)

# How far from a bound, as a part of it or of 1, an unknown is held by it.
NEAR = 1e-7
# The fields of a result that have derivatives; whole numbers and texts have none.
KNOWN = ("x", "fun", "jac")


BY_BOUNDS = not_implemented("a minimum by a bound that holds it")
WITH_CONSTRAINTS = not_implemented(
    "a minimum with `constraints`; eliminate them, or write a rule by the conditions of optimality"
)


class Minimum:
    """A minimum that was found, and the functions that move it and pull back from it.

    Parameters
    ----------
    config
        The configuration of the AD system.
    solver, given, named, result
        The function of SciPy, its arguments by position and by keyword, and its result.
    """

    def __init__(self, config: Any, solver: Any, given: Any, named: Any, result: Any) -> None:
        parameters = inspect.signature(solver).parameters
        self.names = list(parameters)
        defaults = {name: parameter.default for name, parameter in parameters.items()}
        self.arguments = defaults | dict(zip(self.names, given, strict=False)) | named
        self.config, self.solver, self.result = config, f"scipy.optimize.{solver.__name__}", result
        self.f, args = self.arguments[self.names[0]], self.arguments["args"]
        self.args = args if isinstance(args, tuple) else (args,)
        self.of_first = self.arguments.get("jac") is True
        constraints = self.arguments.get("constraints", ())
        self.is_constrained = not isinstance(constraints, tuple | list) or len(constraints) > 0
        self.held = held_by_bounds(primal_of(result["x"]), self.arguments["bounds"])

    @property
    def is_held(self) -> bool:
        """Whether a bound holds an unknown."""
        return bool(np.any(self.held))

    @property
    def spread(self) -> Any:
        """The matrix that puts the unknowns which no bound holds into their places among all."""
        return np.eye(len(self.held))[:, ~self.held]

    def missing(self, bounds_dot: Any) -> Any:
        """The sign of a derivative that is not implemented; `None` if there is nothing of the kind."""
        if self.is_constrained:
            return WITH_CONSTRAINTS
        return BY_BOUNDS if self.is_held and not isinstance(bounds_dot, AbstractZero) else None

    def constant(self, name: str) -> Any:
        """The tangent of a field that is no minimum and no value there."""
        if name in KNOWN and not (name == "jac" and self.is_held):
            return NO_TANGENT if name != "jac" else ZeroTangent()
        return missing_parts(self.result[name], f"the field `{name}` of the result of {self.solver}")

    def equation(self) -> Equation:
        """That the gradient by the unknowns which no bound holds is zero."""
        x, spread, fixed = self.result["x"], None, None
        if self.is_held:
            spread, fixed = self.spread, self.result["x"] * self.held
            x = spread.T @ x
        gradient = gradient_of(self.config, self.f, self.of_first, spread, fixed)
        problem = "" if self.result.get("success", True) else str(self.result.get("message"))
        return Equation(self.solver, gradient, self.args, x, problem)

    def check_multipliers(self) -> None:
        """Refuse a bound that only just holds an unknown: whether it does so may change at once."""
        if not self.is_held:
            return
        gradient = gradient_of(self.config, self.f, self.of_first, None, None)(self.result["x"], *self.args)
        multipliers = np.abs(primal_of(gradient))[self.held]
        if not np.min(multipliers) > NEAR * (1.0 + np.abs(primal_of(self.result["fun"]))):
            raise NoDerivativeError(
                f"{self.solver}: the solution is at a bound that does not hold it, with the multiplier "
                f"{np.min(multipliers)}: it has a derivative on one side only."
            )

    def push(self, f_dot: Any, arg_dots: Any) -> tuple[Any, Any]:
        """The tangents of the minimum, and of the value there."""
        x = self.result["x"]
        _, fun_dot = frule_via_ad(self.config, (f_dot, NO_TANGENT, *arg_dots), self.f, x, *self.args)
        fun_dot = zeros_if_zero(self.result["fun"], fun_dot[0] if self.of_first else fun_dot)
        fun_dot = np.reshape(fun_dot, np.shape(primal_of(self.result["fun"])))
        self.check_multipliers()
        if np.all(self.held):
            return np.zeros_like(x), fun_dot
        gradient_dot = f_dot if isinstance(f_dot, AbstractZero) else Tangent[FunctionType](f=f_dot)
        free_dot = push_solution(self.config, self.equation(), gradient_dot, arg_dots)
        return (self.spread @ free_dot if self.is_held else free_dot), fun_dot

    def pull(self, x_bar: Any, fun_bar: Any) -> tuple[Any, Any]:
        """The cotangents of the function and of its arguments, from those of the minimum and the value."""
        f_bar: Any = ZeroTangent()
        args_bar: Any = tuple_tangent(tuple, [ZeroTangent()] * len(self.args))
        if not isinstance(x_bar, AbstractZero):
            self.check_multipliers()
        if not isinstance(x_bar, AbstractZero) and not np.all(self.held):
            free_bar = self.spread.T @ x_bar if self.is_held else x_bar
            gradient_bar, args_bar = pull_solution(self.config, self.equation())(free_bar)
            f_bar = ZeroTangent() if isinstance(gradient_bar, AbstractZero) else gradient_bar.f
        if not isinstance(fun_bar, AbstractZero):
            y, pullback = rrule_via_ad(self.config, self.f, self.result["x"], *self.args)
            own_bar, _, *arg_bars = pullback(unit_of(y, self.of_first, fun_bar))
            f_bar, args_bar = f_bar + own_bar, args_bar + tuple_tangent(tuple, arg_bars)
        return f_bar, args_bar


def gradient_of(config: Any, f: Any, of_first: bool, spread: Any, fixed: Any) -> Callable[..., Any]:
    """The function that gives the gradient of `f`, by the unknowns that are free."""

    def gradient(free: Any, *args: Any) -> Any:
        x = free if spread is None else spread @ free + fixed
        y, pullback = rrule_via_ad(config, f, x, *args)
        x_bar = zeros_if_zero(x, pullback(unit_of(y, of_first, 1.0))[1])
        return x_bar if spread is None else spread.T @ x_bar

    return gradient


def unit_of(y: Any, of_first: bool, y_bar: Any) -> Any:
    """The cotangent of the result of the function to minimize, which may return its gradient too."""
    value = y[0] if of_first else y
    y_bar = np.reshape(y_bar, np.shape(primal_of(value))) if np.shape(primal_of(value)) else y_bar
    return tuple_tangent(tuple, (y_bar, *(NO_TANGENT for _ in y[1:]))) if of_first else y_bar


def missing_parts(x: Any, called: str) -> Any:
    """The tangent of a value whose numbers have derivatives that are not implemented."""
    if isinstance(x, tuple | list):
        return tuple_tangent(type(x), [missing_parts(item, called) for item in x])
    is_whole = isinstance(x, int | str | np.integer | np.bool_ | None.__class__)
    return NO_TANGENT if is_whole else not_implemented(called)


def holds_zeros(x_bar: Any) -> bool:
    """Whether a cotangent is a zero, or has nothing but zeros in its fields."""
    x_bar = unthunk(x_bar)
    if isinstance(x_bar, StructuralTangent):
        parts = backing(x_bar)
        return all(map(holds_zeros, parts.values() if isinstance(parts, dict) else parts))
    return isinstance(x_bar, AbstractZero) or not np.any(primal_of(x_bar))


def held_by_bounds(x: Any, bounds: Any) -> Any:
    """Which unknowns are at one of their bounds."""
    held = np.zeros(np.shape(x), dtype=bool)
    if bounds is None or not np.ndim(x):
        return held
    if isinstance(bounds, scipy.optimize.Bounds):
        pairs = [np.broadcast_to(primal_of(bound), np.shape(x)) for bound in (bounds.lb, bounds.ub)]
    else:
        pairs = [
            np.array(
                [missing if pair[place] is None else primal_of(pair[place]) for pair in bounds], dtype=float
            )
            for place, missing in ((0, -np.inf), (1, np.inf))
        ]
    for bound in pairs:
        finite = np.where(np.isfinite(bound), bound, 0.0)
        held |= np.isfinite(bound) & (np.abs(x - finite) <= NEAR * (1.0 + np.abs(finite)))
    return held
