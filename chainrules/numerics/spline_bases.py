"""B-splines and their derivatives at places, by the recursion of Cox and de Boor, in NumPy alone.

With the knots ``t_i``, the B-splines of degree ``r`` are

    N_{i,r}(x) = (x - t_i) q_i + (t_{i+r+1} - x) q_{i+1},   q_i = N_{i,r-1}(x) / (t_{i+r} - t_i)

and their derivatives ``r (q_i - q_{i+1})``. C. de Boor, "A practical guide to splines", 2001, chapters IX and
X. The arithmetic asks for nothing but NumPy's functions, so that knots and places may be traced.
"""

import operator
from typing import Any

import numpy as np

from chainrules_core import primal_of


def intervals_of(t: Any, k: int, x: Any) -> Any:
    """For each place the knot before it: those of the end intervals for places beyond."""
    knots = primal_of(t)
    return np.clip(np.searchsorted(knots, primal_of(x), side="right") - 1, k, len(knots) - k - 2)


def basis(t: Any, k: int, x: Any, nu: int, interval: Any) -> list[Any]:
    """The B-splines that are not zero at each place.

    Parameters
    ----------
    t, k
        The knots and the degree.
    x
        Shape ``(m,)``: the places.
    nu
        Which derivative is taken.
    interval
        The knot before each place.

    Returns
    -------
    list of arrays
        ``k + 1`` of shape ``(m,)``: that of number ``interval - k`` first.
    """
    if nu > k:
        return [0.0 * x] * (k + 1)

    near = [t[interval + shift] for shift in range(1 - k, k + 1)]  # each is used many times
    after = [x - knot for knot in near]
    # Each width that is divided by has the interval of the place in it.
    divide = _quotient if k and np.any(primal_of(near[k]) == primal_of(near[k - 1])) else operator.truediv

    values: list[Any] = [np.ones(len(primal_of(x)))]
    for r in range(1, k + 1):
        q = [divide(values[j], near[j + k] - near[j + k - r]) for j in range(r)]
        if r > k - nu:
            rising = falling = [r * q[j] for j in range(r)]
        else:
            rising = [after[j + k - r] * q[j] for j in range(r)]
            falling = [after[j + k] * q[j] for j in range(r)]
        values = [-falling[0], *(rising[j] - falling[j + 1] for j in range(r - 1)), rising[-1]]
    return values


def _quotient(x: Any, width: Any) -> Any:
    """The quotient, and zero where so many knots are equal that nothing is between them."""
    is_empty = primal_of(width) == 0.0
    return np.where(is_empty, 0.0, x / np.where(is_empty, 1.0, width))
