"""The linear system that the slopes of a cubic spline solve, with three diagonals.

With the inverse widths ``r`` and the differences ``m`` its inner equations are

    rᵢ₋₁ sᵢ₋₁ + 2 (rᵢ₋₁ + rᵢ) sᵢ + rᵢ sᵢ₊₁ = 3 (rᵢ₋₁ mᵢ₋₁ + rᵢ mᵢ)

C. de Boor, "A practical guide to splines", 2001, chapter IV, has them multiplied by ``hᵢ₋₁ hᵢ``. In this form
the matrix is symmetric and positive, unless a slope is given at an end. The arithmetic asks for nothing but
NumPy's functions, so that widths may be traced, as may what is given at the ends.
"""

from typing import Any, NamedTuple

import numpy as np


def smooth_system(h: Any, bc_type: Any) -> tuple[Any, ...]:
    """The factors of the right side, what is added to it at the ends, and the diagonals of the matrix."""
    sides = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    first, last = _end(h, sides, 1.0), _end(h[::-1], sides[::-1], -1.0)
    r = 1.0 / h
    diagonal = np.concatenate([first.own, 2.0 * (r[:-1] + r[1:]), last.own])
    below, above = np.concatenate([r[:-1], last.next]), np.concatenate([first.next, r[1:]])
    thrice = 3.0 * r
    after, before = np.concatenate([first.by_first, thrice[1:]]), np.concatenate([thrice[:-1], last.by_first])
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
    r0 = 1.0 / h0
    if not is_free[0]:
        side = sides[0]
        order, value = {"clamped": (1, 0.0), "natural": (2, 0.0)}[side] if isinstance(side, str) else side
        value = np.reshape(value, (1, -1))
        if order == 1:
            return _End(one, zero, zero, zero, value)
        return _End(2.0 * r0, r0, 3.0 * r0, zero, -0.5 * way * value)
    if len(h) == 1:
        return _End(one, zero, one, zero, zero)
    if len(h) == 2 and is_free[1]:  # the parabola through three points
        return _End(r0, r0, 2.0 * r0, zero, zero)
    both = h0 + h[1:2]
    own = h[1:2] / both * r0
    return _End(own, r0, (h0 / both + 2.0) * own, h0 / both / both, zero)
