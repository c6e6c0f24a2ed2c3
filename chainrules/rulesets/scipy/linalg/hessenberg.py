"""Rules for the Hessenberg form, ``A = Q H Qᴴ``.

The first column of ``Q`` is a unit vector, and determines the others up to signs: G. H. Golub and C. F. Van
Loan, "Matrix Computations", 2013, theorem 7.4.2. With ``M = Qᴴ A_dot Q`` and a skew matrix ``X``,

    Q_dot = Q X,   H_dot = M + H X - X H

Below the subdiagonal ``H_dot`` is zero, and on that of complex matrices, which LAPACK makes real, it is real.
So each column of ``X`` follows from those before it::

    X[i, j + 1] H[j + 1, j] = (M + H X)[i, j] - Σ_{k ≤ j} X[i, k] H[k, j]   for i > j

Signs are kept, though LAPACK may choose others for a matrix beside one that has the form already. If an
element of the subdiagonal is zero, the columns after it are an arbitrary choice, and
`numpy.linalg.LinAlgError` is raised.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import hessenberg

from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate, is_complex_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
)

_hessenberg = primitive(hessenberg)


@frule.dispatch
def hessenberg_frule(tangents: Any, f: typeof_(hessenberg), A: ArrayOperand, *options: Any, **named: Any):
    A_dot = tangents[1]
    asked = _Asked(*options, **named)
    y = H, Q = _with_vectors(A, asked)
    H_dot, Q_dot = A_dot, ZeroTangent()
    if _has_subdiagonals(A):
        M = adjoint(Q) @ A_dot @ Q
        X = _turns(H, M)
        H_dot, Q_dot = np.triu(M + H @ X - X @ H, -1), Q @ X
    return (y, tangent_of_results(y, H_dot, Q_dot)) if asked.calc_q else (H, H_dot)


@rrule.dispatch
def hessenberg_rrule(f: typeof_(hessenberg), A: ArrayOperand, *options: Any, **named: Any):
    asked, project = _Asked(*options, **named), ProjectTo(A)
    y = H, Q = _with_vectors(A, asked)
    without_tangents = (NO_TANGENT,) * len(options)

    def hessenberg_pullback(y_bar):
        H_bar, Q_bar = cotangents_of_results(y, y_bar) if asked.calc_q else (y_bar, ZeroTangent())
        if not _has_subdiagonals(A):
            return NO_TANGENT, project(H_bar), *without_tangents
        if isinstance(H_bar, AbstractZero) and isinstance(Q_bar, AbstractZero):
            return NO_TANGENT, H_bar, *without_tangents
        M_bar = np.zeros_like(primal_of(H)) if isinstance(H_bar, AbstractZero) else np.triu(H_bar, -1)
        X_bar = adjoint(H) @ M_bar - M_bar @ adjoint(H) + adjoint(Q) @ Q_bar
        M_bar = M_bar + _pulled_turns(H, X_bar)
        return NO_TANGENT, project(Q @ M_bar @ adjoint(Q)), *without_tangents

    return (y if asked.calc_q else H), hessenberg_pullback


class _Asked(NamedTuple):
    """The arguments of `scipy.linalg.hessenberg` after the matrix."""

    calc_q: bool = False
    overwrite_a: bool = False
    check_finite: bool = True


def _with_vectors(A, asked):
    return _hessenberg(A, *asked._replace(calc_q=True, overwrite_a=False))


def _has_subdiagonals(A):
    """Whether there is anything to do: matrices with two rows have the form."""
    return shape_of(A)[-1] > 2


def _divisors(H):
    """The subdiagonal.

    Raises
    ------
    numpy.linalg.LinAlgError
        If an element that divides is zero.
    """
    n = shape_of(H)[-1]
    divisors = np.real(np.diagonal(H, -1, -2, -1))
    # The last divides no more than the rate at which a complex vector turns along itself.
    used = np.abs(primal_of(divisors)[..., : n - 1 if is_complex_array(H) else n - 2])
    size = np.max(np.abs(primal_of(H)), axis=(-2, -1))[..., None]
    if np.any(used <= np.finfo(used.dtype).eps * n * size):
        raise np.linalg.LinAlgError(
            "The Hessenberg form of a matrix has no derivative where an element of its subdiagonal is zero"
        )
    return np.where(primal_of(divisors) == 0, 1.0, divisors)


def _turns(H, M):
    """The skew matrices ``X``, column by column."""
    divisors = _divisors(H)
    columns = [np.zeros_like(M[..., 0])]
    for j in range(shape_of(H)[-1] - 1):
        known = _times(np.stack(columns, axis=-1), H[..., : j + 1, j])
        R = M[..., j] + _times(H, columns[j]) - known
        above = [-conjugate(column[..., j + 1 : j + 2]) for column in columns]
        below = R[..., j + 1 :] / divisors[..., j : j + 1]
        columns.append(np.concatenate([*above, _along_itself(below[..., :1]), below[..., 1:]], axis=-1))
    return np.stack(columns, axis=-1)


def _pulled_turns(H, X_bar):
    """The cotangent of ``M`` for that of ``X``: the adjoint of `_turns`."""
    n, divisors = shape_of(H)[-1], _divisors(H)
    columns = [np.zeros_like(X_bar[..., 0])]
    for j in range(n - 2, -1, -1):
        column, row = X_bar[..., j + 1 :, j + 1], X_bar[..., j + 1, j + 2 :]
        below = [_along_itself(column[..., :1]), column[..., 1:] - conjugate(row)]
        R_bar = np.concatenate([np.zeros_like(X_bar[..., : j + 1, 0]), *below], axis=-1)
        R_bar = R_bar / divisors[..., j : j + 1]
        columns.append(R_bar)
        felt = _times(adjoint(H), R_bar)[..., None] * (np.arange(n) == j)
        X_bar = X_bar + felt - R_bar[..., None] * conjugate(H[..., None, :, j] * (np.arange(n) <= j))
    return np.stack(columns[::-1], axis=-1)


def _along_itself(x):
    """How a vector turns along itself: an imaginary rate, and none of a real vector."""
    return 1j * np.imag(x) if is_complex_array(x) else np.zeros_like(x)


def _times(A, x):
    return (A @ x[..., None])[..., 0]
