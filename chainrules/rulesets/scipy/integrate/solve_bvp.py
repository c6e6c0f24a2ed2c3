"""Rules for boundary value problems: the implicit function theorem on the equations that were solved.

The values `y` at the nodes, and the parameters `p`, solve the equations of collocation by Lobatto's rule of
fourth order and the boundary conditions: J. Kierzenka, L. F. Shampine, "A BVP Solver Based on Residual
Control and the Matlab PSE", ACM Transactions on Mathematical Software 27, 2001. SciPy adds nodes at fixed
parts of intervals, so that the mesh is linear in the nodes that it was given; thus the ends of the interval
have derivatives too. Guesses of `y` and `p` have none, and neither has the estimate of the error.
"""

from typing import Any

import numpy as np
import scipy.integrate

from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import tuple_tangent, zeros_if_zero
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

CALLED = "scipy.integrate.solve_bvp"
solve_bvp = primitive(scipy.integrate.solve_bvp)
# What the solution depends on, and the parts of the result that have derivatives.
INPUTS = ("fun", "bc", "x", "S")
PARTS = ("y", "p", "yp", "x")


class Collocation:
    """The equations on the mesh that was found, and what follows from their solution."""

    def __init__(self, config: Any, arguments: dict[str, Any], result: Any) -> None:
        self.config, self.shape = config, np.shape(primal_of(result["y"]))
        self.inputs = [arguments[name] for name in INPUTS]
        nodes = np.asarray(primal_of(array_of(arguments["x"])), dtype=float)
        hats = [np.interp(primal_of(result["x"]), nodes, unit) for unit in np.eye(len(nodes))]
        self.from_nodes = np.stack(hats, axis=-1)
        p = result["p"] if result["p"] is not None else np.zeros(0)
        z = np.concatenate([np.reshape(result["y"], -1), p])
        problem = "" if result["success"] else result["message"]
        self.equation = Equation(
            CALLED, self.residuals, tuple(self.inputs), z, problem, jacobian=self.jacobian
        )

    def parts(self, z: Any) -> tuple[Any, Any]:
        """The values at the nodes, and the parameters, in what is solved for."""
        size = self.shape[0] * self.shape[1]
        return np.reshape(z[:size], self.shape), z[size:]

    def slopes(  # noqa: PLR0913, PLR0917 - where, the solution there, and the equation
        self, t: Any, y: Any, p: Any, fun: Any, S: Any, first: Any
    ) -> Any:
        """The right-hand side at all nodes, with the singular term, which is regular at the first end."""
        f = array_of(fun(t, y, p) if np.size(primal_of(p)) else fun(t, y))
        if S is None:
            return f
        if primal_of(t)[0] > primal_of(first):
            return f + S @ y / (t - first)
        at_first = np.linalg.pinv(np.eye(len(S)) - S) @ f[:, :1]
        return np.concatenate([at_first, f[:, 1:] + S @ y[:, 1:] / (t[1:] - first)], axis=1)

    def residuals(self, z: Any, fun: Any, bc: Any, x: Any, S: Any) -> Any:
        """Return what is zero: at the middle of each interval, and of the boundary conditions."""
        (y, p), t = self.parts(z), self.from_nodes @ array_of(x)
        h = np.diff(t)
        f = self.slopes(t, y, p, fun, S, t[0])
        middle = 0.5 * (y[:, 1:] + y[:, :-1]) - 0.125 * h * np.diff(f)
        f_middle = self.slopes(t[:-1] + 0.5 * h, middle, p, fun, S, t[0])
        collocation = np.diff(y) - h / 6.0 * (f[:, :-1] + f[:, 1:] + 4.0 * f_middle)
        ends = (y[:, 0], y[:, -1], p) if np.size(primal_of(p)) else (y[:, 0], y[:, -1])
        return np.concatenate([np.reshape(collocation, -1), array_of(bc(*ends))])

    def jacobian(self) -> Any:
        """The Jacobian of the residuals, which are those of an interval, and know its ends, or of both ends.

        So every other node within is moved at once. A. R. Curtis, M. J. D. Powell, J. K. Reid, "On the
        Estimation of Sparse Jacobian Matrices", IMA Journal of Applied Mathematics 13, 1974.
        """
        (n, m), z = self.shape, self.equation.x
        k = len(z) - n * m
        node = np.arange(m)
        at_ends = (node == 0) | (node == m - 1)
        known = np.concatenate(
            [np.tile((node - node[:-1, None]) // 2 == 0, (n, 1)), np.tile(at_ends, (n + k, 1))]
        )
        known = np.concatenate([np.tile(known, (1, n)), np.ones((len(z), k), bool)], axis=1)
        color = np.where(node == 0, 2, np.where(node == m - 1, 3, node % 2))
        colors = np.concatenate([np.add.outer(4 * np.arange(n), color).ravel(), 4 * n + np.arange(k)])
        found, colors = np.unique(colors, return_inverse=True)
        still = (NO_TANGENT,) * len(self.inputs)
        columns = [
            frule_via_ad(
                self.config, (NO_TANGENT, 1.0 * (colors == i), *still), self.residuals, z, *self.inputs
            )[1]
            for i in range(len(found))
        ]
        return np.where(known, np.stack(columns)[colors].T, 0.0)

    def results(self, z: Any, fun: Any, bc: Any, x: Any, S: Any) -> tuple[Any, ...]:
        """The parts of the result with derivatives."""
        (y, p), t = self.parts(z), self.from_nodes @ array_of(x)
        return y, p, self.slopes(t, y, p, fun, S, t[0]), t


@frule.dispatch
def solve_bvp_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    s: typeof_(scipy.integrate.solve_bvp),
    *given: Any,
    **named: Any,
):
    arguments = arguments_of(scipy.integrate.solve_bvp, given, named)
    result, _ = noted_call((arguments["fun"], arguments["bc"]), CALLED, solve_bvp, *given, **named)
    dots = dots_of(scipy.integrate.solve_bvp, tangents[1:], INPUTS)
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return result, ZeroTangent()
    problem = Collocation(config, arguments, result)
    z_dot = push_solution(config, problem.equation, NO_TANGENT, dots)
    all_dots = (NO_TANGENT, z_dot, *dots)
    _, parts_dot = frule_via_ad(config, all_dots, problem.results, problem.equation.x, *problem.inputs)
    known = dict(zip(PARTS, parts_dot, strict=True))
    return result, tangent_of_result(result, known, CALLED)


@rrule.dispatch
def solve_bvp_rrule(
    config: RuleConfig[HasForwardsMode, HasReverseMode],
    s: typeof_(scipy.integrate.solve_bvp),
    *given: Any,
    **named: Any,
):
    arguments = arguments_of(scipy.integrate.solve_bvp, given, named)
    result, check = noted_call((arguments["fun"], arguments["bc"]), CALLED, solve_bvp, *given, **named)

    def solve_bvp_pullback(result_bar):
        check()
        known = cotangents_in_result(result, result_bar, PARTS, CALLED)
        problem = Collocation(config, arguments, result)
        _, pull = rrule_via_ad(config, problem.results, problem.equation.x, *problem.inputs)
        _, z_bar, *own_bars = pull(tuple_tangent(tuple, list(known.values())))
        _, bars = pull_solution(config, problem.equation)(zeros_if_zero(problem.equation.x, z_bar))
        bars = [own_bar + bar for own_bar, bar in zip(own_bars, bars, strict=True)]
        return NO_TANGENT, *bars_of(scipy.integrate.solve_bvp, given, dict(zip(INPUTS, bars, strict=True)))

    return result, solve_bvp_pullback
