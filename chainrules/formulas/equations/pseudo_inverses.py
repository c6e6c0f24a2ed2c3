"""The derivatives of the pseudo-inverse.

For ``Y = A⁺``, along directions in which the rank of ``A`` is constant,

    Y_dot = -Y A_dot Y + Y Yᴴ A_dotᴴ (1 - A Y) + (1 - Y A) A_dotᴴ Yᴴ Y
    A_bar = -Yᴴ Y_bar Yᴴ + (1 - A Y) Y_barᴴ Y Yᴴ + Yᴴ Y Y_barᴴ (1 - Y A)

G. H. Golub, V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate", SIAM Journal on Numerical Analysis 10, 1973. As a function of the bound for the rank the
pseudo-inverse is constant between jumps.

A bound may leave out singular values that are not zero. Then singular vectors that are kept turn towards
those that are left out: for ``A = U diag(s) Vᴴ`` and ``K = Uᴴ A_dot V``, with `i` kept and `j` left out, the
tangent has ``(t² Kᴴ + t K) / (s[i]² - s[j]²)`` between the vectors besides, with ``t = s[j] / s[i]``, in both
orders of `i` and `j`. M. Noferini, "A formula for the Fréchet derivative of a generalized matrix function",
SIAM Journal on Matrix Analysis and Applications 38, 2017.
"""

from typing import Any

import numpy as np

from chainrules.formulas.spectra.spectral_gaps import is_zero_value
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, as_rows, transposed, with_last_axis
from chainrules_core import NO_TANGENT, ZeroTangent, may_hold, primal_of


def push_pinv(Y: Any, A: Any, A_dot: Any) -> Any:
    """The tangent of the pseudo-inverse `Y` of `A`."""
    Y_adjoint, A_dot_adjoint = adjoint(Y), adjoint(A_dot)
    by_columns, by_rows = Y @ (Y_adjoint @ A_dot_adjoint), (A_dot_adjoint @ Y_adjoint) @ Y
    Y_dot = by_columns - by_columns @ A @ Y + by_rows - Y @ (A @ by_rows) - Y @ A_dot @ Y
    turned = turned_towards_left_out(Y, A, A_dot)
    return Y_dot if turned is None else Y_dot + turned


def pull_pinv(Y: Any, A: Any, Y_bar: Any) -> Any:
    """The cotangent of `A`, for the cotangent of its pseudo-inverse `Y`."""
    Y_adjoint, Y_bar_adjoint = adjoint(Y), adjoint(Y_bar)
    by_rows, by_columns = (Y_bar_adjoint @ Y) @ Y_adjoint, Y_adjoint @ (Y @ Y_bar_adjoint)
    A_bar = by_rows - A @ (Y @ by_rows) + by_columns - by_columns @ Y @ A
    A_bar = A_bar - Y_adjoint @ Y_bar @ Y_adjoint
    turned = turned_towards_left_out(Y, A, Y_bar, backwards=True)
    return A_bar if turned is None else A_bar + turned


def turned_towards_left_out(Y: Any, A: Any, X: Any, *, backwards: bool = False) -> Any:
    """The part of the tangent, or cotangent, by singular values that are left out and are not zero.

    `X` is the tangent of `A`, or backwards the cotangent of `Y`. `None` if no such values are left out.
    """
    ranks = np.real(np.sum(primal_of(Y) * transposed(primal_of(A)), axis=(-2, -1)))  # traces of projections
    if not may_hold(np.round(ranks) != min(shape_of(A)[-2:])):
        return None
    U, s, V_adjoint = np.linalg.svd(A, full_matrices=False)
    inverses = np.real(np.sum(primal_of(V_adjoint) @ primal_of(Y) * transposed(primal_of(U)), axis=-1))
    is_kept = inverses * primal_of(s) > 0.5
    if not may_hold(~is_kept & ~is_zero_value(s)):
        return None
    is_pair = with_last_axis(is_kept) & ~as_rows(is_kept)
    t = np.where(is_pair, as_rows(s), 0) / with_last_axis(np.where(is_kept, s, 1))
    by_same = t / np.where(is_pair, with_last_axis(s) ** 2 - as_rows(s) ** 2, 1)
    by_adjoint = t * by_same
    left, right = (adjoint(V_adjoint), U) if backwards else (U, adjoint(V_adjoint))
    K = adjoint(left) @ X @ right
    turns = (by_adjoint + transposed(by_adjoint)) * adjoint(K) + (by_same + transposed(by_same)) * K
    return right @ turns @ adjoint(left)


def constant_in(option: Any) -> Any:
    """The cotangent of an option: zero for a bound for the rank; the other options are no numbers."""
    return NO_TANGENT if option is None or isinstance(option, bool) else ZeroTangent()
