"""Rules for Laguerre polynomials.

The weight is exp(-x).
"""

import numpy as np

from chainrules.makers.series import define_rules
from chainrules.values.operands import Operand
from chainrules_core import non_differentiable, scalar_rule

define_rules(np.polynomial.laguerre, "lag")
non_differentiable(np.polynomial.laguerre.laggauss)


@scalar_rule(np.polynomial.laguerre.lagweight)
def _(w, x: Operand):
    return -w
