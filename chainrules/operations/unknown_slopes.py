"""Zeros with derivatives: added to a result, they give it a derivative that its formula does not have.

`unknown_slope` has the derivative NaN, where a derivative is not known; `given_slope` has one that is given.
"""

from typing import Any

import numpy as np

from chainrules.values.operands import Operand
from chainrules_core import ZERO_TANGENT, primitive, scalar_rule


@primitive
def unknown_slope(x: Any) -> Any:
    """Zeros like the number or array `x`, with the derivative NaN."""
    return np.zeros_like(x, dtype=float)[()]


@scalar_rule(unknown_slope)
def _(y: Any, x: Operand) -> Any:
    return np.full_like(y, np.nan)[()]


@primitive
def given_slope(x: Any, slope: Any) -> Any:
    """Zeros like the number or array `x`, with a derivative that is given, and has derivatives of its own."""
    return np.zeros_like(x, dtype=float)[()]


@scalar_rule(given_slope)
def _(y: Any, x: Operand, slope: Operand) -> tuple[Any, Any]:
    return slope, ZERO_TANGENT
