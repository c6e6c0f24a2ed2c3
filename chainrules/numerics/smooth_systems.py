"""The linear system that the slopes of a cubic spline solve, with three diagonals.

With the widths ``h`` and the differences ``m`` its inner equations are

    hᵢ sᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) sᵢ + hᵢ₋₁ sᵢ₊₁ = 3 (hᵢ mᵢ₋₁ + hᵢ₋₁ mᵢ)

C. de Boor, "A practical guide to splines", 2001, chapter IV. The arithmetic asks for nothing but NumPy's
functions, so that widths may be traced, as may what is given at the ends.
"""

from typing import Any, NamedTuple

import numpy as np


def smooth_system(h: Any, bc_type: Any) -> tuple[Any, ...]:
    """The factors of the right side, what is added to it at the ends, and the diagonals of the matrix."""
    sides = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    first, last = _end(h, sides, 1.0), _end(h[::-1], sides[::-1], -1.0)
    diagonal = np.concatenate([first.own, 2.0 * (h[:-1] + h[1:]), last.own])
    below, above = np.concatenate([h[1:], last.next]), np.concatenate([first.next, h[:-1]])
    thrice = 3.0 * h
    after, before = np.concatenate([first.by_first, thrice[:-1]]), np.concatenate([thrice[1:], last.by_first])
    by_second = np.concatenate([first.by_second, last.by_second])
    given = np.concatenate(np.broadcast_arrays(first.given, last.given))
    return after, before, by_second, given, below, diagonal, above


class _End(NamedTuple):
    """The equation ``own s_0 + next s_1 = by_first m_0 + by_second m_1 + given`` at an end."""

    own: Any
    next: Any
    by_first: Any
    by_second: Any
    given: Any


def _end(h: Any, sides: Any, way: float) -> _End:
    """The equation at the first point; `way` is -1 if that is the last one, and all is reversed."""
    is_free = [isinstance(side, str) and side in {"not-a-knot", "periodic"} for side in sides]
    one, zero, h0 = np.ones((1, 1)), np.zeros((1, 1)), h[:1]
    if not is_free[0]:
        side = sides[0]
        order, value = {"clamped": (1, 0.0), "natural": (2, 0.0)}[side] if isinstance(side, str) else side
        value = np.reshape(value, (1, -1))
        if order == 1:
            return _End(one, zero, zero, zero, value)
        return _End(2.0 * h0, h0, 3.0 * h0, zero, -0.5 * way * h0 * h0 * value)
    if len(h) == 1:
        return _End(one, zero, one, zero, zero)
    if len(h) == 2 and is_free[1]:  # the parabola through three points
        return _End(one, one, 2.0 * one, zero, zero)
    h1, both = h[1:2], h0 + h[1:2]
    return _End(h1, both, (h0 + 2.0 * both) * h1 / both, h0 * h0 / both, zero)
