"""Rules for logarithms whose results are complex for negative numbers, and so are their slopes."""

from math import log
from typing import Any

import numpy as np

from chainrules.makers.elementwise import binary_rule, inverse, like_result
from chainrules.values.operands import Operand
from chainrules_core import scalar_rule


@scalar_rule(np.emath.log)
def _(y: Any, x: Operand) -> Any:
    return inverse(like_result(x, y))


@scalar_rule(np.emath.log2)
def _(y: Any, x: Operand) -> Any:
    return inverse(like_result(x, y)) / log(2)


@scalar_rule(np.emath.log10)
def _(y: Any, x: Operand) -> Any:
    return inverse(like_result(x, y)) / log(10)


# The logarithm of x to the base n is log x / log n.
binary_rule(
    np.emath.logn,
    lambda y, n, x: -y / (n * np.emath.log(n)),
    lambda y, n, x: 1 / (x * np.emath.log(n)),
)
