"""Rules for the unitary matrix that maps one matrix nearest to another, and its scale.

With ``M = Aᴴ B = U diag(s) Vᴴ``: ``R = U Vᴴ`` and ``scale = Σ s``. For ``P = Uᴴ M_dot V``, and division of
elements by ``s[i] + s[j]``,

    R_dot = U ((P - Pᴴ) / (s[i] + s[j])) Vᴴ,   scale_dot = Re tr(Rᴴ M_dot)

and in reverse the same for ``R_bar`` in the place of ``M_dot``. N. J. Higham, "Functions of Matrices", 2008,
section 8.2, for the unitary polar factor, which ``R`` is. If ``M`` is singular, ``R`` is an arbitrary choice,
and its derivative is NaN.
"""

from typing import Any

import numpy as np
from scipy.linalg import orthogonal_procrustes

from chainrules.formulas.spectra.spectral_gaps import quotient, sums
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, with_matrix_axes
from chainrules_core import NO_TANGENT, AbstractZero, frule, primitive, rrule, typeof_, unbroadcast

_procrustes = primitive(orthogonal_procrustes)


@frule.dispatch
def orthogonal_procrustes_frule(
    tangents: Any,
    f: typeof_(orthogonal_procrustes),
    A: ArrayOperand,
    B: ArrayOperand,
    *options: Any,
    **named: Any,
):
    _, A_dot, B_dot = tangents[:3]
    y = R, _ = _procrustes(A, B, *options, **named)
    M_dot = adjoint(A) @ B_dot
    if not isinstance(A_dot, AbstractZero):
        M_dot = adjoint(A_dot) @ B + M_dot
    if isinstance(M_dot, AbstractZero):
        return y, M_dot
    scale_dot = np.real(np.sum(np.conjugate(R) * M_dot, axis=(-2, -1)))
    return y, tangent_of_results(y, _turned(A, B, M_dot), scale_dot)


@rrule.dispatch
def orthogonal_procrustes_rrule(
    f: typeof_(orthogonal_procrustes), A: ArrayOperand, B: ArrayOperand, *options: Any, **named: Any
):
    y = R, _ = _procrustes(A, B, *options, **named)
    without_tangents = (NO_TANGENT,) * len(options)

    def orthogonal_procrustes_pullback(y_bar):
        R_bar, scale_bar = cotangents_of_results(y, y_bar)
        M_bar = R_bar if isinstance(R_bar, AbstractZero) else _turned(A, B, R_bar)
        if not isinstance(scale_bar, AbstractZero):
            M_bar = M_bar + with_matrix_axes(scale_bar) * R
        if isinstance(M_bar, AbstractZero):
            return NO_TANGENT, M_bar, M_bar, *without_tangents
        return NO_TANGENT, unbroadcast(A, B @ adjoint(M_bar)), unbroadcast(B, A @ M_bar), *without_tangents

    return y, orthogonal_procrustes_pullback


def _turned(A, B, X):
    """``U ((P - Pᴴ) / (s[i] + s[j])) Vᴴ`` for ``P = Uᴴ X V``."""
    U, s, V_adjoint = np.linalg.svd(adjoint(A) @ B)
    P = adjoint(U) @ X @ adjoint(V_adjoint)
    return U @ quotient(P - adjoint(P), sums(s), s, np.nan) @ V_adjoint
