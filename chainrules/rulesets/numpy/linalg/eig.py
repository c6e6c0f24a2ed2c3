"""Rules for the eigenvalues and eigenvectors of general matrices.

For ``A V = V diag(w)`` the tangents are functions of ``K = V⁻¹ A_dot V``; in reverse, ``A_bar = V⁻ᴴ K_bar
Vᴴ``. See `chainrules.formulas.spectra.general_eigenvectors`.
"""

import numpy as np

from chainrules.formulas.spectra.general_eigenvectors import (
    freed_of_normalization,
    pull_eigenvalues,
    pull_eigenvectors,
    push_eigenvectors,
    refuse_defective,
)
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, diagonal_of
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def eig_frule(tangents, f: typeof_(np.linalg.eig), A: ArrayOperand):
    A_dot = tangents[1]
    y = w, V = np.linalg.eig(A)
    refuse_defective(w, V)
    V, dots = push_eigenvectors(w, V, np.linalg.solve(V, A_dot @ V))
    y = type(y)(w, V)
    return y, tangent_of_results(y, *dots)


@rrule.dispatch
def eig_rrule(f: typeof_(np.linalg.eig), A: ArrayOperand):
    y = w, V = np.linalg.eig(A)
    project = ProjectTo(A)

    def eig_pullback(y_bar):
        w_bar, V_bar = cotangents_of_results(y, y_bar)
        refuse_defective(w, V)
        if isinstance(V_bar, AbstractZero):
            return NO_TANGENT, w_bar if isinstance(w_bar, AbstractZero) else project(
                pull_eigenvalues(V, w_bar)
            )
        K_bar = pull_eigenvectors(w, V, w_bar, freed_of_normalization(None, V, V_bar))
        return NO_TANGENT, project(np.linalg.solve(adjoint(V), K_bar @ adjoint(V)))

    return y, eig_pullback


@frule.dispatch
def eigvals_frule(tangents, f: typeof_(np.linalg.eigvals), A: ArrayOperand):
    A_dot = tangents[1]
    w, V = np.linalg.eig(A)
    refuse_defective(w, V)
    return w, diagonal_of(np.linalg.solve(V, A_dot @ V))


@rrule.dispatch
def eigvals_rrule(f: typeof_(np.linalg.eigvals), A: ArrayOperand):
    w, V = np.linalg.eig(A)
    project = ProjectTo(A)

    def eigvals_pullback(w_bar):
        refuse_defective(w, V)
        return NO_TANGENT, project(pull_eigenvalues(V, w_bar))

    return w, eigvals_pullback
