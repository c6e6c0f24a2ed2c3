"""Rules for exponents and logarithms."""

import numpy as np

from chainrules_core import scalar_rule

scalar_rule(np.exp, lambda y, _: y)
scalar_rule(np.log, lambda _, x: 1 / x)
scalar_rule(np.log1p, lambda _, x: 1 / (1 + x))
