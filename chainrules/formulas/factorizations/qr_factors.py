"""The derivatives of the QR decomposition.

For ``A = Q R`` with independent columns, ``Z = A_dot R⁻¹``, ``W = Qᴴ Z``, and ``Φ(X)`` the lower triangle of
``X`` with its diagonal halved,

    Q_dot = Z + Q (Ω - W),   R_dot = (W - Ω) R,   Ω = Φ(W) - Φ(W)ᴴ
    A_bar = (Q_bar + Q (Φ(G - Gᴴ) - G)) R⁻ᴴ,   G = Qᴴ Q_bar - R_bar Rᴴ

since ``Qᴴ Q_dot`` is skew-Hermitian, and the triangular ``R`` has a real diagonal, which is how LAPACK
chooses the phase. S. F. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra functions with
application in optimum experimental design", arXiv:1001.1654.

For a wide matrix ``[A₁ A₂]``, with square ``A₁``, these are the equations for ``A₁``, and ``R₂ = Qᴴ A₂``. The
columns that complete the basis of a complete ``Q`` are pushed forwards as LAPACK makes them. In reverse only
functions of the space that they span have a derivative, and others are refused. If the columns of ``A``, or
of ``A₁``, are dependent there is no derivative, and `numpy.linalg.LinAlgError` is raised.
"""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.lengths import with_length
from chainrules.formulas.matrices.hermitian import half
from chainrules.formulas.spectra.completing_reflections import turn_of_complement
from chainrules.formulas.spectra.orthogonal_complements import complement_dot, cotangent_of_first
from chainrules.numerics.lazy_matrices import solve
from chainrules.values.stacks import adjoint
from chainrules_core import AbstractZero, primal_of


def push_qr(Q: Any, R: Any, A: Any, A_dot: Any) -> tuple[Any, Any]:
    """The tangents of both factors, each of which may be reduced or complete."""
    rows, columns = primal_of(A).shape[-2:]
    k = min(rows, columns)
    Q1, R1 = Q[..., :k], R[..., :k, :k]
    Z = _right_divided(A_dot[..., :k], R1)
    W = adjoint(Q1) @ Z
    lower = half(W)
    turn = lower - adjoint(lower)
    Q1_dot, R_dot = Z + Q1 @ (turn - W), (W - turn) @ R1
    if columns > k:
        rest_dot = adjoint(Q1_dot) @ A[..., k:] + adjoint(Q1) @ A_dot[..., k:]
        return Q1_dot, np.concatenate([R_dot, rest_dot], axis=-1)
    R_dot = with_length(R_dot, primal_of(R).shape[-2], -2)
    if primal_of(Q).shape[-1] == k:
        return Q1_dot, R_dot
    turn = turn_of_complement(A, A_dot, Q[..., k:], (False,))
    return np.concatenate([Q1_dot, complement_dot(Q1, Q1_dot, Q[..., k:], turn)], axis=-1), R_dot


def pull_qr(  # noqa: PLR0913, PLR0917 - a decomposition, its name, and two cotangents
    name: str, Q: Any, R: Any, A: Any, Q_bar: Any, R_bar: Any
) -> Any:
    """The cotangent of the matrix for the cotangents of both factors; either may be a zero.

    Raises
    ------
    ValueError
        If the cotangent is felt by a function of the basis that a complete ``Q`` is completed with, which is
        an arbitrary choice; it has the `name` of the decomposition.
    """
    if isinstance(Q_bar, AbstractZero) and isinstance(R_bar, AbstractZero):
        return Q_bar
    rows, columns = primal_of(A).shape[-2:]
    k = min(rows, columns)
    Q1, R1 = Q[..., :k], R[..., :k, :k]
    Q1_bar = cotangent_of_first(name, Q1, Q, Q_bar)
    R_bar = np.zeros_like(primal_of(R)) if isinstance(R_bar, AbstractZero) else R_bar
    if columns == k:
        return _pull_reduced(Q1, R1, Q1_bar, R_bar[..., :k, :])
    rest_bar = R_bar[..., k:]
    Q1_bar = Q1_bar + A[..., k:] @ adjoint(rest_bar)
    first_bar = _pull_reduced(Q1, R1, Q1_bar, R_bar[..., :k])
    return np.concatenate([first_bar, Q1 @ rest_bar], axis=-1)


def _pull_reduced(Q: Any, R: Any, Q_bar: Any, R_bar: Any) -> Any:
    """The cotangent of a matrix that is not wide, for the reduced factors."""
    G = adjoint(Q) @ Q_bar - R_bar @ adjoint(R)
    return _right_divided(Q_bar + Q @ (half(G - adjoint(G)) - G), adjoint(R))


def _right_divided(X: Any, R: Any) -> Any:
    """``X R⁻¹``."""
    try:
        return adjoint(solve(adjoint(R), adjoint(X)))
    except np.linalg.LinAlgError:
        raise np.linalg.LinAlgError("Singular matrix: its QR factors have no derivative") from None
