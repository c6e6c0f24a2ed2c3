"""Rules for the eigenvalues and eigenvectors of general matrices.

For ``A V = V diag(w)``, with ``K = V⁻¹ A_dot V`` and ``F[i, j] = 1 / (w[j] - w[i])``, zero on the diagonal,
the eigenvalues have the derivative ``diag(K)``, and ``V (F ∘ K)`` is the derivative of eigenvectors of some
length and phase. LAPACK's have length 1, and the largest component of each is real: so to each column
``v_dot`` is added

    (c + i r) v,   c = -Re(vᴴ v_dot)

where ``r`` keeps that component real; see `chainrules.formulas.phases`. In reverse,

    A_bar = V⁻ᴴ (diag(w_bar) + conj(F) ∘ Vᴴ V_bar) Vᴴ

after the parts of ``V_bar`` that only length and phase feel have been taken away. Giles 2008, section 3.1;
C. B. Boeddeker et al., "On the computation of complex-valued gradients with application to statistically
optimum beamforming", arXiv:1701.00392.

Equal eigenvalues are treated like equal eigenvalues of Hermitian matrices; see
`chainrules.rulesets.numpy.linalg.eigh`. A defective matrix has no basis of eigenvectors, and no derivative.
"""

import numpy as np

from chainrules.formulas.adapted_bases import can_adapt, turns_of_general_eigenvectors
from chainrules.formulas.phases import is_largest, phase_cotangent, phase_felt, phase_rate
from chainrules.formulas.spectral_gaps import (
    gaps,
    is_negligible,
    quotient,
    quotient_except,
    quotient_of_cotangents,
)
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import (
    adjoint,
    conjugate,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    times_diagonal,
)
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, primal_of, rrule, typeof_, unthunk


@frule.dispatch
def eig_frule(tangents, f: typeof_(np.linalg.eig), A: ArrayOperand):
    A_dot = unthunk(tangents[1])
    y = w, V = np.linalg.eig(A)
    if isinstance(A_dot, AbstractZero):
        return y, A_dot
    K = np.linalg.solve(V, A_dot @ V)
    divisor, unknown = gaps(w), 0.0
    is_equal = is_negligible(primal_of(divisor), w)
    if np.count_nonzero(is_equal):
        V, K, unknown = _adapted_eigenvectors(w, V, K)
        y = type(y)(w, V)
    V_dot = V @ quotient_except(is_equal, K, divisor, unknown)
    return y, tangent_of_results(y, diagonal_of(K), V_dot + times_diagonal(V, _normalization(V, V_dot)))


@rrule.dispatch
def eig_rrule(f: typeof_(np.linalg.eig), A: ArrayOperand):
    y = w, V = np.linalg.eig(A)
    project = ProjectTo(A)

    def eig_pullback(y_bar):
        w_bar, V_bar = cotangents_of_results(y, y_bar)
        if isinstance(V_bar, AbstractZero):
            return NoTangent(), w_bar if isinstance(w_bar, AbstractZero) else project(
                _pull_eigenvalues(V, w_bar)
            )
        V_bar = _freed_of_normalization(V, V_bar)
        turns = adjoint(V) @ V_bar
        if isinstance(w_bar, AbstractZero):
            K_bar = quotient_of_cotangents(turns, conjugate(gaps(w)), w, V_bar)
        else:
            K_bar = quotient(turns, conjugate(gaps(w)), w, np.nan) + diagonal_matrix(w_bar)
        return NoTangent(), project(np.linalg.solve(adjoint(V), K_bar @ adjoint(V)))

    return y, eig_pullback


@frule.dispatch
def eigvals_frule(tangents, f: typeof_(np.linalg.eigvals), A: ArrayOperand):
    A_dot = unthunk(tangents[1])
    w, V = np.linalg.eig(A)
    return w, A_dot if isinstance(A_dot, AbstractZero) else diagonal_of(np.linalg.solve(V, A_dot @ V))


@rrule.dispatch
def eigvals_rrule(f: typeof_(np.linalg.eigvals), A: ArrayOperand):
    w, V = np.linalg.eig(A)
    project = ProjectTo(A)

    def eigvals_pullback(w_bar):
        return NoTangent(), project(_pull_eigenvalues(V, unthunk(w_bar)))

    return w, eigvals_pullback


def _adapted_eigenvectors(w, V, K):
    """Eigenvectors of equal values that suit the direction; `K` for them; and NaN if there are none."""
    if not can_adapt(V, K):
        return V, K, np.nan
    Q = turns_of_general_eigenvectors(w, K)
    if np.isnan(Q).any():
        return V, K, np.nan
    Q = times_diagonal(Q, 1 / _length_and_phase(V @ Q))
    return V @ Q, np.linalg.solve(Q, K @ Q), 0.0


def _length_and_phase(V):
    """What LAPACK divides each vector by."""
    length = np.linalg.norm(V, axis=-2)
    if not is_complex_array(V):
        return length
    largest = np.sum(np.where(is_largest(V), V, 0), axis=-2)
    return length * largest / np.abs(largest)


def _pull_eigenvalues(V, w_bar):
    """The cotangent of the matrix for the cotangent of the eigenvalues."""
    V_adjoint = adjoint(V)
    return np.linalg.solve(V_adjoint, np.expand_dims(w_bar, -1) * V_adjoint)


def _normalization(V, V_dot):
    """The factors ``c + i r``."""
    stretch = -np.real(np.sum(conjugate(V) * V_dot, axis=-2))
    return stretch + 1j * phase_rate(V, V_dot, is_largest(V)) if is_complex_array(V) else stretch


def _freed_of_normalization(V, V_bar):
    """The adjoint of adding ``(c + i r) v`` to each column."""
    stretch_felt = np.real(np.sum(conjugate(V) * V_bar, axis=-2))
    freed = V_bar - times_diagonal(V, stretch_felt)
    if not is_complex_array(V):
        return freed
    return freed + phase_cotangent(V, phase_felt(V, V_bar), is_largest(V))
