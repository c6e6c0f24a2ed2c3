"""The derivatives of the eigenvalues and eigenvectors of Hermitian matrices.

For ``A V = V diag(w)``, with ``K = Vᴴ A_dot V`` and ``F[i, j] = 1 / (w[j] - w[i])``, zero on the diagonal:

    w_dot = diag(K),   V_dot = V (F ∘ K)
    A_bar = V (diag(w_bar) + F ∘ Vᴴ V_bar) Vᴴ

M. B. Giles, "An extended collection of matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 3.1. Complex eigenvectors keep LAPACK's phase: the first component of each is
real, or the last if the upper triangle is read. For equal ones see `chainrules.formulas.spectral_gaps`.
"""

from typing import Any

import numpy as np

from chainrules.formulas.hermitian import onto_triangle
from chainrules.formulas.phases import is_row, phase_cotangent, phase_felt, phase_rate
from chainrules.formulas.spectral_gaps import gaps, quotient, quotient_of_cotangents
from chainrules.values.stacks import adjoint, diagonal_matrix, diagonal_of, is_complex, times_diagonal
from chainrules_core import AbstractZero


def push_eigh(y: tuple[Any, Any], H_dot: Any, is_lower: bool = True) -> tuple[Any, Any]:
    """The tangents of eigenvalues, in any order, and eigenvectors, for the tangent of the matrix."""
    w, V = y
    K = adjoint(V) @ H_dot @ V
    V_dot = V @ quotient(K, gaps(w), w)
    if is_complex(V):
        is_real = is_row(V, 0 if is_lower else -1)
        V_dot = V_dot + times_diagonal(V, 1j * phase_rate(V, V_dot, is_real))
    return np.real(diagonal_of(K)), V_dot


def pull_eigh(y: tuple[Any, Any], y_bar: tuple[Any, ...], is_lower: bool = True) -> Any:
    """The cotangent of the argument, on the triangle that is read, for those of both results."""
    w, V = y
    w_bar, V_bar = y_bar
    if not isinstance(V_bar, AbstractZero):
        if is_complex(V):
            is_real = is_row(V, 0 if is_lower else -1)
            V_bar = V_bar + phase_cotangent(V, phase_felt(V, V_bar), is_real)
        turns = adjoint(V) @ V_bar
        K_bar = quotient_of_cotangents(turns - adjoint(turns), gaps(2 * w), 2 * w, V_bar)
        K_bar = K_bar if isinstance(w_bar, AbstractZero) else K_bar + diagonal_matrix(w_bar)
        return onto_triangle(V @ K_bar @ adjoint(V), is_lower)
    if isinstance(w_bar, AbstractZero):
        return w_bar
    return onto_triangle(times_diagonal(V, w_bar) @ adjoint(V), is_lower)
