"""Rules for Chebyshev polynomials of the first kind.

The weight is 1 / √(1 - x²).
"""

import numpy as np

from chainrules.makers.series import define_rules
from chainrules.values.operands import Operand
from chainrules_core import non_differentiable, scalar_rule

define_rules(np.polynomial.chebyshev, "cheb")
non_differentiable(
    np.polynomial.chebyshev.chebgauss, np.polynomial.chebyshev.chebpts1, np.polynomial.chebyshev.chebpts2
)


@scalar_rule(np.polynomial.chebyshev.chebweight)
def _(w, x: Operand):
    return w * x / ((1 - x) * (1 + x))
