"""Rules for the arithmetic-geometric mean.

``agm(a, b) = π / (2 RF(0, a², b²))`` (https://dlmf.nist.gov/19.22.E8), and ``∂RF/∂z = -RD(x, y, z) / 6``.
With ``M = agm(a, b)``, the derivative by a is ``2/(3π) α RD(0, β², α²)`` for ``α = a/M`` and ``β = b/M``:
nothing overflows, and no difference cancels where a and b are equal, where both derivatives are 1/2. Where
the one is 0, so is the mean: by the other its derivative is 0, and by that one infinite.
"""

from math import pi
from typing import Any

import numpy as np
from scipy.special import agm, elliprd

from chainrules.values.quotients import nonzero
from chainrules_core import may_hold, primal_of, scalar_rule, without_warnings


@scalar_rule(agm)
@without_warnings
def _(M: Any, a: Any, b: Any) -> tuple[Any, Any]:
    alpha, beta = a / nonzero(M), b / nonzero(M)
    is_zero = primal_of(M) == 0
    return _by_first(alpha, beta, is_zero), _by_first(beta, alpha, is_zero)


def _by_first(alpha: Any, beta: Any, is_zero: Any) -> Any:
    slope = 2.0 / (3.0 * pi) * alpha * elliprd(0.0, beta * beta, alpha * alpha)
    if not may_hold(is_zero):
        return slope
    return np.where(is_zero, np.where(primal_of(alpha) == 0, np.inf, 0.0), slope)
