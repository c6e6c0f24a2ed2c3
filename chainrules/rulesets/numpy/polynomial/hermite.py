"""Rules for the Hermite polynomials of physicists.

The weight is exp(-x²).
"""

import numpy as np

from chainrules.makers.series import define_rules
from chainrules.values.operands import Operand
from chainrules_core import non_differentiable, scalar_rule

define_rules(np.polynomial.hermite, "herm")
non_differentiable(np.polynomial.hermite.hermgauss)


@scalar_rule(np.polynomial.hermite.hermweight)
def _(w, x: Operand):
    return -2 * x * w
