"""Derivatives by parameters for which there is no formula, of functions that are analytic in them.

The derivative at `a` is that of the polynomial through the values at 16 Chebyshev points of the interval
``[a - radius, a + radius]``: L. N. Trefethen, "Approximation theory and approximation practice", 2013, chapters
8 and 21. An interval this wide divides the rounding errors of the function by its radius, not by a small step.
The result is off by two errors: one is 20 times that of the function, divided by the radius; the other falls
as ``ρ^-16``, where the nearest singularity is at a distance of ``(ρ + 1/ρ) / 2`` radii. An eighth part of that
distance makes it ``1e-19``, a quarter ``5e-15``.

The sum is differentiable again: it is one of values of the function.
"""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import primal_of

_PAIRS = 8


def derivative_by_parameter(f: Callable[[Any], Any], a: Any, radius: Any = 0.5) -> Any:
    """``f'(a)`` of an analytic function.

    Parameters
    ----------
    f
        A function of a number or an array, elementwise. It is called 16 times.
    a
        Where to differentiate. Single precision is made double.
    radius
        Half the length of the interval, in which the function is defined and changes by less than about a
        factor ``exp(2)``; a number or an array.
    """
    a = a * np.float64(1.0)
    return sum(
        (f(a + radius * node) - f(a - radius * node)) * (weight / radius) for node, weight in _weights()
    )


@functools.cache
def _weights() -> tuple[tuple[float, float], ...]:
    """The positive nodes, and what a difference of values at a node and its mirror image is multiplied by."""
    nodes = [math.cos((2 * j - 1) * math.pi / (4 * _PAIRS)) for j in range(1, _PAIRS + 1)]
    return tuple(
        (x, math.prod(y * y / (y * y - x * x) for y in nodes if y != x) / (2 * x)) for x in nodes
    )


def radius_beside_poles(*xs: Any) -> Any:
    """A radius for functions with poles where one of some values is 0, -1, -2, ...: at most 1/2.

    It is a quarter of the distance between the values and the nearest poles.
    """
    radius: Any = 0.5
    for x in map(primal_of, xs):
        pole = np.minimum(np.rint(x), 0.0)
        radius = np.minimum(radius, 0.25 * np.abs(x - pole))
    return radius
