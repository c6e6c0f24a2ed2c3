"""Rules for extrema of pairs.

The cotangent goes to the larger, or smaller, of the two; equal ones share it equally. `maximum` and `minimum`
of a NaN are NaN, and the NaN gets the cotangent; in `fmax` and `fmin` the number wins and gets it.
"""

from typing import Any

import numpy as np

from chainrules.makers.elementwise import named_for, portion
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    REAL_CLASSES,
    Thunk,
    frule,
    primal_of,
    rrule,
    sum_tangents,
    typeof_,
    unbroadcast,
    unthunk,
)

_FEW = 1000


def _extremum_rule(extremum: np.ufunc, is_beyond: np.ufunc, *, nan_wins: bool) -> None:
    def share(z: Any, x: Any, y: Any) -> Any:
        """What the first operand gets: 1, 0, or one half."""
        x, y = primal_of(x), primal_of(y)
        x_wins = is_beyond(x, y) | np.isnan(x if nan_wins else y)
        y_wins = is_beyond(y, x) | np.isnan(y if nan_wins else x)
        return 0.5 + 0.5 * np.subtract(x_wins, y_wins, dtype=z.dtype)

    def extremum_frule(tangents: Any, f: typeof_(extremum), x: Operand, y: Operand) -> tuple[Any, Any]:
        _, x_dot, y_dot = map(unthunk, tangents)
        z = extremum(x, y)
        terms = [portion(x_dot, share(z, x, y)), portion(y_dot, share(z, y, x))]
        return z, sum_tangents(z, terms)

    def extremum_rrule(f: typeof_(extremum), x: Operand, y: Operand) -> tuple[Any, Any]:
        z = extremum(x, y)

        def extremum_pullback(z_bar: Any) -> Any:
            z_bar = unthunk(z_bar)
            # Of few elements a cotangent costs less than a thunk, and both share what is compared.
            if z.__class__ is np.ndarray and z.size <= _FEW and _are_plain(z_bar, z, x, y):
                wins = one_wins(x, y)
                if wins is not None:
                    fits = y.__class__ is np.ndarray and y.dtype is z.dtype and y.shape == z.shape
                    y_bar = np.where(wins[1], z_bar, 0.0) if fits else Thunk(pulled, z_bar, z, y, x)
                    return NO_TANGENT, np.where(wins[0], z_bar, 0.0), y_bar
            return NO_TANGENT, Thunk(pulled, z_bar, z, x, y), Thunk(pulled, z_bar, z, y, x)

        return z, extremum_pullback

    def pulled(z_bar: Any, z: Any, x: Any, y: Any) -> Any:
        """The cotangent of the first operand."""
        wins = one_wins(x, y) if _are_plain(z_bar, z, x, y) else None
        return (
            unbroadcast(x, portion(z_bar, share(z, x, y))) if wins is None else np.where(wins[0], z_bar, 0.0)
        )

    def one_wins(x: Any, y: Any) -> tuple[Any, Any] | None:
        """Where either wins; `None` if somewhere none does. Mostly one does, and nothing is shared."""
        x_wins, y_wins = is_beyond(x, y), is_beyond(y, x)
        is_decided = np.count_nonzero(x_wins) + np.count_nonzero(y_wins) == x_wins.size
        return (x_wins, y_wins) if is_decided else None

    frule.dispatch(named_for(extremum, extremum_frule))
    rrule.dispatch(named_for(extremum, extremum_rrule))


def _are_plain(z_bar: Any, z: Any, x: Any, y: Any) -> bool:
    """Whether plain real arrays, the second operand perhaps a number, gave one of the first one's kind."""
    if not (x.__class__ is z.__class__ is z_bar.__class__ is np.ndarray and x.shape == z.shape):
        return False
    if not (y.__class__ is np.ndarray or y.__class__ in REAL_CLASSES):
        return False
    return x.dtype is z.dtype is z_bar.dtype and z.dtype.kind == "f" and z_bar.shape == z.shape


_extremum_rule(np.maximum, np.greater, nan_wins=True)
_extremum_rule(np.minimum, np.less, nan_wins=True)
_extremum_rule(np.fmax, np.greater, nan_wins=False)
_extremum_rule(np.fmin, np.less, nan_wins=False)
