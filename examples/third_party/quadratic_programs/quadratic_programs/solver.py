"""`minimum`, by the primal-dual interior-point method of S. Mehrotra (1992), without its corrector."""

from typing import Any, NamedTuple

import numpy as np

from chainrules_core import primitive


class NotSolvedError(ArithmeticError):
    """The conditions of optimality were not met: there is no solution, or it is unbounded."""


class Solution(NamedTuple):
    """Where the minimum is, and the multipliers of the inequalities."""

    x: Any
    multipliers: Any


@primitive
def minimum(Q: np.ndarray, q: np.ndarray, A: np.ndarray, b: np.ndarray) -> Solution:
    """The minimum of ``x' Q x / 2 + q' x`` under ``A x <= b``, for a positive definite `Q`.

    Raises
    ------
    NotSolvedError
        If no point fulfils the inequalities.
    """
    x, multipliers, slack = np.zeros(len(q)), np.ones(len(b)), np.maximum(b, 1.0)
    size = 1.0 + np.max(np.abs(q), initial=0.0) + np.max(np.abs(b), initial=0.0)
    for _ in range(100):
        residuals = Q @ x + q + A.T @ multipliers, A @ x + slack - b
        gap = multipliers @ slack / max(len(b), 1)
        if max(gap, *(np.max(np.abs(r), initial=0.0) for r in residuals)) < 1e-13 * size:
            return Solution(x, multipliers)
        x_step, multiplier_step, slack_step = newton_step(Q, A, multipliers, slack, *residuals, 0.1 * gap)
        length = min(longest(multipliers, multiplier_step), longest(slack, slack_step))
        x = x + length * x_step
        multipliers, slack = multipliers + length * multiplier_step, slack + length * slack_step
    raise NotSolvedError(f"No point was found that fulfils all {len(b)} inequalities and is optimal.")


def newton_step(
    Q: np.ndarray, A: np.ndarray, multipliers: Any, slack: Any, dual: Any, primal: Any, goal: float
) -> tuple[Any, Any, Any]:
    """A step towards ``dual = primal = 0``, ``multipliers * slack = goal``."""
    weights = multipliers / slack
    complementarity = goal / slack - multipliers
    x_step = np.linalg.solve(
        Q + A.T @ (weights[:, None] * A), -dual - A.T @ (complementarity + weights * primal)
    )
    slack_step = -primal - A @ x_step
    return x_step, complementarity - weights * slack_step, slack_step


def longest(values: np.ndarray, step: np.ndarray) -> float:
    """The longest part of a step after which all values are positive."""
    falling = step < 0
    return min(1.0, 0.99 * np.min(-values[falling] / step[falling], initial=np.inf))
