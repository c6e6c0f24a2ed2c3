"""Bounds and constraints of a minimum, and which of them hold it.

Of those near which the minimum is, the ones are active whose multiplier is larger than their distance. F.
Facchinei, A. Fischer, C. Kanzow, "On the accurate identification of active constraints", SIAM Journal on
Optimization 9, 1998.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.optimize

from chainrules.values.several_arrays import array_of
from chainrules_core import NoDerivativeError, primal_of

# How far from a bound or a constraint, as a part of it or of 1, a search may end that is held by it.
NEAR = 1e-4
# Where both the distance and the multiplier are less, nobody knows whether it is held.
UNSURE = 1e-6


class Limits(NamedTuple):
    """Lower and upper bounds, each a number or an array."""

    lb: Any
    ub: Any


class Task(NamedTuple):
    """What is to be least, and where.

    Attributes
    ----------
    value
        The function of the unknowns.
    bounds
        Pairs for the unknowns, any of which may be missing, or an object with `lb` and `ub`, or `None`.
    constraints
        In SciPy's forms.
    """

    value: Callable[[Any], Any]
    bounds: Any = None
    constraints: Sequence[Any] = ()


class Condition(NamedTuple):
    """One number that may not pass a limit.

    Attributes
    ----------
    item
        The number of the constraint; -1 for a bound.
    place
        The place among the values of the constraint, or among the unknowns.
    side
        0 at the lower limit, 1 at the upper one.
    """

    item: int
    place: int
    side: int


class Candidate(NamedTuple):
    """A condition that may hold a minimum, with its distance, and whether it is an equation."""

    condition: Condition
    distance: float
    is_equation: bool

    @property
    def sign(self) -> float:
        """The sign that makes the distance grow with the number."""
        return 1.0 - 2.0 * self.condition.side


def bound_at(bounds: Any, place: int, side: int) -> Any:
    """The bound of one unknown."""
    if hasattr(bounds, "ub"):
        return limit_at(bounds.ub if side else bounds.lb, place)
    bound = bounds[place][side]
    return (np.inf if side else -np.inf) if bound is None else bound


def limit_at(limits: Any, place: int) -> Any:
    """One of several limits, or the one for all."""
    limits = array_of(limits)
    if not np.ndim(limits):
        return limits
    return limits[place if np.size(limits) > 1 else 0]


def parts_of_constraint(constraint: Any, x: Any) -> tuple[Any, Any, Any]:
    """The values of a constraint, and its lower and upper limits."""
    if isinstance(constraint, dict):
        upper = 0.0 if constraint["type"].lower() == "eq" else np.inf
        return flat_array(constraint["fun"](x, *constraint.get("args", ()))), 0.0, upper
    if isinstance(constraint, scipy.optimize.Bounds):
        values = x
    elif isinstance(constraint, scipy.optimize.LinearConstraint):
        values = constraint.A @ x
    else:
        values = flat_array(constraint.fun(x))
    return values, constraint.lb, constraint.ub


def flat_array(x: Any) -> Any:
    """A vector of the numbers of a value."""
    return np.reshape(array_of(x), -1)


def residuals(task: Task, x: Any, conditions: Sequence[Condition]) -> Any:
    """How far the numbers of some conditions on constraints are from their limits."""
    parts = {item: parts_of_constraint(task.constraints[item], x) for item, _, _ in conditions}
    return np.stack(
        [
            parts[item][0][place] - limit_at(parts[item][2 if side else 1], place)
            for item, place, side in conditions
        ]
    )


def assembled(free: Any, bounds: Any, held: Sequence[Condition], n: int) -> Any:
    """All `n` unknowns: those at active bounds, and the others."""
    if not held:
        return free
    places = [place for _, place, _ in held]
    limits = np.stack([bound_at(bounds, place, side) for _, place, side in held])
    x, others = np.eye(n)[:, places] @ limits, np.delete(np.eye(n), places, axis=1)
    return x + others @ free if others.shape[1] else x


def bounds_of(task: Task, n: int) -> tuple[Any, Any]:
    """Arrays of the lower and upper bounds of `n` unknowns."""
    lower, upper = np.full(n, -np.inf), np.full(n, np.inf)
    if task.bounds is not None:
        for side, bounds in enumerate((lower, upper)):
            bounds[:] = [primal_of(bound_at(task.bounds, place, side)) for place in range(n)]
    return lower, upper


def candidates_in(item: int, values: Any, lower: Any, upper: Any) -> list[Candidate]:
    """The conditions on some values that are near their limits, and all equations."""
    values, lower, upper = np.broadcast_arrays(values, lower, upper)
    found = []
    for place, value in enumerate(values):
        is_equation = bool(lower[place] == upper[place])
        for side, limit in enumerate((lower[place], upper[place])):
            if np.isfinite(limit) and not (is_equation and side):
                distance = abs(value - limit) / (1.0 + abs(limit))
                if is_equation or distance < NEAR:
                    found.append(Candidate(Condition(item, place, side), float(distance), is_equation))
    return found


def active_among(
    solver: str, candidates: Sequence[Candidate], rows: Any, gradient: Any, size: float
) -> list[bool]:
    """Which candidates hold a minimum.

    Parameters
    ----------
    solver
        The name of the function that found it, for messages.
    candidates, rows
        The candidates, and the gradient of the number of each.
    gradient, size
        The gradient of the function, and the size of its values.
    """
    multipliers = np.linalg.lstsq(rows.T, gradient)[0] / size
    active = []
    for (condition, distance, is_equation), multiplier in zip(candidates, multipliers, strict=True):
        signed = -multiplier if condition.side else multiplier
        if not is_equation and distance < UNSURE and abs(signed) < UNSURE:
            raise NoDerivativeError(
                f"{solver}: the solution is at a {'bound' if condition.item < 0 else 'constraint'} that does "
                f"not hold it, with the multiplier {abs(signed):.3g}: it has a derivative on one side only."
            )
        active.append(is_equation or bool(signed > distance))
    return active
