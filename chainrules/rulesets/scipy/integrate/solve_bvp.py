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
from chainrules.values.iterables import tuple_tangent, zeros_if_zero
from chainrules.values.several_arrays import array_of
from chainrules.values.solver_calls import bars_of, cotangents_in_result, dots_of, solved, tangent_of_result
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
    rrule,
    rrule_via_ad,
    typeof_,
)

CALLED = "scipy.integrate.solve_bvp"
# What the solution depends on, and the parts of the result that have derivatives.
INPUTS = ("fun", "bc", "x", "S")
PARTS = ("y", "p", "yp", "x")


class Collocation:
    """The equations on the mesh that was found, and what follows from their solution."""

    def __init__(self, config: Any, inputs: list[Any], result: Any) -> None:
        self.config, self.inputs, self.shape = config, inputs, np.shape(primal_of(result["y"]))
        nodes = np.asarray(primal_of(array_of(inputs[2])), dtype=float)
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
        self, y: Any, p: Any, t: Any, fun: Any, S: Any, first: Any
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
        f = self.slopes(y, p, t, fun, S, t[0])
        middle = 0.5 * (y[:, 1:] + y[:, :-1]) - 0.125 * h * np.diff(f)
        f_middle = self.slopes(middle, p, t[:-1] + 0.5 * h, fun, S, t[0])
        collocation = np.diff(y) - h / 6.0 * (f[:, :-1] + f[:, 1:] + 4.0 * f_middle)
        return np.concatenate([np.reshape(collocation, -1), self.conditions(y[:, 0], y[:, -1], p, bc)])

    def conditions(self, first: Any, last: Any, p: Any, bc: Any) -> Any:
        """Return what is zero at the ends."""
        return array_of(bc(first, last, p) if np.size(primal_of(p)) else bc(first, last))

    def jacobian(self) -> Any:
        """The Jacobian of the residuals; those of an interval know the nodes at its ends.

        With the derivatives `F` of the right-hand side at the nodes and `M` at the middles, a residual has
        ``-1 - h/6 (F + 4 M (1/2 + h/8 F))`` by the left end, and by the right one the same with the signs
        of 1 and of h/8 turned.
        """
        (fun, bc, x, S), (n, m) = self.inputs, self.shape
        (y, p), t = self.parts(self.equation.x), self.from_nodes @ array_of(x)
        h, one = np.diff(t), np.eye(n)[:, :, None]
        f, slopes = self.derivatives(self.slopes, (y, p), (t, fun, S, t[0]))
        middle = 0.5 * (y[:, 1:] + y[:, :-1]) - 0.125 * h * np.diff(f)
        _, at_middle = self.derivatives(self.slopes, (middle, p), (t[:-1] + 0.5 * h, fun, S, t[0]))
        F, P, M, M_p = slopes[:, :n], slopes[:, n:], at_middle[:, :n], at_middle[:, n:]
        F_left, F_right = F[..., :-1], F[..., 1:]
        left = -one - h / 6.0 * (F_left + 4.0 * products(M, 0.5 * one + 0.125 * h * F_left))
        right = one - h / 6.0 * (F_right + 4.0 * products(M, 0.5 * one - 0.125 * h * F_right))
        by_p = -h / 6.0 * (P[..., :-1] + P[..., 1:] + 4.0 * (M_p - products(M, 0.125 * h * np.diff(P))))
        _, ends = self.derivatives(self.conditions, (y[:, 0], y[:, -1], p), (bc,))
        of_first, of_last, ends_by_p = np.split(ends[..., None], (n, 2 * n), axis=1)
        return np.concatenate([rows_of(left, right, by_p, m), rows_of(of_first, of_last, ends_by_p, m)])

    def derivatives(self, f: Any, args: tuple[Any, ...], rest: tuple[Any, ...]) -> tuple[Any, Any]:
        """The value of ``f(*args, *rest)``, and its derivatives by each component of `args` on an axis 1.

        All nodes are moved at once, each of which knows itself alone.
        """
        columns = []
        for place, arg in enumerate(args):
            shape = np.shape(primal_of(arg))
            for unit in np.eye(shape[0]):
                dots: list[Any] = [NO_TANGENT] * (1 + len(args) + len(rest))
                dots[1 + place] = np.ones(shape) * np.reshape(unit, (-1, *[1] * (len(shape) - 1)))
                value, dot = frule_via_ad(self.config, tuple(dots), f, *args, *rest)
                columns.append(zeros_if_zero(value, dot))
        return value, np.stack(columns, axis=1)

    def results(self, z: Any, fun: Any, bc: Any, x: Any, S: Any) -> tuple[Any, ...]:
        """The parts of the result with derivatives."""
        (y, p), t = self.parts(z), self.from_nodes @ array_of(x)
        return y, p, self.slopes(y, p, t, fun, S, t[0]), t

    def pull_results(self, y_bar: Any, p_bar: Any, *further: Any) -> tuple[Any, list[Any]]:
        """The cotangents of what is solved for, and of the inputs by themselves."""
        z = self.equation.x
        if all(isinstance(bar, AbstractZero) for bar in further):
            bars = map(zeros_if_zero, self.parts(z), (y_bar, p_bar))
            return np.concatenate([np.reshape(bar, -1) for bar in bars]), [ZeroTangent()] * len(self.inputs)
        _, pull = rrule_via_ad(self.config, self.results, z, *self.inputs)
        _, z_bar, *own_bars = pull(tuple_tangent(tuple, [y_bar, p_bar, *further]))
        return zeros_if_zero(z, z_bar), own_bars


def products(M: Any, N: Any) -> Any:
    """The matrices ``M N`` of each interval, which is the last axis."""
    return np.einsum("abi,bci->aci", M, N)


def rows_of(by_left: Any, by_right: Any, by_p: Any, m: int) -> Any:
    """The rows of the Jacobian of the intervals between `m` nodes, or of the one that spans all."""
    n, _, count = by_left.shape
    left, right = (np.eye(m)[:-1], np.eye(m)[1:]) if count > 1 else (np.eye(m)[:1], np.eye(m)[-1:])
    by_y = np.einsum("abi,ij->aibj", by_left, left) + np.einsum("abi,ij->aibj", by_right, right)
    by_p = np.transpose(by_p, (0, 2, 1))
    return np.concatenate([np.reshape(by_y, (n * count, -1)), np.reshape(by_p, (n * count, -1))], axis=1)


@frule.dispatch
def solve_bvp_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    s: typeof_(scipy.integrate.solve_bvp),
    *given: Any,
    **named: Any,
):
    _, _, inputs, result, _ = solved(s, given, named, INPUTS)
    dots = dots_of(s, tangents[1:], INPUTS)
    if all(isinstance(dot, AbstractZero) for dot in dots):
        return result, ZeroTangent()
    problem = Collocation(config, list(inputs.values()), result)
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
    _, _, inputs, result, check = solved(s, given, named, INPUTS)

    def solve_bvp_pullback(result_bar):
        check()
        known = cotangents_in_result(result, result_bar, PARTS, CALLED)
        problem = Collocation(config, list(inputs.values()), result)
        z_bar, own_bars = problem.pull_results(*known.values())
        _, bars = pull_solution(config, problem.equation)(z_bar)
        bars = [own_bar + bar for own_bar, bar in zip(own_bars, bars, strict=True)]
        return NO_TANGENT, *bars_of(s, given, dict(zip(INPUTS, bars, strict=True)))

    return result, solve_bvp_pullback
