"""The jump of an integrand at a place that moves, which moves the integral: one side becomes the other."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import NoDerivativeError, primal_of

# How far from a place its sides are, as a part of the larger of the place and the interval: a few roundings,
# by which the place of the jump may differ; and further away, where it must be the same jump.
NEAR, FAR, SAME = 2.0**-51, 2.0**-43, 1e-6


def jump_at(values_at: Callable[[Any], Any], a: Any, b: Any, points: Any, place: int) -> Any:
    """The derivative of the integral of a vector by one of the points where the integrand may jump.

    Parameters
    ----------
    values_at, a, b
        The integrand, and the limits.
    points, place
        The points, and which of them.

    Raises
    ------
    NoDerivativeError
        If it is no jump, as at a pole, or if two points are at a jump.
    """
    point, (start, end) = points[place], (float(primal_of(x)) for x in (a, b))
    at, all_points = float(primal_of(point)), [float(primal_of(x)) for x in points]
    if not min(start, end) < at < max(start, end):
        return 0.0 * values_at(a)
    scale = max(abs(at), abs(end - start))
    sides = [[values_at(point + sign * part * scale) for sign in (-1, 1)] for part in (NEAR, FAR)]
    jump, further = (before - after for before, after in sides)
    difference = np.max(np.abs(primal_of(jump - further)))
    largest = np.max(np.abs([[primal_of(x) for x in side] for side in sides]))
    count = all_points.count(at)
    if not difference <= SAME * largest or (count > 1 and np.any(primal_of(jump))):
        raise NoDerivativeError(
            f"scipy.integrate.quad: there is no derivative by {at}, which is {count} times in `points`. The "
            f"jump of the integrand there is {primal_of(jump)}; at a distance of {FAR * scale} it differs by "
            f"{difference}. Split the integral at a jump; where nothing jumps, write `stop_gradient(points)`."
        )
    return jump * np.sign(end - start)
