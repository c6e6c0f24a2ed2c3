"""How the vectors turn with which LAPACK completes a basis.

LAPACK makes ``Q = H₁ H₂ ⋯ Hₙ`` of reflections ``H = 1 - τ v vᴴ``. Each maps the first column of what the ones
before have left to a multiple of the first unit vector, ``Hᴴ x = β e``, with ``β = -sign(Re x₀) |x|``, ``τ =
(β - x₀) / β`` and ``v = (x - β e) / (x₀ - β)``. So the last columns of ``Q``, which complete the basis, are
smooth functions of the matrix, and have derivatives. The QR decomposition reflects columns alone, and so does
the singular value decomposition of a high matrix; that of others reflects columns and rows in turn. G. H.
Golub and C. F. Van Loan, "Matrix Computations", 4th edition, sections 5.2 and 5.4.8.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.matrices.hermitian import half
from chainrules.values.stacks import adjoint, conjugate, is_complex_array
from chainrules_core import primal_of


class _Moving(NamedTuple):
    """An array and its tangent."""

    x: Any
    dot: Any

    def __getitem__(self, index: Any) -> "_Moving":
        return _Moving(self.x[index], self.dot[index])


def turn_of_complement(A: Any, A_dot: Any, U2: Any, ways: tuple[bool, ...] = (False, True)) -> Any:
    """``U₂ᴴ U₂_dot`` for the last columns of a unitary matrix, that LAPACK made of the columns of `A`.

    Parameters
    ----------
    A, A_dot
        Matrices with more rows than columns, shape ``(..., m, n)``, and their tangent.
    U2
        The last columns, shape ``(..., m, m - n)``.
    ways
        Whether rows are reflected too: how LAPACK may have made them.

    Returns
    -------
    array
        A skew-Hermitian matrix; zeros where they were made in another way, as for dependent columns.
    """
    unknown = np.zeros_like(primal_of(U2)[..., : primal_of(U2).shape[-1], :])
    if primal_of(U2).shape[-1] < 2 and not is_complex_array(U2):
        return unknown
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for with_rows in ways:
            last = (_by_columns_and_rows if with_rows else _by_columns)(_Moving(A, A_dot))
            precision = float(np.finfo(primal_of(U2).dtype).eps) ** 0.5
            if np.all(np.abs(primal_of(last.x) - primal_of(U2)) <= precision):
                turn = adjoint(U2) @ last.dot
                return 0.5 * (turn - adjoint(turn))
    return unknown


def _by_columns(A: _Moving) -> _Moving:
    """The last columns of the product of the reflections of columns, and their tangent.

    With the first columns ``Q₁`` of a product ``1 - Y T Yᴴ`` of reflections, the last ones are ``E₂ + (Q₁ -
    E₁) (Q₁₁ - 1)⁻ᴴ Q₂₁ᴴ``. G. Ballard et al., "Reconstructing Householder vectors from tall-skinny QR", 2014.
    """
    Q, R = np.linalg.qr(A.x)
    m, n = primal_of(Q).shape[-2:]
    if not np.all(np.diagonal(primal_of(R), axis1=-2, axis2=-1)):
        return _Moving(np.nan * Q[..., :1], 0.0)
    Z = adjoint(np.linalg.solve(adjoint(R), adjoint(A.dot)))
    W = adjoint(Q) @ Z
    Q_dot = Z + Q @ (half(W) - adjoint(half(W)) - W)
    rest = Q - np.eye(m, n)
    top, low = adjoint(rest[..., :n, :]), adjoint(Q[..., n:, :])
    S = np.linalg.solve(top, low)
    S_dot = np.linalg.solve(top, adjoint(Q_dot[..., n:, :]) - adjoint(Q_dot[..., :n, :]) @ S)
    return _Moving(np.eye(m)[:, n:] + rest @ S, Q_dot @ S + rest @ S_dot)


def _by_columns_and_rows(block: _Moving) -> _Moving:
    """The same of columns and rows in turn, of which those of columns count."""
    m, n = primal_of(block.x).shape[-2:]
    reflections = []
    for _ in range(n):
        v, tau = _reflection(block[..., :, 0])
        reflections.append((v, tau))
        block = _reflected(block, v, _Moving(conjugate(tau.x), conjugate(tau.dot)))[..., :, 1:]
        if primal_of(block.x).shape[-1]:
            rows = _adjoint(block)
            v, tau = _reflection(rows[..., :, 0])
            block = _adjoint(_reflected(rows, v, _Moving(conjugate(tau.x), conjugate(tau.dot))))
        block = block[..., 1:, :]
    unit: Any = np.eye(m - n, dtype=primal_of(block.x).dtype)
    last = _Moving(np.broadcast_to(unit, (*primal_of(block.x).shape[:-2], m - n, m - n)), 0.0 * unit)
    for v, tau in reversed(reflections):
        zero = 0.0 * last.x[..., :1, :]
        last = _Moving(
            np.concatenate([zero, last.x], -2), np.concatenate([zero, last.dot + 0.0 * last.x], -2)
        )
        last = _reflected(last, v, tau)
    return last


def _adjoint(A: _Moving) -> _Moving:
    return _Moving(adjoint(A.x), adjoint(A.dot))


def _reflection(x: _Moving) -> tuple[_Moving, _Moving]:
    """The vector and the factor of the reflection of vectors, which are along the last axis."""
    first = x[..., :1]
    size = np.sqrt(np.sum(np.real(x.x * conjugate(x.x)), axis=-1, keepdims=True))
    beta = np.where(np.real(primal_of(first.x)) < 0, 1.0, -1.0) * size
    beta_dot = np.sum(np.real(conjugate(x.x) * x.dot), axis=-1, keepdims=True) / beta
    divisor, divisor_dot = first.x - beta, first.dot - beta_dot
    v = np.concatenate([np.ones_like(first.x), x.x[..., 1:] / divisor], axis=-1)
    v_dot = np.concatenate([0.0 * first.x, (x.dot[..., 1:] - v[..., 1:] * divisor_dot) / divisor], axis=-1)
    tau = -divisor / beta
    return _Moving(v, v_dot), _Moving(tau, -(divisor_dot + tau * beta_dot) / beta)


def _reflected(A: _Moving, v: _Moving, tau: _Moving) -> _Moving:
    """``(1 - τ v vᴴ) A``."""
    v = _Moving(v.x[..., None], v.dot[..., None])
    tau = _Moving(tau.x[..., None], tau.dot[..., None])
    along, along_dot = adjoint(v.x) @ A.x, adjoint(v.dot) @ A.x + adjoint(v.x) @ A.dot
    change = v.dot @ (tau.x * along) + v.x @ (tau.dot * along + tau.x * along_dot)
    return _Moving(A.x - v.x @ (tau.x * along), A.dot - change)
