"""The derivatives of the singular value decomposition, thin or full.

For ``A = U diag(s) Vᴴ``, let ``P = Uᴴ A_dot V = H + K`` with Hermitian ``H`` and skew-Hermitian ``K``, and
let ``F[i, j] = 1 / (s[j] - s[i])``, zero on the diagonal, and ``G[i, j] = 1 / (s[j] + s[i])``. Then

    s_dot = diag(H)
    U_dot = U (F ∘ H + G ∘ K) + (1 - U Uᴴ) A_dot V diag(s)⁻¹
    V_dot = V (F ∘ H - G ∘ K) + (1 - V Vᴴ) A_dotᴴ U diag(s)⁻¹

and in reverse, with ``M = Uᴴ U_bar``, ``N = Vᴴ V_bar``, and the skew-Hermitian part ``skew``,

    A_bar = U (diag(s_bar) + F ∘ skew(M + N) + G ∘ skew(M - N)) Vᴴ
            + (1 - U Uᴴ) U_bar diag(s)⁻¹ Vᴴ + U diag(s)⁻¹ V_barᴴ (1 - V Vᴴ)

J. Townsend, "Differentiating the singular value decomposition", 2016, with its ``1 / (s[j]² - s[i]²)`` in
partial fractions, which neither overflow nor cancel. Complex singular vectors keep LAPACK's phase: the first
row of ``V`` is real, or the first row of ``U`` if the matrix is wider than high.

Equal singular values are treated as equal eigenvalues; see `chainrules.rulesets.numpy.linalg.eigh`. As a
function of the matrix, a value alone has a kink where it is zero, and zero is taken for its derivative;
together with vectors it may change its sign with one of its vectors. The vectors of the value zero have no
derivative unless the other vectors determine them. The vectors that complete the bases in a full
decomposition are pushed forwards as LAPACK makes them. In reverse only functions of the spaces that they span
have a derivative, and others are refused.
"""

import operator
from typing import Any

import numpy as np

from chainrules.formulas.spectra.adapted_bases import adapted_singular_vectors, can_adapt
from chainrules.formulas.spectra.completing_reflections import turn_of_complement
from chainrules.formulas.spectra.orthogonal_complements import complement_dot, cotangent_of_first
from chainrules.formulas.spectra.phases import is_row, phase_component, phase_cotangent, phase_rate
from chainrules.formulas.spectra.singular_values import pull_singular_values
from chainrules.formulas.spectra.spectral_gaps import are_apart, gaps, quotient, quotient_of_cotangents, sums
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import (
    adjoint,
    as_rows,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    times_diagonal,
)
from chainrules_core import AbstractZero, primal_of


def push_decomposition(A: Any, A_dot: Any, y: Any) -> tuple[Any, tuple[Any, Any, Any]]:
    """The decomposition, with vectors of equal values and zeros that suit the direction, and its tangents.

    Parameters
    ----------
    A, A_dot
        The matrices and their tangent, shape ``(..., m, n)``.
    y
        ``U``, ``s`` and ``Vᴴ``, thin or full.
    """
    y, divided = (y, operator.truediv) if are_apart(y[1]) else _adapted_decomposition(A, A_dot, y)
    U, s, V_adjoint = y
    V = adjoint(V_adjoint)
    U1, V1 = _first_vectors(U, s), _first_vectors(V, s)
    P = adjoint(U1) @ A_dot @ V1
    H = 0.5 * (P + adjoint(P))
    symmetric, skew = divided(H, gaps(s)), divided(P - H, sums(s))
    U1_dot, V1_dot = U1 @ (symmetric + skew), V1 @ (symmetric - skew)
    if _is_tall(U, V):
        U1_dot = U1_dot + divided(A_dot @ V1 - U1 @ P, as_rows(s))
    if _is_wide(U, V):
        V1_dot = V1_dot + divided(adjoint(A_dot) @ U1 - V1 @ adjoint(P), as_rows(s))
    if is_complex_array(U):
        rate = (
            phase_rate(U1, U1_dot, is_row(U1, 0)) if _is_wide(U, V) else phase_rate(V1, V1_dot, is_row(V1, 0))
        )
        U1_dot = U1_dot + times_diagonal(U1, 1j * rate)
        V1_dot = V1_dot + times_diagonal(V1, 1j * rate)
    U_dot = _completed(U, U1, U1_dot, A, A_dot)
    V_dot = _completed(V, V1, V1_dot, adjoint(A), adjoint(A_dot))
    return y, (U_dot, np.real(diagonal_of(P)), adjoint(V_dot))


def _adapted_decomposition(A: Any, A_dot: Any, y: Any) -> tuple[Any, Any]:
    """The decomposition, with vectors that suit the direction if one can choose, and how to divide by gaps.

    That is for singular values of which some are equal or zero.
    """
    U, s, _ = y
    can_choose = can_adapt(A, A_dot, U)
    unknown = 0.0 if can_choose else np.nan

    def divided(K: Any, divisor: Any) -> Any:
        return quotient(K, divisor, s, unknown)

    return (adapted_singular_vectors(A, A_dot, y) if can_choose else y), divided


def pull_decomposition(name: str, y: Any, U_bar: Any, s_bar: Any, V_adjoint_bar: Any) -> Any:
    """The cotangent of the matrices.

    Parameters
    ----------
    name
        How the function is called for full matrices, for the message of an error.
    y
        ``U``, ``s`` and ``Vᴴ``, thin or full.
    U_bar, s_bar, V_adjoint_bar
        Their cotangents, of which any may be a zero.

    Raises
    ------
    ValueError
        If the cotangent is felt by the choice of the vectors that complete a basis.
    """
    U, s, V_adjoint = y
    V = adjoint(V_adjoint)
    U1, V1 = _first_vectors(U, s), _first_vectors(V, s)
    if isinstance(U_bar, AbstractZero) and isinstance(V_adjoint_bar, AbstractZero):
        return s_bar if isinstance(s_bar, AbstractZero) else pull_singular_values((U1, s, adjoint(V1)), s_bar)
    V_bar = V_adjoint_bar if isinstance(V_adjoint_bar, AbstractZero) else adjoint(V_adjoint_bar)
    U1_bar, V1_bar = cotangent_of_first(name, U1, U, U_bar), cotangent_of_first(name, V1, V, V_bar)
    if is_complex_array(U):
        felt = phase_component(U1, U1_bar) + phase_component(V1, V1_bar)
        if _is_wide(U, V):
            U1_bar = U1_bar + phase_cotangent(U1, felt, is_row(U1, 0))
        else:
            V1_bar = V1_bar + phase_cotangent(V1, felt, is_row(V1, 0))
    M, N = adjoint(U1) @ U1_bar, adjoint(V1) @ V1_bar
    divided = quotient_of_cotangents if isinstance(s_bar, AbstractZero) else _quotient_beside_values
    P_bar = divided(_skew(M + N), gaps(2 * s), 2 * s, U1_bar, V1_bar)
    P_bar = P_bar + divided(_skew(M - N), sums(2 * s), 2 * s, U1_bar, V1_bar)
    if not isinstance(s_bar, AbstractZero):
        P_bar = P_bar + diagonal_matrix(s_bar)
    A_bar = U1 @ P_bar @ adjoint(V1)
    if _is_tall(U, V):
        A_bar = A_bar + divided(U1_bar - U1 @ M, as_rows(s), s, U1_bar) @ adjoint(V1)
    if _is_wide(U, V):
        A_bar = A_bar + U1 @ adjoint(divided(V1_bar - V1 @ N, as_rows(s), s, V1_bar))
    return A_bar


def _quotient_beside_values(K: Any, divisor: Any, values: Any, *_: Any) -> Any:
    """The quotient where the cotangent of the values is not zero: NaN where `divisor` vanishes.

    One part is known: a real vector whose value is zero cannot turn in itself.
    """
    divided = quotient(K, divisor, values, np.nan)
    if is_complex_array(K) or shape_of(divisor)[-2] == 1 < shape_of(K)[-2]:
        return divided
    return np.where(np.eye(shape_of(K)[-1], dtype=bool), 0, divided)


def _first_vectors(U: Any, s: Any) -> Any:
    """The singular vectors, without those that complete the basis."""
    return U[..., : primal_of(s).shape[-1]]


def _completed(U: Any, U1: Any, U1_dot: Any, A: Any, A_dot: Any) -> Any:
    """The tangent of all vectors, for the tangent of the first, and of the matrix."""
    m, k = primal_of(U1).shape[-2:]
    if k == primal_of(U).shape[-1]:
        return U1_dot
    # LAPACK reflects columns alone from some height on, which depends on the kind of numbers.
    turn = turn_of_complement(A, A_dot, U[..., k:], (False, True) if m >= 1.7 * k else (True, False))
    return np.concatenate([U1_dot, complement_dot(U1, U1_dot, U[..., k:], turn)], axis=-1)


def _skew(M: Any) -> Any:
    """Twice the skew-Hermitian part."""
    return M - adjoint(M)


def _is_tall(U: Any, V: Any) -> bool:
    return bool(primal_of(U).shape[-2] > primal_of(V).shape[-2])


def _is_wide(U: Any, V: Any) -> bool:
    return _is_tall(V, U)
