"""Splines of cubic pieces: SciPy checks the arguments and computes the values, operations the derivatives.

A cubic spline has the slopes with which its second derivative is continuous; those of the others are formulas
of a few neighbours: see `chainrules.operations.piece_slopes`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.known.scipy.interpolate.fits import (
    as_array,
    called,
    columns_of,
    hold_parts,
    part_of,
)
from chainrules.ad.values.facts import fact
from chainrules.numerics.smooth_systems import smooth_system
from chainrules.operations.cubic_pieces import cubic_pieces, pieces, slopes_of, spline_through
from chainrules.operations.entry_systems import solve_entries
from chainrules.operations.piece_slopes import (
    akima_maps,
    akima_slopes,
    monotone_maps,
    monotone_slopes,
    smooth_maps,
    smooth_slopes,
)
from chainrules_core import contains_carrier, primal_of


def _made_of_slopes(slopes: Callable[..., Any]) -> Callable[..., Any]:
    """For constructors, of whose splines `slopes` says how the slopes at the points are computed.

    It is given the widths, the pieces that SciPy found, and arguments, and returns a function of the
    differences and what gives its further arguments; also how `spline_through` has these slopes, if it has:
    unless more than the points and values is traced.
    """

    def given(_result: Any, self: Any, x: Any, y: Any, axis: int, **options: Any) -> None:
        if not part_of(self, "c").size:
            return
        x, y = as_array(x), as_array(y)
        h = (x[1:] - x[:-1])[:, np.newaxis]
        c = np.reshape(part_of(self, "c"), (4, len(h), -1))
        by_differences, further, *maps = slopes(h, c, axis=axis, **options)
        if maps and primal_of(x) is x:
            y = y if axis == 0 else np.moveaxis(y, axis, 0)
            hold_parts(self, c=spline_through(y, h, maps[0], maps[1], pieces, part_of(self, "c")))
            return
        y = columns_of(y, axis)
        s = by_differences((y[1:] - y[:-1]) / h, *further())
        hold_parts(self, c=np.reshape(cubic_pieces(h, y, s, c), part_of(self, "c").shape))
        if primal_of(x) is not x:
            hold_parts(self, x=np.copy(x))  # who gave it may write into it, as SciPy's is a copy

    return lambda init: called(init, given)


def _of_hermite(_h: Any, _c: Any, dydx: Any, axis: int, **_options: Any) -> Any:
    return lambda _m: columns_of(as_array(dydx), axis), tuple


def _of_pchip(h: Any, c: Any, **_options: Any) -> Any:
    if len(h) == 1:
        return _same_at_both, tuple
    return monotone_slopes, lambda: (h, slopes_of(h, c)), monotone_maps, None


def _of_akima(h: Any, c: Any, method: str = "akima", **_options: Any) -> Any:
    if len(h) == 1:
        return _same_at_both, tuple
    damping = 0.5 * (method == "makima")
    return akima_slopes, lambda: (damping, slopes_of(h, c)), akima_maps, damping


def _same_at_both(m: Any) -> Any:
    return np.concatenate([m, m])


def _of_cubic(h: Any, c: Any, bc_type: Any, **_options: Any) -> Any:
    if isinstance(bc_type, str) and bc_type == "periodic" and len(h) > 1:
        return _periodic_slopes, lambda: (h, slopes_of(h, c))
    given = smooth_slopes, lambda: (*smooth_system(h, bc_type), slopes_of(h, c))
    return given if contains_carrier(bc_type) else (*given, smooth_maps, bc_type)


def _periodic_slopes(m: Any, h: Any, s: Any) -> Any:
    """Slopes that solve a system whose three diagonals go round."""
    h, m = (np.concatenate([part[-1:], part]) for part in (h, m))
    right = 3.0 * (h[:-1] * m[1:] + h[1:] * m[:-1])
    entries, at = np.concatenate([h[1:], 2.0 * (h[:-1] + h[1:]), h[:-1]])[:, 0], np.arange(len(right))
    rows, columns = np.concatenate([at, at, at]), np.concatenate([at - 1, at, at + 1]) % len(at)
    s = solve_entries(entries, right, rows, columns, s[:-1])
    return np.concatenate([s, s[:1]])


_OWNER = "scipy.interpolate._cubic"

fact(f"{_OWNER}.CubicHermiteSpline.__init__", wrapped=_made_of_slopes(_of_hermite))
fact(f"{_OWNER}.CubicSpline.__init__", wrapped=_made_of_slopes(_of_cubic))
fact(f"{_OWNER}.PchipInterpolator.__init__", wrapped=_made_of_slopes(_of_pchip))
fact(f"{_OWNER}.Akima1DInterpolator.__init__", wrapped=_made_of_slopes(_of_akima))
