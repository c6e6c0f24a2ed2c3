"""Minima, by the conditions of optimality.

A minimum of ``f(x, p)`` under the active constraints ``c(x, p) = 0`` is a stationary point ``z = (x, λ)``
of the Lagrangian ``L = f - λ · c``, whose gradient by `z` is an equation for the implicit function theorem;
the Jacobian is the Hessian of ``L``. J. Nocedal, S. J. Wright, "Numerical Optimization", 2006, section 12.
The Hessian is the true one, by AD, whatever the search used. An unknown at an active bound is the bound.
The value at the minimum has the derivative of ``L`` by `p` at a fixed `z`, by the envelope theorem, which
needs no Hessian where ``L`` is as good as stationary. P. Milgrom, I. Segal, "Envelope Theorems for Arbitrary
Choice Sets", Econometrica 70, 2002.

A minimum is regular where the Hessian is positive definite in the directions that the active constraints
leave. Then the Hessian of ``L`` has one negative eigenvalue for each constraint, and the others are
positive. N. I. M. Gould, "On practical conditions for the existence and uniqueness of solutions to the
general equality quadratic programming problem", Mathematical Programming 32, 1985.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import null_space

from chainrules.formulas.equations.active_sets import (
    Candidate,
    Condition,
    Task,
    active_among,
    assembled,
    bounds_of,
    candidates_in,
    parts_of_constraint,
    residuals,
)
from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules.values.iterables import zeros_if_zero
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NoDerivativeError,
    ZeroTangent,
    frule_via_ad,
    primal_of,
    rrule_via_ad,
)

# The slope of ``L``, in units of its value and of `z`, or of 1, up to which the value is differentiated
# without a step of Newton's method; less where the solver says that it failed.
FLAT = 1e-4
FLAT_AFTER_FAILURE = 1e-6


def is_flat(z: Any, value: Any, slope: Any, factor: Any, problem: str) -> Any:
    """Whether a value, a multiple of which has this slope where the search stopped, is as good as least."""
    largest = (FLAT_AFTER_FAILURE if problem else FLAT) * abs(factor) * (1.0 + abs(value))
    return slope * (1.0 + abs(z)) <= largest


class Active(NamedTuple):
    """What holds a minimum.

    Attributes
    ----------
    held
        The conditions on unknowns that are at their bounds.
    rows
        The conditions on the values of constraints.
    multipliers
        Those of the constraints.
    others
        What is near, and does not hold it, with the gradients.
    """

    held: Sequence[Condition] = ()
    rows: Sequence[Condition] = ()
    multipliers: Any = None
    others: Sequence[tuple[Candidate, Any]] = ()


class Minimum:
    """A minimum that was found, and the functions that move it and pull back from it.

    Parameters
    ----------
    config
        The configuration of the AD system.
    solver
        The name of the function that found it, for messages.
    task_of, inputs
        ``task_of(*inputs)`` is what is to be least; derivatives are those by the inputs.
    x
        The minimum: a number or a vector.
    problem
        Why the solver calls it none, if it does not.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a problem, its solution, and who found it
        self, config: Any, solver: str, task_of: Callable[..., Task], inputs: Any, x: Any, problem: str = ""
    ) -> None:
        self.config, self.solver, self.task_of, self.problem = config, solver, task_of, problem
        self.inputs, self.x, self.n = tuple(inputs), x, np.size(primal_of(x))

    @cached_property
    def active(self) -> Active:
        """What holds the minimum."""
        x = np.ravel(primal_of(self.x))
        candidates = candidates_in(-1, x, *self.bounds)
        for item, parts in enumerate(self._constraints()):
            candidates += candidates_in(item, *parts)
        if not candidates:
            return Active()
        conditions = [candidate.condition for candidate in candidates]
        bounds = [condition for condition in conditions if condition.item < 0]
        rows = conditions[len(bounds) :]
        gradient, gradients = self._gradients(rows)
        all_rows = np.concatenate([np.eye(self.n)[[place for _, place, _ in bounds]], primal_of(gradients)])
        size = 1.0 + abs(np.sum(primal_of(self._value(self.lagrangian(Active()), self.x))))
        found = active_among(self.solver, candidates, all_rows, np.ravel(primal_of(gradient)), size)
        held = [condition for condition, is_active in zip(conditions, found, strict=True) if is_active]
        others = [
            (candidates[place], all_rows[place]) for place, is_active in enumerate(found) if not is_active
        ]
        held_bounds = [condition for condition in held if condition.item < 0]
        kept = [place for place, is_active in enumerate(found[len(bounds) :]) if is_active]
        active = Active(held_bounds, held[len(held_bounds) :], None, others)
        if not kept:
            return active
        free = self._is_free(active)
        C = gradients[np.array(kept)][:, free]
        self._check_independence(primal_of(C))
        multipliers = np.linalg.solve(C @ C.T, C @ gradient[free])
        return active._replace(multipliers=multipliers)

    def lagrangian(self, active: Active) -> Callable[..., Any]:
        """The function ``L(z, *inputs)``."""
        task_of, unknowns, rows, free = self.task_of, self.unknowns(active), active.rows, self._free(active)

        def lagrangian(z: Any, *inputs: Any) -> Any:
            task, x = task_of(*inputs), unknowns(z, *inputs)
            value = task.value(x)
            value = np.sum(value) if np.shape(value) else value
            return value - np.sum(z[free:] * residuals(task, x, rows)) if rows else value

        return lagrangian

    def unknowns(self, active: Active) -> Callable[..., Any]:
        """The function from `z` and the inputs to `x`."""
        task_of, held, n = self.task_of, active.held, self.n
        free, is_number = self._free(active), not np.ndim(primal_of(self.x))

        def unknowns(z: Any, *inputs: Any) -> Any:
            if not held:
                return z if is_number else z[:free]
            x = assembled(z[:free], task_of(*inputs).bounds, held, n)
            return x[0] if is_number else x

        return unknowns

    def push(self, dots: Any) -> tuple[Any, Any]:
        """The tangents of the minimum, and of the value there."""
        z, lagrangian = self.z, self.lagrangian(self.active)
        _, fun_dot = frule_via_ad(self.config, (NO_TANGENT, NO_TANGENT, *dots), lagrangian, z, *self.inputs)
        z_dot: Any = NO_TANGENT
        if np.size(primal_of(z)):
            z_dot = push_solution(self.config, self.equation(), NO_TANGENT, dots)
        unknowns = self.unknowns(self.active)
        _, x_dot = frule_via_ad(self.config, (NO_TANGENT, z_dot, *dots), unknowns, z, *self.inputs)
        return zeros_if_zero(self.x, x_dot), zeros_if_zero(0.0, fun_dot)

    def pull(self, x_bar: Any, fun_bar: Any) -> list[Any]:
        """The cotangents of the inputs, from those of the minimum and of the value there."""
        bars: list[Any] = [ZeroTangent()] * len(self.inputs)
        z = self.z
        if not isinstance(x_bar, AbstractZero):
            _, pullback = rrule_via_ad(self.config, self.unknowns(self.active), z, *self.inputs)
            _, z_bar, *own_bars = pullback(x_bar)
            bars = own_bars
            if np.size(primal_of(z)):
                z_bar = zeros_if_zero(z, z_bar)
                _, solution_bars = pull_solution(self.config, self.equation())(z_bar)
                bars = [bar + solution_bars[place] for place, bar in enumerate(bars)]
        if not isinstance(fun_bar, AbstractZero):
            value, pullback = rrule_via_ad(self.config, self.lagrangian(self.active), z, *self.inputs)
            _, slope, *own_bars = pullback(fun_bar)
            if isinstance(x_bar, AbstractZero):
                self._check_value(*map(primal_of, (value, zeros_if_zero(z, slope), fun_bar)))
            bars = [bar + own_bar for bar, own_bar in zip(bars, own_bars, strict=True)]
        return bars

    @property
    def z(self) -> Any:
        """The unknowns that no bound holds, and the multipliers."""
        if not self.active.held and not self.active.rows:
            return self.x
        x = np.reshape(self.x, -1)[self._is_free(self.active)]
        return x if self.active.multipliers is None else np.concatenate([x, self.active.multipliers])

    def equation(self) -> Equation:
        """That the gradient of the Lagrangian is zero."""
        gradient = self._gradient(self.lagrangian(self.active))
        return Equation(
            self.solver, gradient, self.inputs, self.z, self.problem, check=self._check_of_minimum
        )

    @cached_property
    def bounds(self) -> tuple[Any, Any]:
        """The lower and upper bounds of the unknowns."""
        return bounds_of(self.task_of(*self.inputs), self.n)

    def _free(self, active: Active) -> int:
        return self.n - len(active.held)

    def _is_free(self, active: Active) -> Any:
        is_free = np.ones(self.n, dtype=bool)
        is_free[[place for _, place, _ in active.held]] = False
        return is_free

    def _value(self, f: Callable[..., Any], *args: Any) -> Any:
        return rrule_via_ad(self.config, f, *args, *self.inputs)[0]

    def _constraints(self) -> list[Any]:
        """The values of all constraints, with their limits."""
        task_of = self.task_of
        number = len(task_of(*self.inputs).constraints)

        def parts(x: Any, *inputs: Any) -> Any:
            return tuple(parts_of_constraint(constraint, x) for constraint in task_of(*inputs).constraints)

        found = self._value(parts, self.x) if number else ()
        return [tuple(np.asarray(primal_of(part)) for part in three) for three in found]

    def _gradient(self, lagrangian: Callable[..., Any]) -> Callable[..., Any]:
        config = self.config

        def gradient(z: Any, *inputs: Any) -> Any:
            y, pullback = rrule_via_ad(config, lagrangian, z, *inputs)
            return zeros_if_zero(z, pullback(np.ones_like(primal_of(y))[()])[1])

        return gradient

    def _gradients(self, rows: Sequence[Condition]) -> tuple[Any, Any]:
        """The gradients of the function, and of the numbers of some constraints."""
        gradient = self._gradient(self.lagrangian(Active(rows=rows)))
        if not rows:
            return np.reshape(gradient(self.x, *self.inputs), -1), np.zeros((0, self.n))
        zero = np.zeros(len(rows))
        own = gradient(np.concatenate([self.x, zero]), *self.inputs)[: self.n]
        units = [
            own - gradient(np.concatenate([self.x, unit]), *self.inputs)[: self.n]
            for unit in np.eye(len(zero))
        ]
        return own, np.stack(units)

    def _check_independence(self, C: Any) -> None:
        condition = np.inf if len(C) > C.shape[1] else np.linalg.cond(C)
        if not condition * np.finfo(float).eps < 1.0:
            raise NoDerivativeError(
                f"{self.solver}: the gradients of the {len(C)} constraints that hold the solution are "
                f"linearly dependent, with the condition number {condition}."
            )

    def _check_value(self, value: Any, slope: Any, factor: Any) -> None:
        """Refuse the value where the search stopped on its way, with the slope of a multiple of it."""
        z = primal_of(self.z)
        if np.size(z) and not is_flat(np.linalg.norm(z), value, np.linalg.norm(slope), factor, self.problem):
            pull_solution(self.config, self.equation())(np.zeros_like(z))

    def _check_of_minimum(self, K: Any, step: Any) -> None:
        """Refuse a stationary point that is no minimum, and one that may be at another bound."""
        free = self._free(self.active)
        eigenvalues = np.linalg.eigvalsh((K + K.T) / 2.0)
        if np.sum(eigenvalues < 0.0) != len(eigenvalues) - free:
            Z = null_space(K[free:, :free]) if len(eigenvalues) > free else np.eye(free)
            curvature = np.linalg.eigvalsh(Z.T @ K[:free, :free] @ Z)[0]
            raise NoDerivativeError(
                f"{self.solver}: the Hessian at the solution is not positive definite, with the eigenvalue "
                f"{curvature}, so that this is a saddle or a maximum, which the search would leave if "
                "what it depends on changed. Give it another start."
            )
        x_step = np.zeros(self.n)
        x_step[self._is_free(self.active)] = -step[:free]
        x, (lower, upper) = np.ravel(primal_of(self.x)), self.bounds
        is_free = self._is_free(self.active)
        passes_bound = np.any(
            (((x + x_step < lower) & (x >= lower)) | ((x + x_step > upper) & (x <= upper))) & is_free
        )
        if passes_bound or any(
            -candidate.sign * (row @ x_step) > candidate.distance for candidate, row in self.active.others
        ):
            raise NoDerivativeError(
                f"{self.solver} did not converge far enough to tell which bounds and constraints hold the "
                f"solution: by Newton's method it is at the distance {np.linalg.norm(step)}, beyond one that "
                "does not seem to hold it. Give it a smaller tolerance."
            )
