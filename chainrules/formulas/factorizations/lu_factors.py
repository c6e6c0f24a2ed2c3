"""The derivatives of the LU decomposition, of matrices of any shape.

Let ``L U`` be the matrix with its rows in the order of the pivots, and ``D`` its tangent. In blocks, of which
``L₁`` and ``U₁`` are square, and with ``S`` and ``T`` for the strict lower and the upper triangle of ``F``,

    F = L₁⁻¹ D₁₁ U₁⁻¹,    L₁_dot = L₁ S,                U₁_dot = T U₁
                          L₂_dot = D₂₁ U₁⁻¹ - L₂ T,     U₂_dot = L₁⁻¹ D₁₂ - S U₂

and in reverse the two triangles of ``F_bar`` are those of ``L₁ᴴ L₁_bar - U₂_bar U₂ᴴ`` and of ``U₁_bar U₁ᴴ -
L₂ᴴ L₂_bar``, and

    D₁₁_bar = L₁⁻ᴴ F_bar U₁⁻ᴴ,    D₂₁_bar = L₂_bar U₁⁻ᴴ,    D₁₂_bar = L₁⁻ᴴ U₂_bar

S. de Hoog, R. Anderssen, M. Lukas, "Differentiation of matrix functionals using triangular factorization",
Mathematics of Computation 80, 2011. The order is a constant. If the first columns are dependent, there is no
derivative, and `numpy.linalg.LinAlgError` is raised.
"""

from typing import Any

import numpy as np

from chainrules.formulas.arrays.lengths import with_length
from chainrules.operations.triangular_systems import solve_lower
from chainrules.values.stacks import adjoint, diagonal_of
from chainrules_core import AbstractZero, primal_of


def push_lu(L: Any, U: Any, D: Any) -> tuple[Any, Any]:
    """The tangents of both factors."""
    L1, L2, U1, U2 = _blocks(L, U)
    k = primal_of(L).shape[-1]
    first = _right_divided(D[..., :k], U1)
    F = solve_lower(L1, first[..., :k, :])
    S, T = np.tril(F, -1), np.triu(F)
    L_dot = np.concatenate((L1 @ S, first[..., k:, :] - L2 @ T), axis=-2)
    U2_dot = solve_lower(L1, D[..., :k, k:]) - S @ U2
    return L_dot, np.concatenate((T @ U1, U2_dot), axis=-1)


def pull_lu(L: Any, U: Any, L_bar: Any, U_bar: Any) -> Any:
    """The cotangent of the matrix with its rows in order; one of the factors may have a zero."""
    L1, L2, U1, U2 = _blocks(L, U)
    k = primal_of(L).shape[-1]
    L_bar = np.zeros_like(primal_of(L)) if isinstance(L_bar, AbstractZero) else L_bar
    U_bar = np.zeros_like(primal_of(U)) if isinstance(U_bar, AbstractZero) else U_bar
    U1_bar, U2_bar = U_bar[..., :k], U_bar[..., k:]
    S_bar = adjoint(L1) @ L_bar[..., :k, :] - U2_bar @ adjoint(U2)
    T_bar = U1_bar @ adjoint(U1) - adjoint(L2) @ L_bar[..., k:, :]
    F_bar = solve_lower(L1, np.tril(S_bar, -1) + np.triu(T_bar), True)
    first = _right_divided(np.concatenate((F_bar, L_bar[..., k:, :]), axis=-2), U1, True)
    second = solve_lower(L1, U2_bar, True)
    return np.concatenate((first, with_length(second, primal_of(L).shape[-2], -2)), axis=-1)


def _blocks(L: Any, U: Any) -> tuple[Any, Any, Any, Any]:
    """The square blocks of the factors, and what is below or beside them.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the square block of ``U`` is singular.
    """
    k = primal_of(L).shape[-1]
    U1 = U[..., :k]
    if not np.all(diagonal_of(primal_of(U1))):
        raise np.linalg.LinAlgError("Singular matrix: its LU factors have no derivative")
    return L[..., :k, :], L[..., k:, :], U1, U[..., k:]


def _right_divided(X: Any, U: Any, by_adjoint: bool = False) -> Any:
    """``X U⁻¹``, or ``X U⁻ᴴ``."""
    return adjoint(solve_lower(adjoint(U), adjoint(X), by_adjoint))
