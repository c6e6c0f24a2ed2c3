"""The density of Kolmogorov's statistic, and its derivatives, which SciPy takes by differences.

The mathematics are in `chainrules/numerics/kolmogorov_statistic.py`.
"""

from math import factorial
from typing import Any

import numpy as np

from chainrules.numerics.kolmogorov_statistic import kolmogorov_series
from chainrules.operations.casting import single_or_double
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule


@primitive
@by_blocks
def kolmogorov_density(order: int, x: Any, n: Any) -> Any:
    """The derivative of an order of the density at `x`, of `n` observations; NaN if `n` is not whole."""
    at, numbers = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(n, dtype=float))
    pairs = zip(at.ravel().tolist(), numbers.ravel().tolist(), strict=True)
    y = np.array([_derivative(order, *pair) for pair in pairs]).reshape(at.shape)
    return single_or_double(y, x)


@scalar_rule(kolmogorov_density)
def _(y: Any, order: int, x: Operand, n: Operand) -> tuple[Any, Any, Any]:
    return NO_TANGENT, kolmogorov_density(order + 1, x, n), NO_TANGENT


def _derivative(order: int, x: float, n: float) -> float:
    if not (n >= 1.0 and n.is_integer() and x == x):  # noqa: PLR0124 - the last is whether it is NaN
        return np.nan
    if not 0.5 <= n * x <= n:
        return 0.0
    return float(kolmogorov_series(int(n), x, order + 1)[order + 1]) * factorial(order + 1) + 0.0
