"""Rules for the Cholesky decomposition.

Write ``A = L Lᴴ``, and let ``Φ(X)`` be the lower triangle of ``X`` with its diagonal halved. Then

    L_dot = L Φ(L⁻¹ A_dot L⁻ᴴ)
    A_bar = L⁻ᴴ Φ(Lᴴ L_bar) L⁻¹

where ``A`` is the Hermitian matrix that is read from one triangle of the argument, and the cotangent is
brought back to that triangle. I. Murray, "Differentiation of the Cholesky decomposition", arXiv:1602.07527.
"""

import numpy as np

from chainrules.formulas.hermitian import half, hermitian_from, onto_triangle
from chainrules.operations.triangular_systems import solve_lower
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


@frule.dispatch
def cholesky_frule(tangents, f: typeof_(np.linalg.cholesky), A: ArrayOperand, **named: bool):
    A_dot = unthunk(tangents[1])
    y = np.linalg.cholesky(A, **named)
    if isinstance(A_dot, AbstractZero):
        return y, A_dot
    is_upper = any(named.values())
    L = adjoint(y) if is_upper else y
    right = adjoint(solve_lower(L, hermitian_from(A_dot, not is_upper)))
    L_dot = L @ half(solve_lower(L, right))
    return y, adjoint(L_dot) if is_upper else L_dot


@rrule.dispatch
def cholesky_rrule(f: typeof_(np.linalg.cholesky), A: ArrayOperand, **named: bool):
    y = np.linalg.cholesky(A, **named)
    is_upper = any(named.values())
    project = ProjectTo(A)

    def cholesky_pullback(y_bar):
        y_bar = unthunk(y_bar)
        L, L_bar = (adjoint(y), adjoint(y_bar)) if is_upper else (y, y_bar)
        right = adjoint(solve_lower(L, half(adjoint(L) @ L_bar), True))
        return NoTangent(), project(onto_triangle(solve_lower(L, right, True), not is_upper))

    return y, cholesky_pullback
