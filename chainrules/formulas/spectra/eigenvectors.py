"""The derivatives of the eigenvalues and eigenvectors of Hermitian matrices.

For ``A V = V diag(w)``, with ``K = Vᴴ A_dot V`` and ``F[i, j] = 1 / (w[j] - w[i])``, zero on the diagonal:

    w_dot = diag(K),   V_dot = V (F ∘ K)
    A_bar = V (diag(w_bar) + F ∘ Vᴴ V_bar) Vᴴ

M. B. Giles, "An extended collection of matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 3.1. Complex eigenvectors keep LAPACK's phase: the first component of each is
real, or the last if the upper triangle is read. For equal eigenvalues see
`chainrules.formulas.spectra.spectral_gaps` and, forwards, `chainrules.formulas.spectra.adapted_bases`.
"""

from typing import Any

import numpy as np

from chainrules.formulas.matrices.hermitian import onto_triangle
from chainrules.formulas.spectra.adapted_bases import can_adapt, turns_of_eigenvectors
from chainrules.formulas.spectra.phases import is_row, phase_component, phase_cotangent, phase_rate
from chainrules.formulas.spectra.spectral_gaps import (
    gaps,
    is_negligible,
    quotient,
    quotient_except,
    quotient_of_cotangents,
)
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import (
    adjoint,
    as_rows,
    diagonal_matrix,
    diagonal_of,
    is_complex_array,
    times_diagonal,
    with_last_axis,
)
from chainrules_core import AbstractZero, primal_of


def push_eigh(
    y: tuple[Any, Any], H_dot: Any, is_lower: bool = True, others: tuple[Any, Any] | None = None
) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """The eigenvalues, in any order, and eigenvectors, and their tangents for the tangent of the matrix.

    For equal eigenvalues other vectors may be chosen than the vectors in `y`.

    Parameters
    ----------
    y
        The eigenvalues, shape ``(..., k)``, and eigenvectors, shape ``(..., n, k)``.
    H_dot
        The Hermitian tangent of the matrix.
    is_lower
        Which component of complex vectors is real: the first or the last.
    others
        If `y` has not all of them, the other eigenvalues and vectors; then the tangent of a vector is NaN if
        one of these has its eigenvalue.
    """
    w, V = y
    K = adjoint(V) @ H_dot @ V
    divisor, unknown = gaps(w), 0.0
    is_equal = is_negligible(primal_of(divisor), w)
    if np.count_nonzero(is_equal):
        if can_adapt(V, K):
            Q = turns_of_eigenvectors(w, K)
            Q = times_diagonal(Q, _to_phase(V @ Q, is_lower)) if is_complex_array(V) else Q
            V, K = V @ Q, adjoint(Q) @ K @ Q
        else:
            unknown = np.nan
    V_dot = V @ quotient_except(is_equal, K, divisor, unknown)
    if others is not None:
        w2, V2 = others
        turns = adjoint(V2) @ (H_dot @ V)
        V_dot = V_dot + V2 @ quotient(turns, as_rows(w) - with_last_axis(w2), _joined(w, w2), np.nan)
    if is_complex_array(V):
        V_dot = V_dot + times_diagonal(V, 1j * phase_rate(V, V_dot, _is_real(V, is_lower)))
    return (w, V), (np.real(diagonal_of(K)), V_dot)


def pull_eigh(
    y: tuple[Any, Any], y_bar: tuple[Any, ...], is_lower: bool = True, others: tuple[Any, Any] | None = None
) -> Any:
    """The cotangent of the argument, on the triangle that is read, for the cotangents of both results.

    It is NaN for equal eigenvalues if both are differentiated by. The parameters are those of `push_eigh`.
    """
    w, V = y
    w_bar, V_bar = y_bar
    if isinstance(V_bar, AbstractZero):
        if isinstance(w_bar, AbstractZero):
            return w_bar
        return onto_triangle(times_diagonal(V, w_bar) @ adjoint(V), is_lower)
    if is_complex_array(V):
        V_bar = V_bar + phase_cotangent(V, phase_component(V, V_bar), _is_real(V, is_lower))
    turns = adjoint(V) @ V_bar
    turns = turns - adjoint(turns)
    if isinstance(w_bar, AbstractZero):
        K_bar = quotient_of_cotangents(turns, gaps(2 * w), 2 * w, V_bar)
    else:
        K_bar = quotient(turns, gaps(2 * w), 2 * w, np.nan) + diagonal_matrix(w_bar)
    A_bar = V @ K_bar @ adjoint(V)
    if others is not None:
        w2, V2 = others
        turns = adjoint(V2) @ V_bar
        divisor, values = as_rows(w) - with_last_axis(w2), _joined(w, w2)
        A_bar = A_bar + V2 @ quotient_of_cotangents(turns, divisor, values, V_bar) @ adjoint(V)
    return onto_triangle(A_bar, is_lower)


def other_eigenvectors(H: Any, k: int, by_index: Any, by_value: Any) -> tuple[Any, Any] | None:
    """The eigenvalues and eigenvectors of Hermitian matrices that do not belong to a subset of `k`.

    Parameters
    ----------
    H
        Shape ``(..., n, n)``.
    k
        The size of the subset; for `n` the answer is `None`.
    by_index, by_value
        Where the subset begins: the number of its first eigenvalue, or what all its eigenvalues are above of;
        the first items of these.
    """
    n = shape_of(H)[-1]
    if n == k:
        return None
    w, V = np.linalg.eigh(H)
    if by_index is not None:
        first: Any = by_index[0]
    else:
        first = np.count_nonzero(primal_of(w) <= by_value[0], axis=-1, keepdims=True)
    places = np.arange(n - k)
    places = np.broadcast_to(np.where(places < first, places, places + k), (*shape_of(w)[:-1], n - k))
    w2 = np.take_along_axis(w, places, axis=-1)
    return w2, np.take_along_axis(V, np.expand_dims(places, -2), axis=-1)


def _joined(w: Any, w2: Any) -> Any:
    """All eigenvalues of each matrix."""
    return np.concatenate([primal_of(w), primal_of(w2)], axis=-1)


def _is_real(V: Any, is_lower: bool) -> Any:
    """Which components LAPACK keeps real."""
    return is_row(V, 0 if is_lower else -1)


def _to_phase(V: Any, is_lower: bool) -> Any:
    """The factors that give vectors LAPACK's phase."""
    component = V[..., 0 if is_lower else -1, :]
    size = np.abs(component)
    return np.where(size == 0, 1, np.conjugate(component) / np.where(size == 0, 1, size))
