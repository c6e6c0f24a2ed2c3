"""Derivatives by parameters for which there is no formula, of functions that are analytic in them.

The derivative at `a` is that of the polynomial through the values at 16 Chebyshev points of the interval ``[a
- radius, a + radius]``: L. N. Trefethen, "Approximation theory and approximation practice", 2013, chapters 8
and 21. An interval this wide divides the rounding errors of the function by its radius, not by a small step.
The result is off by two errors: one is 16 times that of the function, divided by the radius; the other falls
as ``ρ^-16``, where the nearest singularity is at a distance of ``(ρ + 1/ρ) / 2`` radii: four radii make it
``5e-15``.

The last coefficient of the polynomial tells how far the values are from a smooth curve. Where the function is
computed with less than ten digits, that is more than rounding, and the derivative is NaN rather than wrong.

The sum is differentiable again: it is one of values of the function.

An order, in which a function is entire and which may be large, has evenly spaced points instead, for the
reason that `chainrules.formulas.special_functions.differences_in_order` gives.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import may_hold, primal_of

_PAIRS = 8
_WIDEST = 0.25
_SMOOTH = 1e-10


def derivative_by_parameter(f: Callable[[Any], Any], a: Any, radius: Any = _WIDEST) -> Any:
    """``f'(a)`` of an analytic function; NaN where its values have less than ten digits.

    Parameters
    ----------
    f
        A function of a number or an array, elementwise. It is called 16 times.
    a
        Where to differentiate. Single precision is made double.
    radius
        Half the length of the interval, a number or an array. The function is defined in the interval, and
        changes by less than about a factor ``exp(4)``.
    """
    a, radius = a * np.float64(1.0), radius * np.float64(1.0)
    slope, bend, size = 0.0, 0.0, 0.0
    for node, of_slope, of_bend in _weights():
        right, left = f(a + radius * node), f(a - radius * node)
        slope = slope + (right - left) * of_slope
        bend = bend + (primal_of(right) - primal_of(left)) * of_bend
        size = functools.reduce(np.maximum, (size, np.abs(primal_of(right)), np.abs(primal_of(left))))
    is_rough = np.abs(bend) > _SMOOTH * size
    return (np.where(is_rough, np.nan, slope) if may_hold(is_rough) else slope) / radius


@functools.cache
def _weights() -> tuple[tuple[float, float, float], ...]:
    """The positive nodes, each with two factors of the difference of the values there and opposite.

    One is for the derivative, and one for the coefficient of Chebyshev's polynomial of degree 15.
    """
    last = 2 * _PAIRS - 1
    angles = [(2 * j - 1) * math.pi / (4 * _PAIRS) for j in range(1, _PAIRS + 1)]
    nodes = [math.cos(angle) for angle in angles]
    slopes = [math.prod(y * y / (y * y - x * x) for y in nodes if y != x) / (2 * x) for x in nodes]
    bends = [math.cos(last * angle) / _PAIRS for angle in angles]
    return tuple(zip(nodes, slopes, bends, strict=True))


def radius_beside_poles(*xs: Any) -> Any:
    """A radius for functions with poles where one of some values is 0, -1, -2, ...: at most 1/4.

    It is a quarter of the distance between the values and the nearest poles.
    """
    radius: Any = _WIDEST
    for x in map(primal_of, xs):
        pole = np.minimum(np.rint(x), 0.0)
        radius = np.minimum(radius, 0.25 * np.abs(x - pole))
    return radius
