"""Rules for the pseudo-inverse; see `chainrules.formulas.equations.pseudo_inverses`.

With ``hermitian=True`` one triangle of the matrix is read, and the cotangent is brought back to it.
"""

import numpy as np

from chainrules.formulas.equations.pseudo_inverses import constant_in, pull_pinv, push_pinv
from chainrules.formulas.matrices.hermitian import hermitian_from, onto_triangle
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def pinv_frule(tangents, f: typeof_(np.linalg.pinv), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    Y = np.linalg.pinv(A, *options, **named)
    if isinstance(A_dot, AbstractZero):
        return Y, A_dot
    if _is_hermitian(*options, **named):
        A, A_dot = hermitian_from(A), hermitian_from(A_dot)
    return Y, push_pinv(Y, A, A_dot)


@rrule.dispatch
def pinv_rrule(f: typeof_(np.linalg.pinv), A: ArrayOperand, *options, **named):
    Y = np.linalg.pinv(A, *options, **named)
    project = ProjectTo(A)
    is_hermitian = _is_hermitian(*options, **named)
    matrix = hermitian_from(A) if is_hermitian else A

    def pinv_pullback(Y_bar):
        A_bar = pull_pinv(Y, matrix, Y_bar)
        A_bar = project(onto_triangle(A_bar) if is_hermitian else A_bar)
        return NO_TANGENT, A_bar, *map(constant_in, options)

    return Y, pinv_pullback


def _is_hermitian(rcond=None, hermitian: bool = False, *, rtol=None) -> bool:
    return hermitian
