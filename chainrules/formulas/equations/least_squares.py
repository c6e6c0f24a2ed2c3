"""The derivatives of least-squares problems.

For the solution ``X = A⁺ B`` of minimal norm, and the residual ``R = B - A X``, along directions in which the
rank of ``A`` is constant,

    X_dot = A⁺ (B_dot - A_dot X) + A⁺ (A⁺)ᴴ A_dotᴴ R + (1 - A⁺ A) A_dotᴴ (A⁺)ᴴ X

by the derivative of the pseudo-inverse; see `chainrules.formulas.equations.pseudo_inverses`, also where
singular values are left out that are not zero. With ``L = (A⁺)ᴴ X_bar``, in reverse,

    B_bar = L,   A_bar = -L Xᴴ + R (A⁺ L)ᴴ + (A⁺)ᴴ X (X_bar - Aᴴ L)ᴴ

The sums of squares of the residuals have the derivative ``2 Re(Rᴴ (B_dot - A_dot X))``, since ``R`` is
orthogonal to the columns of ``A``. The rank is a constant. All right sides and solutions are columns.
"""

from typing import Any

import numpy as np

from chainrules.formulas.equations.pseudo_inverses import turned_towards_left_out
from chainrules.values.recorded_calls import in_one_line
from chainrules.values.stacks import adjoint, as_rows, conjugate
from chainrules_core import primal_of


def push_least_squares(  # noqa: PLR0913, PLR0917 - a problem, its solution, and two tangents
    A: Any, B: Any, X: Any, inverse: Any, A_dot: Any, B_dot: Any
) -> tuple[Any, Any]:
    """The tangents of the solution `X` and of the sums of squares; `inverse` is the pseudo-inverse."""
    R, R_dot = B - A @ X, B_dot - A_dot @ X
    inverse_adjoint, A_dot_adjoint = adjoint(inverse), adjoint(A_dot)
    outside = A_dot_adjoint @ (inverse_adjoint @ X)
    X_dot = inverse @ (R_dot + inverse_adjoint @ (A_dot_adjoint @ R)) + outside - inverse @ (A @ outside)
    turned = turned_towards_left_out(inverse, A, A_dot)
    X_dot = X_dot if turned is None else X_dot + turned @ B
    return X_dot, 2 * np.real(np.sum(conjugate(R) * R_dot, axis=-2))


def pull_least_squares(A: Any, B: Any, X: Any, inverse: Any, X_bar: Any) -> tuple[Any, Any]:
    """The cotangents of `A` and `B` for the cotangent of the solution."""
    R, inverse_adjoint = B - A @ X, adjoint(inverse)
    B_bar = inverse_adjoint @ X_bar
    A_bar = R @ adjoint(inverse @ B_bar) - B_bar @ adjoint(X)
    outside = X_bar - adjoint(A) @ B_bar
    A_bar = A_bar + (inverse_adjoint @ X) @ adjoint(outside)
    turned = turned_towards_left_out(inverse, A, X_bar @ adjoint(B), backwards=True)
    return A_bar if turned is None else A_bar + turned, B_bar


def pull_squared_residuals(A: Any, B: Any, X: Any, squares_bar: Any) -> tuple[Any, Any]:
    """The cotangents of `A` and `B` for the cotangent of the sums of squares, one for each column."""
    R_bar = 2 * as_rows(squares_bar) * (B - A @ X)
    return -R_bar @ adjoint(X), R_bar


def pseudo_inverse_of_rank(A: Any, rank: Any, s: Any) -> Any:
    """The pseudo-inverse of matrices with singular values `s`, of which `rank` are taken for nonzero."""
    s, rank = primal_of(s), np.asarray(primal_of(rank))
    if not s.shape[-1]:
        return np.zeros_like(primal_of(adjoint(A)))
    # Infinite values before the first, and a zero after the last, bound every rank.
    padded = np.concatenate((np.full_like(s[..., :1], 3) * s[..., :1], s, np.zeros_like(s[..., :1])), axis=-1)
    largest_left_out = np.take_along_axis(padded, rank[..., None] + 1, -1)[..., 0]
    smallest_kept = np.take_along_axis(padded, rank[..., None], -1)[..., 0]
    is_full = rank == s.shape[-1]
    largest = np.where(s[..., 0] == 0, 1, s[..., 0])
    cutoff = np.where(is_full, 0, (smallest_kept + largest_left_out) / 2 / largest)
    return _pinv(A, cutoff)


_pinv = in_one_line(np.linalg.pinv)  # NumPy asks the matrix alone who computes
