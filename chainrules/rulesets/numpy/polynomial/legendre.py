"""Rules for Legendre polynomials.

The weight is 1.
"""

import numpy as np

from chainrules.makers.series import define_rules
from chainrules.values.operands import Operand
from chainrules_core import non_differentiable, scalar_rule

define_rules(np.polynomial.legendre, "leg")
non_differentiable(np.polynomial.legendre.leggauss)


@scalar_rule(np.polynomial.legendre.legweight)
def _(w, x: Operand):
    return 0 * x
