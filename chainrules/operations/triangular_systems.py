"""Linear systems with triangular matrices, as a function that has rules.

For ``L X = B``: ``B_bar = L⁻ᴴ X_bar``, and ``L_bar`` is the lower triangle of ``-B_bar Xᴴ``. M. B. Giles, "An
extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation",
2008, section 2.3.1.
"""

from typing import Any

import numpy as np

from chainrules.numerics.lapack import is_for_lapack, lapack_routine
from chainrules.numerics.lazy_matrices import solve
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, frule, primitive, rrule, typeof_, unbroadcast


@primitive
def solve_lower(L: Any, B: Any, by_adjoint: bool = False) -> Any:
    """``L⁻¹ B`` for lower triangular matrices, or ``L⁻ᴴ B``.

    Parameters
    ----------
    L
        Shape ``(..., n, n)``; elements above the diagonal are not read.
    B
        Shape ``(..., n, k)``; stacks of both broadcast.
    by_adjoint
        Whether the matrices of the systems are the adjoints.
    """
    if not (is_for_lapack(L) and is_for_lapack(B) and L.dtype == B.dtype):
        triangle: Any = np.tril(L)
        return solve(adjoint(triangle) if by_adjoint else triangle, B)
    trsm = lapack_routine("trsm", L.dtype.char)
    # BLAS stores columns: it is given the transposes, as views, and solves Xᵀ Lᵀ = Bᵀ.
    return trsm(1.0, L.T, B.T, side=1, trans_a=2 if by_adjoint else 0).T


@frule.dispatch
def solve_lower_frule(
    tangents: Any, f: typeof_(solve_lower), L: ArrayOperand, B: ArrayOperand, by_adjoint: bool = False
) -> tuple[Any, Any]:
    """The tangent solves a system with the same matrix."""
    _, L_dot, B_dot, *_ = tangents
    X = solve_lower(L, B, by_adjoint)
    matrix_dot = adjoint(np.tril(L_dot)) if by_adjoint else np.tril(L_dot)
    return X, solve_lower(L, B_dot - matrix_dot @ X, by_adjoint)


@rrule.dispatch
def solve_lower_rrule(
    f: typeof_(solve_lower), L: ArrayOperand, B: ArrayOperand, *options: bool
) -> tuple[Any, Any]:
    """The cotangent solves a system with the adjoint matrix."""
    X = solve_lower(L, B, *options)
    by_adjoint = any(options)

    def solve_lower_pullback(X_bar: Any) -> Any:
        B_bar = solve_lower(L, X_bar, not by_adjoint)
        L_bar = -np.tril(X @ adjoint(B_bar) if by_adjoint else B_bar @ adjoint(X))
        return NO_TANGENT, unbroadcast(L, L_bar), unbroadcast(B, B_bar), *(NO_TANGENT,) * len(options)

    return X, solve_lower_pullback
