"""Rules for the eigenvalues and eigenvectors of Hermitian matrices.

For ``A V = V diag(w)``, with ``K = Vᴴ A_dot V`` and ``F[i, j] = 1 / (w[j] - w[i])``, zero on the diagonal:

    w_dot = diag(K),   V_dot = V (F ∘ K)
    A_bar = V (diag(w_bar) + F ∘ Vᴴ V_bar) Vᴴ

where ``A`` is the Hermitian matrix that is read from one triangle of the argument, and the cotangent is
brought back to that triangle. Giles 2008, section 3.1. Complex eigenvectors keep LAPACK's phase: the first
component of each is real, or the last if the upper triangle is read.

At equal eigenvalues, functions of the eigenvalues alone and of eigenspaces alone (``V Vᴴ`` over the
eigenvectors of equal values) have their derivatives; single eigenvectors have none, and give NaN in
reverse. A function of both, like ``V diag(g(w)) Vᴴ``, has its derivative forwards, where such eigenvectors
are chosen as the direction asks for. In reverse it is NaN: the cotangents of `w` and `V` do not hold the
part that the separation of the values has. At the identity, ``sum(V diag(exp(w)) Vᴴ)`` and ``e (sum(w) +
sum(V Vᴴ))`` have the same cotangents, and gradients of which only one is diagonal. The gradient of a
function of equal eigenvalues is a function of both, too. So products of the Hessian with a vector, which
are gradients pushed forwards, are right, and so is the Hessian, whose columns are pushed forwards where they
are NaN in reverse. Other second derivatives in which `eigh` is differentiated in reverse last, and those
forwards three times, are NaN.
"""

from typing import Any

import numpy as np

from chainrules.formulas.matrices.hermitian import hermitian_from, onto_triangle
from chainrules.formulas.spectra.eigenvectors import pull_eigh, push_eigh
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, times_diagonal
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_


@frule.dispatch
def eigh_frule(tangents, f: typeof_(np.linalg.eigh), A: ArrayOperand, *options: str, **named: str):
    A_dot = tangents[1]
    y: Any = np.linalg.eigh(A, *options, **named)  # type: ignore[call-overload] # passed on
    is_lower = _reads_lower(*options, **named)
    y_adapted, y_dot = push_eigh(y, hermitian_from(A_dot, is_lower), is_lower)
    y = type(y)(*y_adapted)
    return y, tangent_of_results(y, *y_dot)


@rrule.dispatch
def eigh_rrule(f: typeof_(np.linalg.eigh), A: ArrayOperand, *options: str, **named: str):
    y: Any = np.linalg.eigh(A, *options, **named)  # type: ignore[call-overload] # passed on
    is_lower = _reads_lower(*options, **named)
    project = ProjectTo(A)

    def eigh_pullback(y_bar):
        A_bar = pull_eigh(y, cotangents_of_results(y, y_bar), is_lower)
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return y, eigh_pullback


@frule.dispatch
def eigvalsh_frule(tangents, f: typeof_(np.linalg.eigvalsh), A: ArrayOperand, *options: str, **named: str):
    A_dot = tangents[1]
    w, V = np.linalg.eigh(A, *options, **named)  # type: ignore[call-overload] # passed on
    H_dot = hermitian_from(A_dot, _reads_lower(*options, **named))
    return w, np.real(np.sum(np.conjugate(V) * (H_dot @ V), axis=-2))


@rrule.dispatch
def eigvalsh_rrule(f: typeof_(np.linalg.eigvalsh), A: ArrayOperand, *options: str, **named: str):
    w, V = np.linalg.eigh(A, *options, **named)  # type: ignore[call-overload] # passed on
    is_lower = _reads_lower(*options, **named)
    project = ProjectTo(A)

    def eigvalsh_pullback(w_bar):
        A_bar = onto_triangle(times_diagonal(V, w_bar) @ adjoint(V), is_lower)
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return w, eigvalsh_pullback


def _reads_lower(UPLO: str = "L") -> bool:
    return UPLO.upper() == "L"
