"""Rules for extrema of pairs.

The cotangent goes to the larger, or smaller, of the two; equal ones share it equally. `maximum` and `minimum`
of a NaN are NaN, and the NaN gets the cotangent; in `fmax` and `fmin` the number wins and gets it.
"""

from typing import Any

import numpy as np

from chainrules.elementwise import named_for, portion
from chainrules.operands import Operand
from chainrules_core import NoTangent, frule, primal_of, rrule, thunk, typeof_, unthunk
from chainrules_core.scalar_products import fitted, total


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
        return z, total(z, terms)

    def extremum_rrule(f: typeof_(extremum), x: Operand, y: Operand) -> tuple[Any, Any]:
        z = extremum(x, y)

        def extremum_pullback(z_bar: Any) -> tuple[Any, Any, Any]:
            z_bar = unthunk(z_bar)
            x_bar = thunk(lambda: fitted(x, portion(z_bar, share(z, x, y))))
            y_bar = thunk(lambda: fitted(y, portion(z_bar, share(z, y, x))))
            return NoTangent(), x_bar, y_bar

        return z, extremum_pullback

    frule.dispatch(named_for(extremum, extremum_frule))
    rrule.dispatch(named_for(extremum, extremum_rrule))


_extremum_rule(np.maximum, np.greater, nan_wins=True)
_extremum_rule(np.minimum, np.less, nan_wins=True)
_extremum_rule(np.fmax, np.greater, nan_wins=False)
_extremum_rule(np.fmin, np.less, nan_wins=False)
