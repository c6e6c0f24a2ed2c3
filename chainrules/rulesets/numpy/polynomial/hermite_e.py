"""Rules for the Hermite polynomials of probabilists.

The weight is exp(-x²/2).
"""

import numpy as np

from chainrules.makers.series import define_rules
from chainrules.values.operands import Operand
from chainrules_core import non_differentiable, scalar_rule

define_rules(np.polynomial.hermite_e, "herme")
non_differentiable(np.polynomial.hermite_e.hermegauss)


@scalar_rule(np.polynomial.hermite_e.hermeweight)
def _(w, x: Operand):
    return -x * w
