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

Equal singular values are treated as equal eigenvalues; see
`chainrules.rulesets.numpy.linalg.eigh`. The value zero has a kink, at which zero is taken for its derivative;
its vectors have none unless the others determine them. Of a full decomposition the vectors that complete the
bases have a derivative by the spaces that they span only; in reverse other functions of them are refused.
"""

from typing import NamedTuple

import numpy as np

from chainrules.formulas.eigenvectors import pull_eigh, push_eigh
from chainrules.formulas.hermitian import hermitian_from
from chainrules.formulas.orthogonal_complements import complement_dot, felt_by_complement
from chainrules.formulas.phases import is_row, phase_cotangent, phase_felt, phase_rate
from chainrules.formulas.singular_values import pull_singular_values, push_singular_values
from chainrules.formulas.spectral_gaps import (
    differentiable_part,
    gaps,
    quotient,
    quotient_of_cotangents,
    sums,
)
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import (
    adjoint,
    as_rows,
    diagonal_matrix,
    diagonal_of,
    is_complex,
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
    if asked.compute_uv or asked.hermitian:
        parts = _pushed_hermitian(y, A_dot) if asked.hermitian else _pushed(y, A_dot)
        return (y, tangent_of_results(y, *parts)) if asked.compute_uv else (y[1], parts[1])
    return y[1], push_singular_values(y, A_dot)


@rrule.dispatch
def svd_rrule(f: typeof_(np.linalg.svd), A: ArrayOperand, *options, **named):
    asked = _Asked(*options, **named)
    y = _decomposed(A, asked)
    project = ProjectTo(A)
    pull = _pulled_hermitian if asked.hermitian else _pulled

    def svd_pullback(y_bar):
        zero = ZeroTangent()
        parts = cotangents_of_results(y, y_bar) if asked.compute_uv else (zero, unthunk(y_bar), zero)
        return NoTangent(), project(pull(y, *parts)), *(NoTangent() for _ in options)

    return (y if asked.compute_uv else y[1]), svd_pullback


if hasattr(np.linalg, "svdvals"):  # since NumPy 2

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
    """The decomposition that the derivatives need; of singular values alone the smaller one."""
    is_full = asked.full_matrices and asked.compute_uv
    return np.linalg.svd(A, full_matrices=is_full, hermitian=asked.hermitian)


# --- The derivatives of the factors, which may be thin or full -------------------------------------


def _pushed(y, A_dot):
    U, s, V_adjoint = y
    V = adjoint(V_adjoint)
    U1, V1 = _first(U, s), _first(V, s)
    P = adjoint(U1) @ A_dot @ V1
    symmetric, skew = (
        quotient(P + adjoint(P), gaps(2 * s), 2 * s),
        quotient(P - adjoint(P), sums(2 * s), 2 * s),
    )
    U1_dot, V1_dot = U1 @ (symmetric + skew), V1 @ (symmetric - skew)
    if _is_tall(U, V):
        U1_dot = U1_dot + _outside_dot(A_dot @ V1, U1 @ P, s)
    if _is_wide(U, V):
        V1_dot = V1_dot + _outside_dot(adjoint(A_dot) @ U1, V1 @ adjoint(P), s)
    if is_complex(U):
        rate = (
            phase_rate(U1, U1_dot, is_row(U1, 0)) if _is_wide(U, V) else phase_rate(V1, V1_dot, is_row(V1, 0))
        )
        U1_dot = U1_dot + times_diagonal(U1, 1j * rate)
        V1_dot = V1_dot + times_diagonal(V1, 1j * rate)
    return (
        _completed(U, U1, U1_dot),
        differentiable_part(np.real(diagonal_of(P)), s),
        adjoint(_completed(V, V1, V1_dot)),
    )


def _pulled(y, U_bar, s_bar, V_adjoint_bar):
    U, s, V_adjoint = y
    V = adjoint(V_adjoint)
    U1, V1 = _first(U, s), _first(V, s)
    if isinstance(U_bar, AbstractZero) and isinstance(V_adjoint_bar, AbstractZero):
        return s_bar if isinstance(s_bar, AbstractZero) else pull_singular_values((U1, s, adjoint(V1)), s_bar)
    U1_bar = _first_bar(U, U1, U_bar)
    V1_bar = _first_bar(
        V, V1, V_adjoint_bar if isinstance(V_adjoint_bar, AbstractZero) else adjoint(V_adjoint_bar)
    )
    if is_complex(U):
        felt = phase_felt(U1, U1_bar) + phase_felt(V1, V1_bar)
        if _is_wide(U, V):
            U1_bar = U1_bar + phase_cotangent(U1, felt, is_row(U1, 0))
        else:
            V1_bar = V1_bar + phase_cotangent(V1, felt, is_row(V1, 0))
    M, N = adjoint(U1) @ U1_bar, adjoint(V1) @ V1_bar
    P_bar = quotient_of_cotangents(_skew(M + N), gaps(2 * s), 2 * s, U1_bar, V1_bar)
    P_bar = P_bar + quotient_of_cotangents(_skew(M - N), sums(2 * s), 2 * s, U1_bar, V1_bar)
    if not isinstance(s_bar, AbstractZero):
        P_bar = P_bar + diagonal_matrix(differentiable_part(s_bar, s))
    A_bar = U1 @ P_bar @ adjoint(V1)
    if _is_tall(U, V):
        A_bar = A_bar + _outside_bar(U1_bar, U1 @ M, s) @ adjoint(V1)
    if _is_wide(U, V):
        A_bar = A_bar + U1 @ adjoint(_outside_bar(V1_bar, V1 @ N, s))
    return A_bar


def _first(U, s):
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


def _outside_dot(X, X_inside, s):
    """``(1 - U Uᴴ) X diag(s)⁻¹``; zero for the vectors of values that are zero."""
    return quotient(X - X_inside, as_rows(s), s)


def _outside_bar(U_bar, U_bar_inside, s):
    """Likewise of a cotangent; NaN where a derivative that does not exist is asked for."""
    return quotient_of_cotangents(U_bar - U_bar_inside, as_rows(s), s, U_bar)


def _skew(M):
    """Twice the skew-Hermitian part."""
    return M - adjoint(M)


def _is_tall(U, V) -> bool:
    return bool(primal_of(U).shape[-2] > primal_of(V).shape[-2])


def _is_wide(U, V) -> bool:
    return _is_tall(V, U)


# --- Those of a Hermitian matrix: the singular values are the moduli of the eigenvalues ------------


def _pushed_hermitian(y, A_dot):
    U, s, V_adjoint = y
    signs = _signs(U, V_adjoint)
    w_dot, U_dot = push_eigh((signs * s, U), hermitian_from(A_dot))
    return U_dot, signs * differentiable_part(w_dot, s), adjoint(times_diagonal(U_dot, signs))


def _pulled_hermitian(y, U_bar, s_bar, V_adjoint_bar):
    U, s, V_adjoint = y
    signs = _signs(U, V_adjoint)
    w_bar = s_bar if isinstance(s_bar, AbstractZero) else signs * differentiable_part(s_bar, s)
    if not isinstance(V_adjoint_bar, AbstractZero):
        U_bar = U_bar + times_diagonal(adjoint(V_adjoint_bar), signs)
    return pull_eigh((signs * s, U), (w_bar, U_bar))


def _signs(U, V_adjoint):
    """The signs of the eigenvalues; zero for zero."""
    U, V_adjoint = primal_of(U), primal_of(V_adjoint)
    return np.sign(np.real(np.sum(U * np.swapaxes(V_adjoint, -1, -2), axis=-2)))
