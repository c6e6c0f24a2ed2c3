"""Rules for the decomposition of a pair of real matrices into triangles, ``A = Q S Zᵀ`` and ``B = Q T Zᵀ``.

With skew ``X`` and ``Y``, ``Q_dot = Q X`` and ``Z_dot = Z Y``, and ``M = Qᵀ A_dot Z`` and ``N = Qᵀ B_dot Z``,

    S_dot = M - X S + S Y,   T_dot = N - X T + T Y

are zero below the diagonal. The triangle ``V`` of the eigenvectors, ``S V = T V diag(w)``, and ``W = T V``
make these equations diagonal. Below the diagonal, with ``m = W⁻¹ M V`` and ``n = W⁻¹ N V``, are

    (W⁻¹ X W)[i, j] = (m - w[i] n)[i, j] / (w[j] - w[i])
    (V⁻¹ Y V)[i, j] = (m - w[j] n)[i, j] / (w[j] - w[i])

as in the rules of `scipy.linalg.schur`, where ``B`` is constant. Signs and the order of the values are kept.
For equal eigenvalues the derivative is NaN. Where ``B`` is singular,
`numpy.linalg.LinAlgError` is raised. `ordqz` returns such a decomposition in which the values have another
order, and the diagonals.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import ordqz, qz

from chainrules.formulas.spectra.spectral_gaps import gaps, quotient
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import (
    as_rows,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    transposed,
    with_last_axis,
)
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primal_of, primitive, rrule, typeof_

_qz, _ordqz = primitive(qz), primitive(ordqz)


@frule.dispatch
def qz_frule(tangents: Any, f: typeof_(qz), A: ArrayOperand, B: ArrayOperand, *options: Any, **named: Any):
    y = _decomposed(A, B, *options, **named)
    return y, tangent_of_results(y, *_pushed(y, tangents[1], tangents[2]))


@frule.dispatch
def ordqz_frule(
    tangents: Any, f: typeof_(ordqz), A: ArrayOperand, B: ArrayOperand, *options: Any, **named: Any
):
    y = S, T, _, _, Q, Z = _ordered(A, B, *options, **named)
    S_dot, T_dot, Q_dot, Z_dot = _pushed((S, T, Q, Z), tangents[1], tangents[2])
    alpha_dot = diagonal_of(S_dot) + 0j  # the values are complex numbers, and stay real
    return y, tangent_of_results(y, S_dot, T_dot, alpha_dot, diagonal_of(T_dot), Q_dot, Z_dot)


def _pushed(y, A_dot, B_dot):
    """The tangents of the four matrices."""
    S, T, Q, Z = y
    M, N = transposed(Q) @ A_dot @ Z, transposed(Q) @ B_dot @ Z
    basis = _Basis.of(S, T)
    m, n = (0.0 if isinstance(K, AbstractZero) else basis.W_inverse @ K @ basis.V for K in (M, N))
    w_i, w_j = with_last_axis(basis.w), as_rows(basis.w)
    X = _skew(basis.W @ basis.divided(m - w_i * n) @ basis.W_inverse)
    Y = _skew(basis.V @ basis.divided(m - w_j * n) @ basis.V_inverse)
    S_dot, T_dot = np.triu(M - X @ S + S @ Y), np.triu(N - X @ T + T @ Y)
    return S_dot, T_dot, Q @ X, Z @ Y


@rrule.dispatch
def qz_rrule(f: typeof_(qz), A: ArrayOperand, B: ArrayOperand, *options: Any, **named: Any):
    y = _decomposed(A, B, *options, **named)
    project_A, project_B = ProjectTo(A), ProjectTo(B)

    def qz_pullback(y_bar):
        A_bar, B_bar = _pulled(y, cotangents_of_results(y, y_bar))
        return NO_TANGENT, project_A(A_bar), project_B(B_bar), *(NO_TANGENT,) * len(options)

    return y, qz_pullback


@rrule.dispatch
def ordqz_rrule(f: typeof_(ordqz), A: ArrayOperand, B: ArrayOperand, *options: Any, **named: Any):
    y = S, T, _, _, Q, Z = _ordered(A, B, *options, **named)
    project_A, project_B = ProjectTo(A), ProjectTo(B)

    def ordqz_pullback(y_bar):
        S_bar, T_bar, alpha_bar, beta_bar, Q_bar, Z_bar = cotangents_of_results(y, y_bar)
        S_bar, T_bar = (
            X_bar if isinstance(bar, AbstractZero) else X_bar + diagonal_matrix(np.real(bar))
            for X_bar, bar in ((S_bar, alpha_bar), (T_bar, beta_bar))
        )
        A_bar, B_bar = _pulled((S, T, Q, Z), (S_bar, T_bar, Q_bar, Z_bar))
        return NO_TANGENT, project_A(A_bar), project_B(B_bar), *(NO_TANGENT,) * len(options)

    return y, ordqz_pullback


def _pulled(y, bars):
    """The cotangents of the arguments, for those of the four matrices."""
    if all(isinstance(x, AbstractZero) for x in bars):
        return bars[0], bars[0]
    S, T, Q, Z = y
    S_bar, T_bar, Q_bar, Z_bar = (
        np.zeros_like(x) if isinstance(x_bar, AbstractZero) else x_bar
        for x, x_bar in zip(y, bars, strict=True)
    )
    S_bar, T_bar = np.triu(S_bar), np.triu(T_bar)
    X_bar = transposed(Q) @ Q_bar - S_bar @ transposed(S) - T_bar @ transposed(T)
    Y_bar = transposed(Z) @ Z_bar + transposed(S) @ S_bar + transposed(T) @ T_bar
    basis = _Basis.of(S, T)
    W_inverse, V = transposed(basis.W_inverse), transposed(basis.V)
    x_terms = basis.divided(transposed(basis.W) @ _felt(X_bar) @ W_inverse)
    y_terms = basis.divided(V @ _felt(Y_bar) @ transposed(basis.V_inverse))
    M_bar = S_bar + W_inverse @ (x_terms + y_terms) @ V
    n_bar = with_last_axis(basis.w) * x_terms + as_rows(basis.w) * y_terms
    N_bar = T_bar - W_inverse @ n_bar @ V
    return tuple(Q @ K @ transposed(Z) for K in (M_bar, N_bar))


class _Asked(NamedTuple):
    """The arguments of `scipy.linalg.qz` after the matrices."""

    output: str = "real"
    lwork: Any = None
    sort: Any = None
    overwrite_a: bool = False
    overwrite_b: bool = False
    check_finite: bool = True


def _decomposed(A, B, *options, **named):
    """The decomposition into triangles.

    Raises
    ------
    ValueError
        If it is none, or complex.
    """
    y = _qz(A, B, *_Asked(*options, **named)._replace(overwrite_a=False, overwrite_b=False))
    _check_triangles("qz", y[0])
    return y


class _AskedInOrder(NamedTuple):
    """The arguments of `scipy.linalg.ordqz` after the matrices."""

    sort: Any = "lhp"
    output: str = "real"
    overwrite_a: bool = False
    overwrite_b: bool = False
    check_finite: bool = True


def _ordered(A, B, *options, **named):
    """The same with another order of the values."""
    y = _ordqz(A, B, *_AskedInOrder(*options, **named)._replace(overwrite_a=False, overwrite_b=False))
    _check_triangles("ordqz", y[0])
    return y


def _check_triangles(name, S):
    S = primal_of(S)
    if is_complex_array(S) or np.count_nonzero(np.diagonal(S, -1, -2, -1)):
        raise ValueError(
            f"scipy.linalg.{name}(A, B) can be differentiated for real matrices with real eigenvalues: the "
            "phases of complex vectors are an arbitrary choice. Write `scipy.linalg.eig(A, B)` for others."
        )


class _Basis(NamedTuple):
    """What makes a pair of triangles diagonal."""

    w: Any
    V: Any
    V_inverse: Any
    W: Any
    W_inverse: Any
    divisor: Any

    @classmethod
    def of(cls, S, T):
        """The basis of the eigenvectors, which are triangles as well."""
        C = np.linalg.solve(T, S)
        V = np.real(np.triu(np.linalg.eig(np.triu(C))[1]))  # LAPACK keeps the order of the diagonal
        W, w = T @ V, diagonal_of(C)
        is_low = np.tri(shape_of(w)[-1], k=-1, dtype=bool)
        return cls(w, V, np.linalg.inv(V), W, np.linalg.inv(W), np.where(is_low, gaps(w), np.inf))

    def divided(self, K):
        """The part of a matrix below the diagonal, divided by the gaps."""
        return np.tril(quotient(np.tril(K, -1), self.divisor, self.w, instead=np.nan), -1)


def _skew(X):
    low = np.tril(X, -1)
    return low - transposed(low)


def _felt(X_bar):
    """The cotangent of the part below the diagonal of a skew matrix."""
    return np.tril(X_bar - transposed(X_bar), -1)
