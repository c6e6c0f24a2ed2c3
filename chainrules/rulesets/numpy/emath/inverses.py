"""Rules for inverse functions whose results are complex outside of the interval from -1 to 1.

They are written by the result, as for complex arguments in `chainrules.rulesets.numpy.trigonometric`.
"""

import numpy as np

from chainrules.formulas.numbers.precision import like_result
from chainrules.values.operands import Operand
from chainrules.values.quotients import inverse
from chainrules_core import is_complex, scalar_rule


@scalar_rule(np.emath.arcsin)
def _(y, x: Operand):
    return inverse(np.cos(y) if is_complex(y) else np.sqrt((1 - x) * (1 + x)))


@scalar_rule(np.emath.arccos)
def _(y, x: Operand):
    return -inverse(np.sin(y) if is_complex(y) else np.sqrt((1 - x) * (1 + x)))


@scalar_rule(np.emath.arctanh)
def _(y, x: Operand):
    x = like_result(x, y)
    return inverse((1 - x) * (1 + x))
