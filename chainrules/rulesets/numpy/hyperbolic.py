"""Rules for hyperbolic functions.

The derivatives of inverse functions are written by the result, which lies on the side of the branch cut that
the primal chose, and does not overflow: ``arcsinh'(x) = 1 / cosh(arcsinh x)``. So the derivative of `arccosh`
at complex numbers is ``1 / (sqrt(z - 1) sqrt(z + 1))``, which may have another sign than
``1 / sqrt(z² - 1)``.
"""

import numpy as np

from chainrules.values.quotients import inverse
from chainrules_core import scalar_rule

scalar_rule(np.sinh, lambda _, x: np.cosh(x))
scalar_rule(np.cosh, lambda _, x: np.sinh(x))
scalar_rule(np.tanh, lambda y, _: 1.0 - y * y)
scalar_rule(np.arcsinh, lambda y, _: inverse(np.cosh(y)))
scalar_rule(np.arccosh, lambda y, _: inverse(np.sinh(y)))
scalar_rule(np.arctanh, lambda _, x: inverse((1.0 - x) * (1.0 + x)))
