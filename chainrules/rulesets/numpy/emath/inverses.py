"""Rules for inverse functions whose results are complex outside of the interval from -1 to 1.

They are written by the result, as for complex arguments in `chainrules.rulesets.numpy.trigonometric`.
"""

from typing import Any

import numpy as np

from chainrules.makers.elementwise import inverse, is_complex, like_result
from chainrules.values.operands import Operand
from chainrules_core import scalar_rule


@scalar_rule(np.emath.arcsin)
def _(y: Any, x: Operand) -> Any:
    return inverse(np.cos(y) if is_complex(y) else np.sqrt((1 - x) * (1 + x)))


@scalar_rule(np.emath.arccos)
def _(y: Any, x: Operand) -> Any:
    return -inverse(np.sin(y) if is_complex(y) else np.sqrt((1 - x) * (1 + x)))


@scalar_rule(np.emath.arctanh)
def _(y: Any, x: Operand) -> Any:
    x = like_result(x, y)
    return inverse((1 - x) * (1 + x))
