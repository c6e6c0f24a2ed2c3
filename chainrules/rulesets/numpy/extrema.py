"""Rules for extrema of pairs.

The cotangent goes to the larger, or smaller, of the two; equal ones share it equally. `maximum` and `minimum`
of a NaN are NaN, and the NaN gets the cotangent; in `fmax` and `fmin` the number wins and gets it.
"""

from typing import Any

import numpy as np

from chainrules.elementwise import binary_rule
from chainrules_core import primal_of


def _extremum_rule(extremum: np.ufunc, is_beyond: np.ufunc, *, nan_wins: bool) -> None:
    def share(z: Any, x: Any, y: Any) -> Any:
        x, y = primal_of(x), primal_of(y)
        x_wins = is_beyond(x, y) | np.isnan(x if nan_wins else y)
        y_wins = is_beyond(y, x) | np.isnan(y if nan_wins else x)
        return 0.5 + 0.5 * np.subtract(x_wins, y_wins, dtype=z.dtype)

    binary_rule(extremum, share, lambda z, x, y: share(z, y, x))


_extremum_rule(np.maximum, np.greater, nan_wins=True)
_extremum_rule(np.minimum, np.less, nan_wins=True)
_extremum_rule(np.fmax, np.greater, nan_wins=False)
_extremum_rule(np.fmin, np.less, nan_wins=False)
