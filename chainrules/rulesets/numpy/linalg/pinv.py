"""Rules for the pseudo-inverse.

For ``Y = A⁺``, along directions in which the rank of ``A`` is constant,

    Y_dot = -Y A_dot Y + Y Yᴴ A_dotᴴ (1 - A Y) + (1 - Y A) A_dotᴴ Yᴴ Y
    A_bar = -Yᴴ Y_bar Yᴴ + (1 - A Y) Y_barᴴ Y Yᴴ + Yᴴ Y Y_barᴴ (1 - Y A)

G. H. Golub, V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate", SIAM Journal on Numerical Analysis 10, 1973. The primal finds the rank by `rcond` or
`rtol`; as a function of these the pseudo-inverse is constant between jumps. With ``hermitian=True`` one
triangle of the matrix is read, and the cotangent is brought back to it.
"""

import numpy as np

from chainrules.formulas.hermitian import hermitian_from, onto_triangle
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import AbstractZero, NoTangent, ProjectTo, ZeroTangent, frule, rrule, typeof_, unthunk


@frule.dispatch
def pinv_frule(tangents, f: typeof_(np.linalg.pinv), A: ArrayOperand, *options, **named):
    A_dot = unthunk(tangents[1])
    Y = np.linalg.pinv(A, *options, **named)
    if isinstance(A_dot, AbstractZero):
        return Y, A_dot
    if _is_hermitian(*options, **named):
        A, A_dot = hermitian_from(A), hermitian_from(A_dot)
    Y_adjoint, A_dot_adjoint = adjoint(Y), adjoint(A_dot)
    by_columns, by_rows = Y @ (Y_adjoint @ A_dot_adjoint), (A_dot_adjoint @ Y_adjoint) @ Y
    return Y, by_columns - by_columns @ A @ Y + by_rows - Y @ (A @ by_rows) - Y @ A_dot @ Y


@rrule.dispatch
def pinv_rrule(f: typeof_(np.linalg.pinv), A: ArrayOperand, *options, **named):
    Y = np.linalg.pinv(A, *options, **named)
    project = ProjectTo(A)
    is_hermitian = _is_hermitian(*options, **named)
    matrix = hermitian_from(A) if is_hermitian else A

    def pinv_pullback(Y_bar):
        Y_bar = unthunk(Y_bar)
        Y_adjoint, Y_bar_adjoint = adjoint(Y), adjoint(Y_bar)
        by_rows, by_columns = (Y_bar_adjoint @ Y) @ Y_adjoint, Y_adjoint @ (Y @ Y_bar_adjoint)
        A_bar = by_rows - matrix @ (Y @ by_rows) + by_columns - by_columns @ Y @ matrix
        A_bar = A_bar - Y_adjoint @ Y_bar @ Y_adjoint
        A_bar = project(onto_triangle(A_bar) if is_hermitian else A_bar)
        return NoTangent(), A_bar, *map(_constant_in, options)

    return Y, pinv_pullback


def _is_hermitian(rcond=None, hermitian: bool = False, *, rtol=None) -> bool:
    return hermitian


def _constant_in(option):
    """The cotangent of an option: zero for the bound for the rank; the other option is no number."""
    return NoTangent() if option is None or isinstance(option, bool) else ZeroTangent()
