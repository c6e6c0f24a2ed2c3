"""Rules for roots, whose slopes at 0 are infinite."""

import numpy as np

from chainrules.values.quotients import inverse
from chainrules_core import scalar_rule

scalar_rule(np.sqrt, lambda y, _: 0.5 * inverse(y))
scalar_rule(np.cbrt, lambda y, _: inverse(3 * y * y))
