"""Rules for hyperbolic functions.

The derivatives of inverse functions are written by the result, which lies on the side of the branch cut that
the primal chose, and does not overflow: ``arcsinh'(x) = 1 / cosh(arcsinh x)``. So the derivative of `arccosh`
at complex numbers is ``1 / (sqrt(z - 1) sqrt(z + 1))``, which may have another sign than
``1 / sqrt(z² - 1)``. Complex numbers near the branch points, where the derivatives are NaN, are given all
their digits by the product of roots, and the sign by the result.
"""

import numpy as np

from chainrules.formulas.numbers.branches import roots_on_side
from chainrules.values.quotients import inverse
from chainrules_core import is_complex, scalar_rule

scalar_rule(np.sinh, lambda _, x: np.cosh(x))
scalar_rule(np.cosh, lambda _, x: np.sinh(x))
scalar_rule(np.tanh, lambda y, _: 1.0 - y * y)
scalar_rule(np.arcsinh, lambda y, x: inverse(_cosh_of_arcsinh(y, x)))
scalar_rule(np.arccosh, lambda y, x: inverse(_sinh_of_arccosh(y, x)))
scalar_rule(np.arctanh, lambda _, x: inverse((1.0 - x) * (1.0 + x)))


def _cosh_of_arcsinh(y, x):
    return roots_on_side(1 - 1j * x, 1 + 1j * x, np.cosh(y)) if is_complex(y) else np.cosh(y)


def _sinh_of_arccosh(y, x):
    return roots_on_side(x - 1, x + 1, np.sinh(y)) if is_complex(y) else np.sinh(y)
