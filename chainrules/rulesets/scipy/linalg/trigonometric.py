"""Rules for trigonometric and hyperbolic functions of matrices, which SciPy makes of the exponential.

See `chainrules.formulas.functions_of_matrices.matrix_functions`.
"""

import functools

from scipy.linalg import coshm, cosm, sinhm, sinm, tanhm, tanm

from chainrules.formulas.functions_of_matrices.matrix_functions import derivative_by_blocks
from chainrules.makers.matrix_functions import matrix_function_rule
from chainrules_core import primitive


def _derivative(f, A, _, E):
    return derivative_by_blocks(f, A, E)


for _f in (cosm, sinm, tanm, coshm, sinhm, tanhm):
    matrix_function_rule(_f, functools.partial(_derivative, primitive(_f)))
