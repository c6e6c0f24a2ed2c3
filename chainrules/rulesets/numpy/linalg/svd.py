"""Rules for the singular value decomposition, and for singular values alone.

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
derivative unless the other vectors determine them. Of the vectors that complete the bases in a full
decomposition, only functions of the spaces that they span have a derivative; in reverse other functions of
them are refused.
"""

import operator
from typing import NamedTuple

import numpy as np

from chainrules.formulas.adapted_bases import adapted_singular_vectors, can_adapt
from chainrules.formulas.eigenvectors import pull_eigh, push_eigh
from chainrules.formulas.hermitian import hermitian_from
from chainrules.formulas.orthogonal_complements import complement_dot, felt_by_complement
from chainrules.formulas.phases import is_row, phase_cotangent, phase_felt, phase_rate
from chainrules.formulas.singular_values import pull_singular_values, push_singular_values
from chainrules.formulas.spectral_gaps import (
    are_apart,
    differentiable_part,
    gaps,
    is_zero_value,
    quotient,
    quotient_of_cotangents,
    sums,
)
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import (
    adjoint,
    as_rows,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    times_diagonal,
)
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    rrule,
    typeof_,
    unthunk,
)


@frule.dispatch
def svd_frule(tangents, f: typeof_(np.linalg.svd), A: ArrayOperand, *options, **named):
    asked = _Asked(*options, **named)
    A_dot = unthunk(tangents[1])
    y = _decomposed(A, asked)
    if isinstance(A_dot, AbstractZero):
        return (y if asked.compute_uv else y[1]), A_dot
    if not asked.compute_uv:
        return y[1], _values_pushed_hermitian(y, A_dot) if asked.hermitian else push_singular_values(y, A_dot)
    parts, dots = _pushed_hermitian(y, A_dot) if asked.hermitian else _push_decomposition(A, A_dot, y)
    y = type(y)(*parts)
    return y, tangent_of_results(y, *dots)


@rrule.dispatch
def svd_rrule(f: typeof_(np.linalg.svd), A: ArrayOperand, *options, **named):
    asked = _Asked(*options, **named)
    y = _decomposed(A, asked)
    project = ProjectTo(A)
    pull = _pulled_hermitian if asked.hermitian else _pull_decomposition

    def svd_pullback(y_bar):
        zero = ZeroTangent()
        parts = cotangents_of_results(y, y_bar) if asked.compute_uv else (zero, unthunk(y_bar), zero)
        return NoTangent(), project(pull(y, *parts)), *(NoTangent() for _ in options)

    return (y if asked.compute_uv else y[1]), svd_pullback


@frule.dispatch
def svdvals_frule(tangents, f: typeof_(np.linalg.svdvals), A: ArrayOperand):
    A_dot = unthunk(tangents[1])
    y = np.linalg.svd(A, full_matrices=False)
    return y[1], A_dot if isinstance(A_dot, AbstractZero) else push_singular_values(y, A_dot)


@rrule.dispatch
def svdvals_rrule(f: typeof_(np.linalg.svdvals), A: ArrayOperand):
    y = np.linalg.svd(A, full_matrices=False)
    project = ProjectTo(A)

    def svdvals_pullback(s_bar):
        return NoTangent(), project(pull_singular_values(y, unthunk(s_bar)))

    return y[1], svdvals_pullback


class _Asked(NamedTuple):
    """The arguments of `numpy.linalg.svd` after the matrix."""

    full_matrices: bool = True
    compute_uv: bool = True
    hermitian: bool = False


def _decomposed(A, asked: _Asked):
    """The decomposition that the derivatives need: the smaller one for singular values alone."""
    is_full = asked.full_matrices and asked.compute_uv
    return np.linalg.svd(A, full_matrices=is_full, hermitian=asked.hermitian)


# --- The derivatives of the factors, which may be thin or full -------------------------------------


def _push_decomposition(A, A_dot, y):
    """The decomposition, with vectors of equal values and zeros that suit the direction, and its tangents."""
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
    dots = _completed(U, U1, U1_dot), np.real(diagonal_of(P)), adjoint(_completed(V, V1, V1_dot))
    return y, dots


def _adapted_decomposition(A, A_dot, y):
    """The decomposition, with vectors that suit the direction if one can choose, and how to divide by gaps.

    That is for singular values of which some are equal or zero.
    """
    U, s, _ = y
    can_choose = can_adapt(A, A_dot, U)
    unknown = 0.0 if can_choose else np.nan

    def divided(K, divisor):
        return quotient(K, divisor, s, unknown)

    return (adapted_singular_vectors(A, A_dot, y) if can_choose else y), divided


def _pull_decomposition(y, U_bar, s_bar, V_adjoint_bar):
    U, s, V_adjoint = y
    V = adjoint(V_adjoint)
    U1, V1 = _first_vectors(U, s), _first_vectors(V, s)
    if isinstance(U_bar, AbstractZero) and isinstance(V_adjoint_bar, AbstractZero):
        return s_bar if isinstance(s_bar, AbstractZero) else pull_singular_values((U1, s, adjoint(V1)), s_bar)
    U1_bar = _first_bar(U, U1, U_bar)
    V1_bar = _first_bar(
        V, V1, V_adjoint_bar if isinstance(V_adjoint_bar, AbstractZero) else adjoint(V_adjoint_bar)
    )
    if is_complex_array(U):
        felt = phase_felt(U1, U1_bar) + phase_felt(V1, V1_bar)
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


def _quotient_beside_values(K, divisor, values, *_):
    """The quotient where the cotangent of the values is not zero: NaN where `divisor` vanishes.

    One part is known: a real vector whose value is zero cannot turn in itself.
    """
    divided = quotient(K, divisor, values, np.nan)
    if is_complex_array(K) or shape_of(divisor)[-2] == 1 < shape_of(K)[-2]:
        return divided
    return np.where(np.eye(shape_of(K)[-1], dtype=bool), 0, divided)


def _first_vectors(U, s):
    """The singular vectors, without those that complete the basis."""
    return U[..., : primal_of(s).shape[-1]]


def _completed(U, U1, U1_dot):
    """The tangent of all vectors, for the tangent of the first."""
    k = primal_of(U1).shape[-1]
    if k == primal_of(U).shape[-1]:
        return U1_dot
    return np.concatenate([U1_dot, complement_dot(U1, U1_dot, U[..., k:])], axis=-1)


def _first_bar(U, U1, U_bar):
    """The cotangent of the first vectors, for the cotangent of all."""
    if isinstance(U_bar, AbstractZero):
        return np.zeros_like(primal_of(U1))
    k = primal_of(U1).shape[-1]
    if k == primal_of(U).shape[-1]:
        return U_bar
    name = "np.linalg.svd(..., full_matrices=True)"
    return U_bar[..., :k] + felt_by_complement(name, U1, U[..., k:], U_bar[..., k:])


def _skew(M):
    """Twice the skew-Hermitian part."""
    return M - adjoint(M)


def _is_tall(U, V) -> bool:
    return bool(primal_of(U).shape[-2] > primal_of(V).shape[-2])


def _is_wide(U, V) -> bool:
    return _is_tall(V, U)


# --- Of a Hermitian matrix: the singular values are the moduli of the eigenvalues ------------------


def _values_pushed_hermitian(y, A_dot):
    U, s, V_adjoint = y
    H_dot = hermitian_from(A_dot)
    w_dot = np.real(np.sum(np.conjugate(U) * (H_dot @ U), axis=-2))
    return _signs(U, V_adjoint) * (differentiable_part(w_dot, s) if can_adapt(U) else w_dot)


def _pushed_hermitian(y, A_dot):
    U, s, V_adjoint = y
    signs = _signs(U, V_adjoint)
    (_, U), (w_dot, U_dot) = push_eigh((signs * s, U), hermitian_from(A_dot))
    is_zero = is_zero_value(s)
    if is_zero.any():
        w_dot = w_dot if can_adapt(U, w_dot) else np.where(is_zero, np.nan, w_dot)
        # A value that is zero takes the sign with which it moves.
        signs = np.where(is_zero, np.where(primal_of(w_dot) < 0, -1, 1), signs).astype(signs.dtype)
    y = U, s, adjoint(times_diagonal(U, signs))
    return y, (U_dot, signs * w_dot, adjoint(times_diagonal(U_dot, signs)))


def _pulled_hermitian(y, U_bar, s_bar, V_adjoint_bar):
    U, s, V_adjoint = y
    signs = _signs(U, V_adjoint)
    is_alone = isinstance(U_bar, AbstractZero) and isinstance(V_adjoint_bar, AbstractZero)
    if not isinstance(s_bar, AbstractZero):
        s_bar = signs * (differentiable_part(s_bar, s) if is_alone else s_bar)
        if not is_alone and not signs.all():
            # NumPy gives the value zero the sign zero, in which the part of its vectors is lost.
            s_bar = np.where(signs == 0, np.nan, s_bar)
    if not isinstance(V_adjoint_bar, AbstractZero):
        U_bar = U_bar + times_diagonal(adjoint(V_adjoint_bar), signs)
    return pull_eigh((signs * s, U), (s_bar, U_bar))


def _signs(U, V_adjoint):
    """The signs of the eigenvalues; zero for zero."""
    U, V_adjoint = primal_of(U), primal_of(V_adjoint)
    return np.sign(np.real(np.sum(U * np.swapaxes(V_adjoint, -1, -2), axis=-2)))
