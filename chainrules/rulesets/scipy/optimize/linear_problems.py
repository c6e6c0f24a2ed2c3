"""Rules for linear least squares with bounds, and for linear programs: `nnls`, `lsq_linear`, `linprog`.

Where the solution is regular, the bounds and inequalities that hold it go on to hold it: it is the solution
of a linear system, or a least-squares fit, in the unknowns that are left, and is differentiated as such. J.
Nocedal, S. J. Wright, "Numerical Optimization", 2006, sections 13.1 and 16.1.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.optimize
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator

from chainrules.formulas.equations.active_sets import (
    Candidate,
    Condition,
    Limits,
    Task,
    active_among,
    assembled,
    bounds_of,
    candidates_in,
)
from chainrules.values.callee_unions import typeof_any
from chainrules.values.iterables import tuple_tangent
from chainrules.values.several_arrays import array_of
from chainrules.values.solver_calls import (
    arguments_of,
    bars_of,
    cotangents_in_result,
    dots_of,
    tangent_of_result,
)
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
    not_implemented,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
)

SOLVERS = (scipy.optimize.nnls, scipy.optimize.lsq_linear, scipy.optimize.linprog)


@frule.dispatch
def linear_problem_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, solver: typeof_any(SOLVERS), *given: Any, **named: Any
):
    result = primitive(solver)(*given, **named)
    inputs, called = inputs_of(solver, given, named), f"scipy.optimize.{solver.__name__}"
    dots = dots_of(solver, tangents[1:], inputs)
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return result, ZeroTangent()
    solution = SOLUTIONS[solver.__name__](inputs, result)
    _, part_dots = frule_via_ad(config, (NO_TANGENT, *dots), solution.program, *inputs.values())
    known = {key: part_dots[place] for place, key in enumerate(solution.keys)}
    return result, tangent_of_result(result, known, called)


@rrule.dispatch
def linear_problem_rrule(
    config: RuleConfig[HasReverseMode], solver: typeof_any(SOLVERS), *given: Any, **named: Any
):
    result = primitive(solver)(*given, **named)
    inputs, called = inputs_of(solver, given, named), f"scipy.optimize.{solver.__name__}"

    def linear_problem_pullback(y_bar):
        solution = SOLUTIONS[solver.__name__](inputs, result)
        known = cotangents_in_result(result, y_bar, solution.keys, called)
        _, pullback = rrule_via_ad(config, solution.program, *inputs.values())
        _, *bars = pullback(tuple_tangent(tuple, list(known.values())))
        return NO_TANGENT, *bars_of(solver, given, dict(zip(inputs, bars, strict=True)))

    return result, linear_problem_pullback


INPUTS = ("A", "b", "c", "A_ub", "b_ub", "A_eq", "b_eq", "bounds")


def inputs_of(solver: Any, given: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """The arguments that make the problem."""
    arguments = arguments_of(solver, given, named)
    if np.any(primal_of(arguments.get("integrality")) or 0):
        raise not_implemented("a program in whole numbers, whose solution moves in steps").error()
    inputs = {name: arguments[name] for name in INPUTS if name in arguments}
    if any(issparse(x) or isinstance(x, LinearOperator) for x in inputs.values()):
        raise not_implemented(f"`{solver.__name__}` of a sparse matrix or an operator").error()
    return inputs


class Solution(NamedTuple):
    """A solution as a function of what makes the problem.

    Attributes
    ----------
    keys
        Where its parts stand in the result.
    program
        The function that gives the parts.
    """

    keys: tuple[Any, ...]
    program: Callable[..., Any]


# --- Least squares -----------------------------------------------------------------------------------------


def solution_of_fit(inputs: dict[str, Any], result: Any) -> Solution:
    """A fit within bounds, in the unknowns that none holds."""
    is_object = isinstance(result, dict)
    called = "scipy.optimize.lsq_linear" if is_object else "scipy.optimize.nnls"
    A, b = (np.asarray(primal_of(array_of(inputs[name]))) for name in ("A", "b"))
    x, names = primal_of(result["x"] if is_object else result[0]), list(inputs)
    residual = A @ x - b
    candidates = candidates_in(-1, x, *bounds_of(Task(np.sum, limits_in(inputs)), len(x)))
    rows = np.eye(len(x))[[place for (_, place, _), _, _ in candidates]]
    active = active_among(called, candidates, rows, A.T @ residual, 1.0 + residual @ residual)
    held = [candidate.condition for candidate, is_active in zip(candidates, active, strict=True) if is_active]
    is_free = np.ones(len(x), dtype=bool)
    is_free[[place for _, place, _ in held]] = False
    check_fit(called, A[:, is_free], residual, x)

    def program(*values: Any) -> Any:
        named = dict(zip(names, values, strict=True))
        A, b, bounds = array_of(named["A"]), array_of(named["b"]), limits_in(named)
        from_bounds = assembled(np.zeros(np.sum(is_free)), bounds, held, len(is_free))
        free = np.linalg.lstsq(A[:, is_free], b - A @ from_bounds if held else b, rcond=None)[0]
        x = assembled(free, bounds, held, len(is_free))
        residual = A @ x - b
        if is_object:
            return x, residual, 0.5 * np.sum(residual**2)
        return x, np.linalg.norm(residual)

    return Solution(("x", "fun", "cost") if is_object else (0, 1), program)


def limits_in(inputs: dict[str, Any]) -> Any:
    """The bounds of a fit, which are positive numbers where there is no such parameter."""
    bounds = inputs.get("bounds", Limits(0.0, np.inf))
    return bounds if hasattr(bounds, "ub") else Limits(*bounds)


def check_fit(called: str, A: Any, residual: Any, x: Any) -> None:
    """Refuse columns that depend on each other, and what is no solution."""
    condition = np.linalg.cond(A) if A.size else 1.0
    if A.shape[0] < A.shape[1] or not condition * np.finfo(float).eps < 1.0:
        raise NoDerivativeError(
            f"{called}: the columns of the unknowns that no bound holds depend on each other, with the "
            f"condition number {condition}, so that there are many solutions."
        )
    step = np.linalg.norm(np.linalg.lstsq(A, residual)[0])
    if not step <= 1e-3 * (1.0 + np.linalg.norm(x)):
        raise NoDerivativeError(
            f"{called} did not converge, so that its result has no derivative: the solution is at the "
            f"distance {step}. Give it a smaller tolerance, or more iterations."
        )


# --- Linear programs ---------------------------------------------------------------------------------------


def solution_of_program(inputs: dict[str, Any], result: Any) -> Solution:
    """A vertex, at which as many conditions hold as there are unknowns."""
    if result["x"] is None:
        raise NoDerivativeError(f"scipy.optimize.linprog found no solution: {primal_of(result['message'])}")
    names, x = list(inputs), primal_of(result["x"])
    found = {
        name: np.asarray(primal_of(array_of(value)))
        for name, value in inputs.items()
        if value is not None and name != "bounds"
    }
    active = active_conditions(found["c"].ravel(), x, found, pairs(inputs["bounds"], len(x)), result)
    held = [condition for condition in active if condition.item < 0]
    others = np.delete(np.arange(len(x)), [place for _, place, _ in held])

    def program(*values: Any) -> Any:
        named = dict(zip(names, values, strict=True))
        bounds, free = pairs(named["bounds"], len(x)), np.zeros(len(others))
        if len(others):
            G = np.stack([array_of(named[MATRICES[item]])[place] for item, place, _ in active if item >= 0])
            h = np.stack([flat(named[SIDES[item]])[place] for item, place, _ in active if item >= 0])
            h = h - G @ assembled(free, bounds, held, len(x)) if held else h
            free = np.linalg.solve(G[:, others], h)
        y = assembled(free, bounds, held, len(x))
        slack = flat(named["b_ub"]) - array_of(named["A_ub"]) @ y if has_slack else np.zeros(0)
        return y, np.sum(flat(named["c"]) * y), slack

    has_slack = "A_ub" in found
    return Solution(("x", "fun", "slack"), program)


MATRICES, SIDES = ("A_eq", "A_ub"), ("b_eq", "b_ub")


def active_conditions(c: Any, x: Any, found: dict[str, Any], bounds: Any, result: Any) -> list[Condition]:
    """What holds the solution of a linear program: as many conditions as there are unknowns."""
    called = "scipy.optimize.linprog"
    candidates: list[Candidate] = candidates_in(-1, x, *bounds_of(Task(np.sum, bounds), len(x)))
    rows = [np.eye(len(x))[condition.place] for condition, _, _ in candidates]
    for item, (matrix, side) in enumerate(zip(MATRICES, SIDES, strict=True)):
        if matrix in found:
            upper = found[side].ravel()
            near = candidates_in(item, found[matrix] @ x, upper if item == 0 else -np.inf, upper)
            candidates += near
            rows += [found[matrix][condition.place] for condition, _, _ in near]
    G = np.reshape(rows, (-1, len(x)))
    active = active_among(called, candidates, G, c, 1.0 + abs(primal_of(result["fun"])))
    G = G[np.array(active, dtype=bool)]
    condition = np.linalg.cond(G) if len(G) == len(x) else np.inf
    if not condition * np.finfo(float).eps < 1.0:
        raise NoDerivativeError(
            f"{called}: {len(G)} conditions hold {len(x)} unknowns, with the condition number {condition}. "
            "Where fewer hold them, there are many solutions; where more do, the solution or its multipliers "
            "have a derivative on one side only. Leave out what follows from others."
        )
    return [candidate.condition for candidate, is_active in zip(candidates, active, strict=True) if is_active]


def pairs(bounds: Any, n: int) -> Any:
    """The bounds of each of `n` unknowns."""
    if bounds is None:
        return [(0.0, None)] * n
    if not np.ndim(bounds[0]) and not isinstance(bounds[0], tuple | list):
        return [bounds] * n
    return [bounds[0]] * n if len(bounds) == 1 else bounds


def flat(x: Any) -> Any:
    """A vector of numbers."""
    return np.reshape(array_of(x), -1)


SOLUTIONS: dict[str, Callable[[dict[str, Any], Any], Solution]] = {
    "nnls": solution_of_fit,
    "lsq_linear": solution_of_fit,
    "linprog": solution_of_program,
}
