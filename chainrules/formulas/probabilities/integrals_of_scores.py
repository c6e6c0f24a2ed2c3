"""Derivatives of probabilities and of expectations by a shape, as integrals of the score by it.

With the density ``f`` and ``s = ∂ log f/∂θ``::

    ∂F(z)/∂θ = ∫ s f dt up to z = -∫ s f dt from z on        ∂E[g]/∂θ = E[g s]

for a function `g` that does not depend on θ, and ends of the support where nothing of either is left.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.numerics.double_exponential import of_positive_numbers, of_unit_interval
from chainrules_core import primal_of

Function = Callable[..., Any]

# Widths that are tried, as powers of 2, to find how quickly the logarithm of an integrand falls by this.
_WIDTHS, _FALL = np.arange(-40, 41), 2.0


def probability_slope(
    log_density: Function, score: Function, ends: tuple[float, float], is_low: Function
) -> Function:
    """The function ``∂F/∂θ`` of ``z, *shapes``.

    Parameters
    ----------
    log_density, score
        Functions of ``z, *shapes``: ``log f``, and its derivative by the shape.
    ends
        Those of the support.
    is_low
        The function that says which `z` have less below them than above.
    """

    def slope(z: Any, *shapes: Any) -> Any:
        def integrand(t: Any, *inner: Any) -> Any:
            return score(t, *inner) * np.exp(log_density(t, *inner))

        low = np.asarray(primal_of(is_low(primal_of(z), *map(primal_of, shapes))))
        total: Any = 0.0
        for side, end, chosen in ((-1.0, ends[0], low), (1.0, ends[1], ~low)):
            if chosen.any():
                y = integral_to_end(integrand, log_density, z, side, end, *shapes)
                total = total + np.where(chosen, -side * y, 0.0)
        return total

    return slope


def integral_to_end(
    integrand: Function, log_density: Function, z: Any, side: float, end: Any, *shapes: Any
) -> Any:
    """The integral between `z` and the upper end of the support, or for the side -1 the lower end.

    Parameters
    ----------
    integrand
        A function of ``t, *shapes``.
    log_density
        What it falls like.
    z, side, end, *shapes
        The limits, of which `end` may be infinite, and the shapes; all of them may be arrays.
    """
    z, *inner = (np.expand_dims(x, -1) for x in (z, *shapes))
    end = np.expand_dims(1.0 * end, -1)
    is_finite = np.isfinite(primal_of(end))
    total: Any = 0.0
    if is_finite.any():
        nodes, weights = of_unit_interval()
        width = np.where(is_finite, end - z, side)
        # From the nearer of the two limits, so that the distance from it keeps its digits.
        t = np.where(nodes < 0.5, z + width * nodes, np.where(is_finite, end, z + side) - width * nodes[::-1])
        total = total + np.where(is_finite, side * width * weights * _finite(integrand(t, *inner)), 0.0)
    if not is_finite.all():
        nodes, weights = of_positive_numbers()
        width = _width(log_density, primal_of(z), side, *map(primal_of, inner))
        steps = width * nodes
        y = width * weights * _finite(integrand(z + side * steps, *inner))
        rest = np.where(is_finite, 0.0, y)
        return np.sum(rest, -1) + (np.sum(total, -1) if is_finite.any() else 0.0)
    return np.sum(total, -1)


def _finite(y: Any) -> Any:
    """What is left of an integrand where its factors overflow: nothing."""
    return np.where(np.isfinite(primal_of(y)), y, 0.0)


def _width(log_density: Function, z: Any, side: float, *shapes: Any) -> Any:
    """How far from `z` the density has fallen by a factor."""
    steps = 2.0**_WIDTHS
    fall = log_density(z, *shapes) - log_density(z + side * steps, *shapes)
    place = np.argmax(~(fall < _FALL), axis=-1)
    return np.expand_dims(steps[place], -1)
