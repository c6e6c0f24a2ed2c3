"""The rules; loaded through the entry point.

The iterations are not differentiated. At the solution the conditions of optimality hold,

    Q x + q + Aᵀ λ = 0,    λ (A x - b) = 0,

and so do their derivatives: one linear system for ``x_dot`` and ``λ_dot``, whose matrix depends on the
solution only, and whose transpose pulls cotangents back. B. Amos and J. Z. Kolter, "OptNet" (2017), equations
6 and 8, with cotangents of the multipliers as well.
"""

from typing import Any

import numpy as np

from chainrules_core import AbstractZero, NoTangent, ProjectTo, Tangent, frule, rrule, typeof_
from quadratic_programs.solver import Solution, minimum


def optimality(Q: Any, A: Any, b: Any, x: Any, multipliers: Any) -> Any:
    """The matrix of the derivatives of both conditions by `x` and by the multipliers."""
    below = np.concatenate([multipliers[:, None] * A, np.diag(A @ x - b)], axis=1)
    return np.concatenate([np.concatenate([Q, A.T], axis=1), below])


@frule.dispatch
def minimum_frule(
    tangents: Any, f: typeof_(minimum), Q: np.ndarray, q: np.ndarray, A: np.ndarray, b: np.ndarray
) -> Any:
    _, Q_dot, q_dot, A_dot, b_dot = tangents
    x, multipliers = minimum(Q, q, A, b)
    first = 0 * q + Q_dot @ x + q_dot + np.transpose(A_dot) @ multipliers
    second = multipliers * (0 * b + A_dot @ x - b_dot)
    step = -np.linalg.solve(optimality(Q, A, b, x, multipliers), np.concatenate([first, second]))
    return Solution(x, multipliers), Tangent[Solution](x=step[: len(q)], multipliers=step[len(q) :])


@rrule.dispatch
def minimum_rrule(f: typeof_(minimum), Q: np.ndarray, q: np.ndarray, A: np.ndarray, b: np.ndarray) -> Any:
    x, multipliers = minimum(Q, q, A, b)
    project_Q, project_q, project_A, project_b = map(ProjectTo, (Q, q, A, b))

    def minimum_pullback(y_bar: Any) -> Any:
        x_bar, multipliers_bar = (
            0 * value if isinstance(bar, AbstractZero) else bar
            for value, bar in ((x, y_bar.x), (multipliers, y_bar.multipliers))
        )
        bars = np.concatenate([x_bar, multipliers_bar])
        both = -np.linalg.solve(optimality(Q, A, b, x, multipliers).T, bars)
        first, second = both[: len(q)], multipliers * both[len(q) :]
        return (
            NoTangent(),
            project_Q(np.outer(first, x)),
            project_q(first),
            project_A(np.outer(multipliers, first) + np.outer(second, x)),
            project_b(-second),
        )

    return Solution(x, multipliers), minimum_pullback
