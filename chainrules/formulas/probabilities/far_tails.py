"""Derivatives of the logarithms of probabilities so small that densities by them are lost to rounding.

With the score ``s = ∂ log f/∂z``, integration by parts gives ``F = f/s (1 + s'/s² + ...)``: A. Erdélyi,
"Asymptotic Expansions" (1956), section 2.1. So ``∂ log F/∂z`` is ``s - s'/s``, and by a shape it is near to
``∂ log f/∂θ``. The same holds of ``1 - F`` above.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import primal_of

# Beyond these the difference of the two logarithms has lost as much as the series, whose error is as the
# square of their inverse by `z`, and as the inverse by shapes.
FAR, FAR_BY_SHAPES = -2e5, -1e8


def is_far(y: Any, bound: float = FAR) -> Any:
    """Whether the series is more exact, for the value of the logarithm."""
    return (y < bound) & (y > -np.inf)


def slope_of_log_probability(
    score: Callable[..., Any], z: Any, shapes: tuple[Any, ...], y: Any, far: Any
) -> Any:
    """``∂ log F/∂z`` or ``∂ log (1 - F)/∂z``, where that is `far`.

    Parameters
    ----------
    score
        A function of ``z, *shapes``.
    z, shapes
        Its arguments.
    y
        The value of the logarithm.
    far
        Where the result is wanted.
    """
    s = score(z, *shapes)
    # Over such a step `s` varies by a small part, and the correction is a small part of the result.
    step = 1e-4 * np.where(far, y / primal_of(s), 1.0)
    rise = score(z + step, *shapes) - score(z - step, *shapes)
    return s - 0.5 * rise / step / s
