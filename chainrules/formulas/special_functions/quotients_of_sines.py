"""``sin x / x`` and ``sinh x / x`` with derivatives of all orders at and near 0.

Near 0 they are their power series, ``Σ (∓1)^k x^2k / (2 k + 1)!``: derivatives of the quotients cancel there.
"""

from math import factorial
from typing import Any

import numpy as np

from chainrules.formulas.numbers.series_near_zero import series_where
from chainrules_core import may_hold, primal_of

# Up to here the series, with this many terms, has the precision of a double.
_NEAR = 0.25
_TERMS = 7


def sine_quotient(x: Any) -> Any:
    """``sin x / x`` of a number or an array, real or complex."""
    return _quotient(np.sin(x), x, -1)


def hyperbolic_sine_quotient(x: Any) -> Any:
    """``sinh x / x`` of a number or an array, real or complex."""
    return _quotient(np.sinh(x), x, 1)


def _quotient(sine: Any, x: Any, sign: int) -> Any:
    is_near = np.abs(primal_of(x)) < _NEAR
    if not may_hold(is_near):
        return sine / x
    return series_where(is_near, lambda x: _series(x * x, sign), x, sine / x)


def _series(square: Any, sign: int) -> Any:
    total: Any = 0.0
    for k in reversed(range(_TERMS)):
        total = total * square + sign**k / factorial(2 * k + 1)
    return total
