"""Rules for integer powers of matrices.

The derivative of ``Aⁿ`` in the direction ``E`` is the sum of ``Aⁱ E Aⁿ⁻¹⁻ⁱ``. It is computed beside the
power, by repeated squaring; for negative ``n``, for the inverse. Its adjoint is the derivative at ``Aᴴ``. N.
J. Higham, "Functions of Matrices", 2008, section 3.2.
"""

import numpy as np

from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, primal_of, rrule, typeof_, unthunk


@frule.dispatch
def matrix_power_frule(tangents, f: typeof_(np.linalg.matrix_power), A: ArrayOperand, n: int):
    A_dot = unthunk(tangents[1])
    Y = np.linalg.matrix_power(A, n)
    return Y, A_dot if isinstance(A_dot, AbstractZero) else _directional_derivative(A, n, A_dot)


@rrule.dispatch
def matrix_power_rrule(f: typeof_(np.linalg.matrix_power), A: ArrayOperand, n: int):
    project = ProjectTo(A)

    def matrix_power_pullback(Y_bar):
        return NoTangent(), project(_directional_derivative(adjoint(A), n, unthunk(Y_bar))), NoTangent()

    return np.linalg.matrix_power(A, n), matrix_power_pullback


def _directional_derivative(A, n: int, E):
    """The derivative of ``Aⁿ`` in the direction `E`."""
    if n == 0:
        return np.zeros_like(primal_of(E))
    if n < 0:
        A = np.linalg.inv(A)
        n, E = -n, -(A @ E @ A)
    return _power_and_derivative(A, n, E)[1]


def _power_and_derivative(A, n: int, E):
    if n == 1:
        return A, E
    root, root_dot = _power_and_derivative(A, n // 2, E)
    Y, Y_dot = root @ root, root_dot @ root + root @ root_dot
    return (Y @ A, Y_dot @ A + Y @ E) if n % 2 else (Y, Y_dot)
