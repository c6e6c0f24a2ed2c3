"""Splines of cubic pieces: SciPy checks the arguments and computes the values, operations the derivatives.

A cubic spline has the slopes with which its second derivative is continuous; those of the others are formulas
of a few neighbours: see `chainrules.operations.cubic_pieces`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, called, columns_of, hold_parts
from chainrules.ad.values.facts import fact
from chainrules.operations.cubic_pieces import akima_slopes, cubic_pieces, monotone_slopes, neighbour_terms
from chainrules.operations.entry_systems import solve_entries
from chainrules.operations.three_diagonals import solve_three_diagonals
from chainrules_core import primal_of


def _made_of_slopes(slopes: Callable[..., Any]) -> Callable[..., Any]:
    """For constructors, of whose splines `slopes` computes the slopes at the points.

    It is given the widths, the differences, the slopes that SciPy found, and arguments.
    """

    def given(_result: Any, self: Any, x: Any, y: Any, axis: int, **options: Any) -> None:
        if not self.c.size:
            return
        x, y = as_array(x), columns_of(as_array(y), axis)
        h = np.diff(x)[:, np.newaxis]
        c = pieces = np.reshape(self.c, (4, len(h), -1))
        width = primal_of(h[-1:])
        last = c[2, -1:] + width * (2.0 * c[1, -1:] + 3.0 * width * c[0, -1:])
        s = slopes(h, np.diff(y, axis=0) / h, np.concatenate([c[2], last]), axis=axis, **options)
        hold_parts(self, c=np.reshape(cubic_pieces(h, y, s, pieces), self.c.shape))
        if primal_of(x) is not x:
            hold_parts(self, x=np.copy(x))  # who gave it may write into it, as SciPy's is a copy

    return lambda init: called(init, given)


def _of_hermite(_h: Any, _m: Any, _s: Any, dydx: Any, axis: int, **_options: Any) -> Any:
    return columns_of(as_array(dydx), axis)


def _of_pchip(h: Any, m: Any, s: Any, **_options: Any) -> Any:
    if len(h) == 1:
        return np.concatenate([m, m])
    return monotone_slopes(h, m, s)


def _of_akima(h: Any, m: Any, s: Any, method: str = "akima", **_options: Any) -> Any:
    if len(h) == 1:
        return np.concatenate([m, m])
    return akima_slopes(m, 0.5 * (method == "makima"), s)


def _of_cubic(h: Any, m: Any, s: Any, bc_type: Any, **_options: Any) -> Any:
    """Slopes that solve a system with three diagonals, which goes round if they are periodic."""
    if isinstance(bc_type, str) and bc_type == "periodic" and len(h) > 1:
        h, m = (np.concatenate([part[-1:], part]) for part in (h, m))
        right = 3.0 * (h[:-1] * m[1:] + h[1:] * m[:-1])
        entries, at = np.concatenate([h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]])[:, 0], np.arange(len(right))
        rows, columns = np.concatenate([at, at, at]), np.concatenate([at - 1, at, at + 1]) % len(at)
        s = solve_entries(entries, right, rows, columns, s[:-1])
        return np.concatenate([s, s[:1]])
    sides = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
    first, last = _end(h, sides, 1.0), _end(h[::-1], sides[::-1], -1.0)
    diagonal = np.concatenate([first.own, 2.0 * (h[:-1] + h[1:]), last.own])
    below, above = np.concatenate([h[1:], last.next]), np.concatenate([first.next, h[:-1]])
    after, before = (
        np.concatenate([first.by_first, 3.0 * h[:-1]]),
        np.concatenate([3.0 * h[1:], last.by_first]),
    )
    by_second = np.concatenate([first.by_second, last.by_second])
    given = np.concatenate(np.broadcast_arrays(first.given, last.given))
    right = neighbour_terms(after, before, by_second, m, given)
    return solve_three_diagonals(below, diagonal, above, right, s)


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


_OWNER = "scipy.interpolate._cubic"

fact(f"{_OWNER}.CubicHermiteSpline.__init__", wrapped=_made_of_slopes(_of_hermite))
fact(f"{_OWNER}.CubicSpline.__init__", wrapped=_made_of_slopes(_of_cubic))
fact(f"{_OWNER}.PchipInterpolator.__init__", wrapped=_made_of_slopes(_of_pchip))
fact(f"{_OWNER}.Akima1DInterpolator.__init__", wrapped=_made_of_slopes(_of_akima))
