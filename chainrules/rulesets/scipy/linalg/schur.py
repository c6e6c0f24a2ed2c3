"""Rules for the Schur decomposition into triangles.

For ``A = Z T Zᴴ``, with ``M = Zᴴ A_dot Z`` and the skew-Hermitian ``Ω = Zᴴ Z_dot``,

    Z_dot = Z Ω,   T_dot = M + T Ω - Ω T

so that below the diagonal ``Ω T - T Ω = M``. Let the columns of the triangle ``S`` be the eigenvectors of
``T``, and ``low`` the part below the diagonal. Then ``low(Ω) = low(S (F ∘ low(S⁻¹ M S)) S⁻¹)`` with ``F[i, j]
= 1 / (t[j] - t[i])`` for the eigenvalues ``t`` on the diagonal of ``T``: products with triangles on both
sides do not mix what is below the diagonal with the rest. See M. M. Konstantinov, P. H. Petkov, N. D.
Christov, "Nonlocal perturbation analysis of the Schur system of a matrix", SIAM Journal on Matrix Analysis
and Applications 15, 1994.

Complex vectors have an arbitrary phase: only functions that do not feel it have a derivative, and in reverse
others are refused. Where eigenvalues are equal, the derivative is NaN. The real form of a matrix with pairs
of complex eigenvalues, whose ``T`` is no triangle, is refused: its complex form serves.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import schur

from chainrules.formulas.spectra.spectral_gaps import gaps, is_rounding_error, quotient
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate, diagonal_matrix, diagonal_of, is_complex_array
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primal_of, primitive, rrule, typeof_

_schur = primitive(schur)


@frule.dispatch
def schur_frule(tangents: Any, f: typeof_(schur), A: ArrayOperand, *options: Any, **named: Any):
    A_dot = tangents[1]
    y = T, Z, *_ = _decomposed(A, *options, **named)
    M = adjoint(Z) @ A_dot @ Z
    S, inverse, divisor, t = _eigenvectors(T)
    X = _low(S @ quotient(_low(inverse @ M @ S), divisor, t, np.nan) @ inverse)
    turn = X - adjoint(X)
    T_dot = np.triu(M + T @ turn - turn @ T)
    return y, tangent_of_results(y, T_dot, Z @ turn, *(NO_TANGENT for _ in y[2:]))


@rrule.dispatch
def schur_rrule(f: typeof_(schur), A: ArrayOperand, *options: Any, **named: Any):
    y = T, Z, *_ = _decomposed(A, *options, **named)
    project = ProjectTo(A)
    without_tangents = (NO_TANGENT,) * len(options)

    def schur_pullback(y_bar):
        T_bar, Z_bar, *_ = cotangents_of_results(y, y_bar)
        if isinstance(T_bar, AbstractZero) and isinstance(Z_bar, AbstractZero):
            return NO_TANGENT, T_bar, *without_tangents
        T_bar = np.zeros_like(primal_of(T)) if isinstance(T_bar, AbstractZero) else np.triu(T_bar)
        before, after = adjoint(T) @ T_bar, T_bar @ adjoint(T)
        turns = before - after + adjoint(Z) @ Z_bar
        turns = turns - adjoint(turns)
        _refuse_phases(turns, before, after, turns)
        S, inverse, divisor, t = _eigenvectors(T)
        pulled = _low(quotient(adjoint(S) @ _low(turns) @ adjoint(inverse), conjugate(divisor), t, np.nan))
        M_bar = T_bar + adjoint(inverse) @ pulled @ adjoint(S)
        return NO_TANGENT, project(Z @ M_bar @ adjoint(Z)), *without_tangents

    return y, schur_pullback


class _Asked(NamedTuple):
    """The arguments of `scipy.linalg.schur` after the matrix."""

    output: str = "real"
    lwork: Any = None
    overwrite_a: bool = False
    sort: Any = None
    check_finite: bool = True


def _decomposed(A, *options, **named):
    """The decomposition into triangles.

    Raises
    ------
    ValueError
        If it is none.
    """
    y = _schur(A, *_Asked(*options, **named)._replace(overwrite_a=False))
    if np.count_nonzero(np.diagonal(primal_of(y[0]), -1, -2, -1)):
        raise ValueError(
            "scipy.linalg.schur(A), of a real matrix with pairs of complex eigenvalues, cannot be "
            "differentiated: its factor is no triangle. Write `schur(A, output='complex')`."
        )
    return y


def _eigenvectors(T):
    """The eigenvectors of triangles, their inverse, the gaps below the diagonal, and the eigenvalues."""
    S = np.triu(np.linalg.eig(T)[1])  # LAPACK keeps the order of the diagonal, and so the triangle
    S = S if is_complex_array(T) else np.real(S)  # younger versions of NumPy make all vectors complex
    t = diagonal_of(T)
    is_low = np.tri(shape_of(t)[-1], k=-1, dtype=bool)
    return S, np.linalg.inv(S), np.where(is_low, gaps(t), np.inf), t


def _low(X):
    return np.tril(X, -1)


def _refuse_phases(turns, *cotangents):
    """Raise if a function feels the phases of complex vectors.

    Raises
    ------
    ValueError
        If the cotangent is felt by a turn of a vector along itself.
    """
    if not is_complex_array(turns):
        return
    felt = diagonal_matrix(diagonal_of(primal_of(turns)))
    if not np.all(is_rounding_error(felt, *cotangents)):
        raise ValueError(
            "scipy.linalg.schur(A) has no derivative by the phases of complex Schur vectors, which are an "
            "arbitrary choice. A function of them has a derivative if it does not change with the phases."
        )
