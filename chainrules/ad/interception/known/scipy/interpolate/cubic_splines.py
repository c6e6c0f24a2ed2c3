"""Splines of cubic pieces: SciPy checks the arguments and computes the values, operations the derivatives.

A cubic spline has the slopes with which its second derivative is continuous; those of the others are formulas
of a few neighbours: see `chainrules.operations.piece_slopes`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, called, columns_of, hold_parts
from chainrules.ad.values.facts import fact
from chainrules.operations.cubic_pieces import cubic_pieces, pieces_through
from chainrules.operations.entry_systems import solve_entries
from chainrules.operations.piece_slopes import akima_slopes, monotone_slopes, smooth_slopes
from chainrules_core import contains_carrier, primal_of


def _made_of_slopes(slopes: Callable[..., Any]) -> Callable[..., Any]:
    """For constructors, of whose splines `slopes` says how the slopes at the points are computed.

    It is given the widths, the pieces that SciPy found, and arguments, and returns a function of the
    differences and what gives its further arguments.
    """

    def given(_result: Any, self: Any, x: Any, y: Any, axis: int, **options: Any) -> None:
        if not self.c.size:
            return
        x, y = as_array(x), as_array(y)
        h = (x[1:] - x[:-1])[:, np.newaxis]
        c = np.reshape(self.c, (4, len(h), -1))
        by_differences, further = slopes(h, c, axis=axis, **options)
        if by_differences in _OPERATIONS and primal_of(x) is x and not contains_carrier(options):
            y = y if axis == 0 else np.moveaxis(y, axis, 0)
            hold_parts(self, c=pieces_through(y, h, by_differences, further, self.c))
            return
        y = columns_of(y, axis)
        s = by_differences((y[1:] - y[:-1]) / h, *further())
        hold_parts(self, c=np.reshape(cubic_pieces(h, y, s, c), self.c.shape))
        if primal_of(x) is not x:
            hold_parts(self, x=np.copy(x))  # who gave it may write into it, as SciPy's is a copy

    return lambda init: called(init, given)


_OPERATIONS = akima_slopes, monotone_slopes, smooth_slopes


def _found(h: Any, c: Any) -> Any:
    """The slopes of pieces at the points."""
    h = primal_of(h[-1:])
    return np.concatenate([c[2], c[2, -1:] + h * (2.0 * c[1, -1:] + 3.0 * h * c[0, -1:])])


def _of_hermite(_h: Any, _c: Any, dydx: Any, axis: int, **_options: Any) -> Any:
    return lambda _m: columns_of(as_array(dydx), axis), tuple


def _of_pchip(h: Any, c: Any, **_options: Any) -> Any:
    return (_same_at_both, tuple) if len(h) == 1 else (monotone_slopes, lambda: (h, _found(h, c)))


def _of_akima(h: Any, c: Any, method: str = "akima", **_options: Any) -> Any:
    if len(h) == 1:
        return _same_at_both, tuple
    return akima_slopes, lambda: (0.5 * (method == "makima"), _found(h, c))


def _same_at_both(m: Any) -> Any:
    return np.concatenate([m, m])


def _of_cubic(h: Any, c: Any, bc_type: Any, **_options: Any) -> Any:
    if isinstance(bc_type, str) and bc_type == "periodic" and len(h) > 1:
        return _periodic_slopes, lambda: (h, _found(h, c))
    return smooth_slopes, lambda: (*_smooth_system(h, bc_type), _found(h, c))


def _smooth_system(h: Any, bc_type: Any) -> tuple[Any, ...]:
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


def _periodic_slopes(m: Any, h: Any, s: Any) -> Any:
    """Slopes that solve a system whose three diagonals go round."""
    h, m = (np.concatenate([part[-1:], part]) for part in (h, m))
    right = 3.0 * (h[:-1] * m[1:] + h[1:] * m[:-1])
    entries, at = np.concatenate([h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]])[:, 0], np.arange(len(right))
    rows, columns = np.concatenate([at, at, at]), np.concatenate([at - 1, at, at + 1]) % len(at)
    s = solve_entries(entries, right, rows, columns, s[:-1])
    return np.concatenate([s, s[:1]])


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
