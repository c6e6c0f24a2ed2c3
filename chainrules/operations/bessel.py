"""Modified Bessel functions of the first kind, as a function that has rules.

``2 Iₙ' = Iₙ₋₁ + Iₙ₊₁``: https://dlmf.nist.gov/10.29.
"""

from typing import Any

from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, is_complex, primitive, scalar_rule


@primitive
@by_blocks
def modified_bessel(order: int, x: Any) -> Any:
    """``I_order(x)`` of a number or an array."""
    from scipy import special  # noqa: PLC0415 - a program that takes no such derivative needs no SciPy

    if abs(order) > 1 or is_complex(x):
        return special.iv(order, x)
    return (special.i0, special.i1)[abs(order)](x)  # of denormal numbers too


@scalar_rule(modified_bessel)
def _(y: Any, order: int, x: Operand) -> Any:
    return NO_TANGENT, 0.5 * (modified_bessel(order - 1, x) + modified_bessel(order + 1, x))
