"""Rules for integer powers of matrices: see `chainrules.formulas.functions_of_matrices.matrix_powers`.

The adjoint of the derivative is the derivative at ``Aᴴ``.
"""

from typing import Any

import numpy as np

from chainrules.formulas.functions_of_matrices.matrix_powers import derivative_of_power
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def matrix_power_frule(tangents, f: typeof_(np.linalg.matrix_power), A: ArrayOperand, n: Any):
    A_dot = tangents[1]
    Y = np.linalg.matrix_power(A, n)
    return Y, derivative_of_power(A, n, A_dot)


@rrule.dispatch
def matrix_power_rrule(f: typeof_(np.linalg.matrix_power), A: ArrayOperand, n: Any):
    project = ProjectTo(A)

    def matrix_power_pullback(Y_bar):
        return NO_TANGENT, project(derivative_of_power(adjoint(A), n, Y_bar)), NO_TANGENT

    return np.linalg.matrix_power(A, n), matrix_power_pullback
