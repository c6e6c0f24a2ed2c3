"""Splines of cubic pieces: SciPy checks the arguments and computes the values, and operations the derivatives.

A cubic spline has the slopes with which its second derivative is continuous; those of the others are formulas
of a few neighbours: see `chainrules.operations.cubic_pieces`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, called, columns_of, hold_parts
from chainrules.ad.values.facts import fact
from chainrules.operations.cubic_pieces import akima_slope, cubic_pieces, harmonic_slope, monotone_end_slope
from chainrules.operations.entry_systems import solve_entries


def _made_of_slopes(slopes: Callable[..., Any]) -> Callable[..., Any]:
    """For constructors, where `slopes` computes those at the points from widths, differences and arguments."""

    def given(_result: Any, self: Any, x: Any, y: Any, axis: int, **options: Any) -> None:
        if not self.c.size:
            return
        x, y = as_array(x), columns_of(as_array(y), axis)
        h = np.reshape(x[1:] - x[:-1], (-1, 1))
        pieces = np.reshape(self.c, (4, len(h), -1))
        s = slopes(h, (y[1:] - y[:-1]) / h, pieces, axis=axis, **options)
        hold_parts(self, c=np.reshape(cubic_pieces(h, y, s, pieces), self.c.shape), x=x)

    return lambda init: called(init, given)


def _of_hermite(_h: Any, _m: Any, _c: Any, dydx: Any, axis: int, **_options: Any) -> Any:
    return columns_of(as_array(dydx), axis)


def _of_pchip(h: Any, m: Any, _c: Any, **_options: Any) -> Any:
    if len(h) == 1:
        return np.concatenate([m, m])
    ends = monotone_end_slope(m[[0, -1]], m[[1, -2]], h[[0, -1]], h[[1, -2]])
    return np.concatenate([ends[:1], harmonic_slope(m[:-1], m[1:], h[:-1], h[1:]), ends[1:]])


def _of_akima(h: Any, m: Any, _c: Any, method: str = "akima", **_options: Any) -> Any:
    if len(h) == 1:
        return np.concatenate([m, m])
    first, last = m[:2], m[-2:]
    before = [first[:1] * (k + 1.0) - first[1:] * float(k) for k in (2, 1)]
    after = [last[1:] * (k + 1.0) - last[:1] * float(k) for k in (1, 2)]
    m = np.concatenate([*before, m, *after])
    return akima_slope(m[:-3], m[1:-2], m[2:-1], m[3:], 0.5 * (method == "makima"))


def _of_cubic(h: Any, m: Any, c: Any, bc_type: Any, **_options: Any) -> Any:
    """Slopes that solve a system with three diagonals, which goes round if they are periodic."""
    last = c[2, -1:] + h[-1:] * (2.0 * c[1, -1:] + 3.0 * h[-1:] * c[0, -1:])
    known, n = np.concatenate([c[2], last]), len(h) + 1
    is_periodic = isinstance(bc_type, str) and bc_type == "periodic" and n > 2
    if is_periodic:
        known, n = known[:-1], n - 1
        parts = _inner(*(np.concatenate([part[-1:], part]) for part in (h, m)))
    else:
        sides = (bc_type, bc_type) if isinstance(bc_type, str) else bc_type
        first, last = (_end(h[::way], m[::way], sides[::way], way) for way in (1, -1))
        parts = map(np.concatenate, zip(first, _inner(h, m), last[2::-1] + last[3:], strict=True))
    *diagonals, right = parts
    at, before_and_after = np.arange(n), (np.arange(-1, n - 1), np.arange(1, n + 1))
    before, after = (k % n if is_periodic else np.clip(k, 0, n - 1) for k in before_and_after)
    entries, rows = np.concatenate(diagonals)[:, 0], np.concatenate([at, at, at])
    s = solve_entries(entries, right, rows, np.concatenate([before, at, after]), known)
    return np.concatenate([s, s[:1]]) if is_periodic else s


def _inner(h: Any, m: Any) -> tuple[Any, Any, Any, Any]:
    """The coefficients of the slopes before, at and after each point between two pieces, and the right side."""
    before, after = h[:-1], h[1:]
    return after, 2.0 * (before + after), before, 3.0 * (after * m[:-1] + before * m[1:])


def _end(h: Any, m: Any, sides: Any, way: int) -> tuple[Any, Any, Any, Any]:
    """The same for the first point: nothing is before it."""
    is_free = [isinstance(side, str) and side in {"not-a-knot", "periodic"} for side in sides]
    one, h0, m0 = np.ones((1, 1)), h[:1], m[:1]
    if not is_free[0]:
        side = sides[0]
        order, value = {"clamped": (1, 0.0), "natural": (2, 0.0)}[side] if isinstance(side, str) else side
        value = np.broadcast_to(np.reshape(value, (1, -1)), m0.shape)
        if order == 1:
            return 0.0 * one, one, 0.0 * one, value
        return 0.0 * one, 2.0 * h0, h0, 3.0 * h0 * m0 - 0.5 * way * h0 * h0 * value
    if len(h) == 1:
        return 0.0 * one, one, 0.0 * one, m0
    if len(h) == 2 and is_free[1]:  # the parabola through three points
        return 0.0 * one, one, one, 2.0 * m0
    h1, both = h[1:2], h0 + h[1:2]
    return 0.0 * one, h1, both, ((h0 + 2.0 * both) * h1 * m0 + h0 * h0 * m[1:2]) / both


_OWNER = "scipy.interpolate._cubic"

fact(f"{_OWNER}.CubicHermiteSpline.__init__", wrapped=_made_of_slopes(_of_hermite))
fact(f"{_OWNER}.CubicSpline.__init__", wrapped=_made_of_slopes(_of_cubic))
fact(f"{_OWNER}.PchipInterpolator.__init__", wrapped=_made_of_slopes(_of_pchip))
fact(f"{_OWNER}.Akima1DInterpolator.__init__", wrapped=_made_of_slopes(_of_akima))
