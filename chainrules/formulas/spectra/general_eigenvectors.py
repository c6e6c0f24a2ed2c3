"""The derivatives of the eigenvalues and eigenvectors of general matrices.

For ``A V = V diag(w)``, with ``K = V⁻¹ A_dot V`` and ``F[i, j] = 1 / (w[j] - w[i])``, zero on the diagonal,
the eigenvalues have the derivative ``diag(K)``, and ``V (F ∘ K)`` is the derivative of eigenvectors of some
length and phase. LAPACK's have length 1, and the largest component of each is real: so to each column
``v_dot`` is added

    (c + i r) v,   c = -Re(vᴴ v_dot)

where ``r`` keeps that component real; see `chainrules.formulas.spectra.phases`. In reverse,

    K_bar = diag(w_bar) + conj(F) ∘ Vᴴ V_bar

after the parts of ``V_bar`` that only length and phase feel have been taken away. Giles 2008, section 3.1;
C. B. Boeddeker et al., "On the computation of complex-valued gradients with application to statistically
optimum beamforming", arXiv:1701.00392.

Equal eigenvalues are treated like equal eigenvalues of Hermitian matrices; see
`chainrules.rulesets.numpy.linalg.eigh`. A defective matrix has no basis of eigenvectors, and no derivative:
see `refuse_defective`.
"""

from typing import Any

import numpy as np

from chainrules.formulas.spectra.adapted_bases import can_adapt, turns_of_general_eigenvectors
from chainrules.formulas.spectra.phases import is_largest, phase_component, phase_cotangent, phase_rate
from chainrules.formulas.spectra.spectral_gaps import (
    gaps,
    is_negligible,
    is_rounding_error,
    quotient,
    quotient_except,
    quotient_of_cotangents,
)
from chainrules.values.stacks import (
    adjoint,
    conjugate,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    times_diagonal,
)
from chainrules_core import AbstractZero, primal_of


def refuse_defective(w: Any, V: Any) -> None:
    """Raise where a matrix has equal eigenvalues and no basis of eigenvectors, but for rounding errors.

    Raises
    ------
    numpy.linalg.LinAlgError
        If it has none. Also smooth functions of the eigenvalues have no derivative by them then.
    """
    w, V = primal_of(w), primal_of(V)
    with np.errstate(invalid="ignore"):  # pencils have infinite eigenvalues
        has_equal = np.any(is_negligible(gaps(w), w), axis=(-2, -1))
    if np.any(has_equal) and np.any(has_equal & (np.linalg.cond(V) > 0.1 / np.finfo(V.dtype).eps)):
        raise np.linalg.LinAlgError(
            "The eigenvalues of a defective matrix, which has equal ones and no basis of eigenvectors, have "
            "no derivative. Write a function of them without eigenvalues: `np.trace(A @ A)` for the sum of "
            "their squares, `np.linalg.det(A)` for their product"
        )


def push_eigenvectors(w: Any, V: Any, K: Any, has_phase: bool = True) -> tuple[Any, tuple[Any, Any]]:
    """The eigenvectors, for equal eigenvalues such as suit the direction, and the tangents of both.

    Parameters
    ----------
    w, V
        The eigenvalues and eigenvectors.
    K
        The tangent of the matrix in the basis of the eigenvectors.
    has_phase
        Whether a component of complex vectors is real; otherwise the phase is constant, along each vector.

    Returns
    -------
    V
        The eigenvectors.
    w_dot, V_dot
        The tangents.
    """
    divisor, unknown = gaps(w), 0.0
    is_equal = is_negligible(primal_of(divisor), w)
    if np.count_nonzero(is_equal):
        V, K, unknown = _adapted_eigenvectors(w, V, K)
    V_dot = V @ quotient_except(is_equal, K, divisor, unknown)
    return V, (diagonal_of(K), V_dot + times_diagonal(V, normalization(V, V_dot, has_phase)))


def pull_eigenvectors(w: Any, V: Any, w_bar: Any, V_bar: Any) -> Any:
    """``K_bar``, for the cotangents of the eigenvalues, which may be a zero, and of the eigenvectors.

    The part of the cotangent of the vectors that length and phase feel has been taken away; see
    `freed_of_normalization`.
    """
    turns = adjoint(V) @ V_bar
    if isinstance(w_bar, AbstractZero):
        return quotient_of_cotangents(turns, conjugate(gaps(w)), w, V_bar)
    return quotient(turns, conjugate(gaps(w)), w, np.nan) + diagonal_matrix(w_bar)


def pull_eigenvalues(V: Any, w_bar: Any) -> Any:
    """The cotangent of the matrix for the cotangent of the eigenvalues alone."""
    V_adjoint = adjoint(V)
    return np.linalg.solve(V_adjoint, np.expand_dims(w_bar, -1) * V_adjoint)


def _adapted_eigenvectors(w: Any, V: Any, K: Any) -> tuple[Any, Any, float]:
    """Eigenvectors of equal values that suit the direction; `K` for them; and NaN if there are none."""
    if not can_adapt(V, K):
        return V, K, np.nan
    Q = turns_of_general_eigenvectors(w, K)
    if np.isnan(Q).any():
        return V, K, np.nan
    Q = times_diagonal(Q, 1 / length_and_phase(V @ Q))
    return V @ Q, np.linalg.solve(Q, K @ Q), 0.0


def length_and_phase(V: Any) -> Any:
    """What LAPACK divides each vector by."""
    length = np.linalg.norm(V, axis=-2)
    if not is_complex_array(V):
        return length
    largest = np.sum(np.where(is_largest(V), V, 0), axis=-2)
    return length * largest / np.abs(largest)


def normalization(V: Any, V_dot: Any, has_phase: bool = True) -> Any:
    """The factors ``c + i r``."""
    stretch = -np.real(np.sum(conjugate(V) * V_dot, axis=-2))
    if not is_complex_array(V):
        return stretch
    # Without a component that is real, no vector turns along itself.
    rate = (
        phase_rate(V, V_dot, is_largest(V))
        if has_phase
        else -np.imag(np.sum(np.conjugate(V) * V_dot, axis=-2))
    )
    return stretch + 1j * rate


def freed_of_normalization(name: str | None, V: Any, V_bar: Any) -> Any:
    """The adjoint of adding ``(c + i r) v`` to each column.

    Parameters
    ----------
    name
        If no component of the complex vectors is real, how the function is called, for the message of an
        error.
    V, V_bar
        The vectors and their cotangent.

    Raises
    ------
    ValueError
        If the vectors have an arbitrary phase, and the cotangent feels it.
    """
    stretch_felt = np.real(np.sum(conjugate(V) * V_bar, axis=-2))
    freed = V_bar - times_diagonal(V, stretch_felt)
    if not is_complex_array(V):
        return freed
    felt = phase_component(V, V_bar)
    if name is None:
        return freed + phase_cotangent(V, felt, is_largest(V))
    if not np.all(is_rounding_error(diagonal_matrix(primal_of(felt)), V_bar)):
        raise ValueError(
            f"{name} has no derivative by the phase of its complex vectors, which is an arbitrary choice. A "
            "function of them has a derivative if it does not change when a vector is multiplied by a number "
            "of modulus 1."
        )
    return freed
