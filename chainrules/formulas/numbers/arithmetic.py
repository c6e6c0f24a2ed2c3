"""The partial derivatives of the arithmetic operations, as functions of the result and both operands.

Where a whole quotient jumps, they are the derivatives on the side on which the result lies.
"""

from typing import Any

from chainrules.formulas.numbers.binary_functions import Partial
from chainrules_core import primal_of


def one(z: Any, x: Any, y: Any) -> Any:
    """The derivative of ``x + y``, and of ``x % y`` between jumps, by `x`."""
    return 1


def minus_whole_quotient(z: Any, x: Any, y: Any) -> Any:
    """The derivative of ``x % y = x - (x // y) y`` by `y`."""
    return -(primal_of(x) // primal_of(y))


# By x, and by y.
PRODUCT: tuple[Partial, Partial] = lambda z, x, y: y, lambda z, x, y: x

# Not -x / y**2, whose denominator overflows and underflows long before the result does.
QUOTIENT: tuple[Partial, Partial] = lambda z, x, y: 1 / y, lambda z, x, y: -z / y

REMAINDER: tuple[Partial, Partial] = one, minus_whole_quotient
