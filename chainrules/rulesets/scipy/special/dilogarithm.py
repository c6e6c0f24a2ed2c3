"""Rules for Spence's function, ``Li₂(1 - z)``.

Its derivative, ``log(z) / (1 - z)``, is -1 at 1. Near there it is its power series,
``-Σ (1 - z)^k / (k + 1)``: https://dlmf.nist.gov/25.12, https://dlmf.nist.gov/4.6.E2.
"""

from typing import Any

import numpy as np
from scipy.special import spence

from chainrules_core import may_hold, primal_of, scalar_rule, without_warnings

# Up to here the series, with this many terms, has the precision of a double.
_NEAR = 0.1
_TERMS = 18


@scalar_rule(spence)
@without_warnings
def _(y: Any, z: Any) -> Any:
    rest = 1.0 - z
    is_near = np.abs(primal_of(rest)) < _NEAR
    if not may_hold(is_near):
        return np.log(z) / rest
    return np.where(is_near, _series(rest), np.log(z) / rest)


def _series(rest: Any) -> Any:
    total: Any = 0.0
    for k in range(_TERMS - 1, -1, -1):
        total = total * rest - 1.0 / (k + 1)
    return total
