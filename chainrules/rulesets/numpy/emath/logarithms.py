"""Rules for logarithms whose results, and so their slopes, are complex for negative numbers."""

from math import log

import numpy as np

from chainrules.formulas.numbers.precision import like_result
from chainrules.makers.elementwise import binary_rule
from chainrules.values.operands import Operand
from chainrules.values.quotients import inverse
from chainrules_core import scalar_rule


@scalar_rule(np.emath.log)
def _(y, x: Operand):
    return inverse(like_result(x, y))


@scalar_rule(np.emath.log2)
def _(y, x: Operand):
    return inverse(like_result(x, y)) / log(2)


@scalar_rule(np.emath.log10)
def _(y, x: Operand):
    return inverse(like_result(x, y)) / log(10)


# The logarithm of x to the base n is log x / log n.
binary_rule(
    np.emath.logn,
    lambda y, n, x: -y / (n * np.emath.log(n)),
    lambda y, n, x: 1 / (x * np.emath.log(n)),
)
