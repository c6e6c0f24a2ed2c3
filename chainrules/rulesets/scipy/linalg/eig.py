"""Rules for the eigenvalues and eigenvectors of general matrices, and of pairs of matrices.

For ``A V = B V diag(w)``, with ``M = B V``, the tangents of both are functions of

    K = M⁻¹ (A_dot V - B_dot V diag(w)),   A_bar = M⁻ᴴ K_bar Vᴴ,   B_bar = -A_bar with V diag(w) in the place
    of V

as in `chainrules.formulas.spectra.general_eigenvectors`. The left eigenvectors are the columns of ``W =
M⁻ᴴ``, brought to length 1: ``W_dot = -W M_dotᴴ W``, and ``M_bar = -W W_barᴴ W``. M. B. Giles, "An extended
collection of matrix derivative results for forward and reverse mode algorithmic differentiation", 2008,
section 3.1.

The largest component of each eigenvector of one matrix is real. Complex eigenvectors of a pair have an
arbitrary phase: only functions that do not feel it have a derivative, and in reverse others are refused. An
infinite eigenvalue has none: if ``B`` is singular, `numpy.linalg.LinAlgError` is raised.
"""

import inspect
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eig, eigvals

from chainrules.formulas.spectra.general_eigenvectors import (
    freed_of_normalization,
    length_and_phase,
    normalization,
    pull_eigenvectors,
    push_eigenvectors,
    refuse_defective,
)
from chainrules.makers.linear_rules import tangent_like
from chainrules.values.named_results import cotangents_of_results, results_like, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, conjugate, diagonal_matrix, is_complex_array, times_diagonal
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    frule,
    primitive,
    rrule,
    typeof_,
    unbroadcast,
)

_eig = primitive(eig)
_NAME = "scipy.linalg.eig(a, b)"


class _Asked(NamedTuple):
    """The arguments of `scipy.linalg.eig` after the matrix."""

    b: Any = None
    left: bool = False
    right: bool = True
    overwrite_a: bool = False
    overwrite_b: bool = False
    check_finite: bool = True
    homogeneous_eigvals: bool = False


class _Eigenvectors(NamedTuple):
    """What the derivatives are computed from; `left` vectors only if they are asked for."""

    w: Any
    V: Any
    M: Any
    left: Any


@frule.dispatch
def eig_frule(tangents: Any, f: typeof_(eig), A: ArrayOperand, *options: Any, **named: Any):
    return _push(tangents, A, _Asked(*options, **named))


@rrule.dispatch
def eig_rrule(f: typeof_(eig), A: ArrayOperand, *options: Any, **named: Any):
    y, pull = _pulling(A, _Asked(*options, **named))

    def eig_pullback(y_bar):
        return NO_TANGENT, *_for_each(pull(y_bar), options)

    return y, eig_pullback


@frule.dispatch
def eigvals_frule(tangents: Any, f: typeof_(eigvals), A: ArrayOperand, *options: Any, **named: Any):
    return _push(tangents, A, _asked_for_values(*options, **named))


@rrule.dispatch
def eigvals_rrule(f: typeof_(eigvals), A: ArrayOperand, *options: Any, **named: Any):
    y, pull = _pulling(A, _asked_for_values(*options, **named))

    def eigvals_pullback(w_bar):
        return NO_TANGENT, *_for_each(pull(w_bar), options)

    return y, eigvals_pullback


# The options of `eigvals` in their order, which SciPy 1.18 has changed.
_OPTIONS_OF_EIGVALS = tuple(inspect.signature(eigvals).parameters)[1:]


def _asked_for_values(*options: Any, **named: Any) -> _Asked:
    """The arguments of `scipy.linalg.eigvals`, as those of `eig`."""
    return _Asked(**dict(zip(_OPTIONS_OF_EIGVALS, options, strict=False)), **named, right=False)


def _for_each(bars, options):
    """The cotangents of both matrices, of which the second is one of the options, and of the others."""
    return (*bars[: 1 + len(options)], *(NO_TANGENT for _ in options[1:]))


def _decomposed(A, asked: _Asked):
    """The results that are asked for, and what the derivatives are computed from.

    Raises
    ------
    ValueError
        For the eigenvalues of a pair as fractions, and for its left vectors without the right ones.
    """
    if asked.homogeneous_eigvals and asked.b is not None:
        raise ValueError(
            "scipy.linalg.eig(a, b, homogeneous_eigvals=True) cannot be differentiated: by which number both "
            "parts of a fraction are multiplied is LAPACK's choice. Write `homogeneous_eigvals=False`."
        )
    if asked.left and not asked.right and asked.b is not None:
        raise ValueError(
            "scipy.linalg.eig(a, b, left=True, right=False) cannot be differentiated: SciPy gives only the "
            "first vector the length 1. Write `right=True`, where it gives it to all."
        )
    options = asked._asdict() | {"right": True, "overwrite_a": False, "overwrite_b": False}
    results = _eig(A, **options)
    values, *left, V = results
    w = values[..., 0, :] if asked.homogeneous_eigvals else values
    parts = [values, *left, *([V] if asked.right else [])]
    y = results_like(results, *parts) if len(parts) > 1 else values
    w = w if is_complex_array(V) else np.real(w)
    M = V if asked.b is None else asked.b @ V
    return y, _Eigenvectors(w, V, M, left[0] if left else None)


def _push(tangents, A, asked: _Asked):
    A_dot, B_dot = (*tangents[1:3], NO_TANGENT)[:2]
    B_dot = B_dot if asked.b is not None else NO_TANGENT
    y, (w, V, M, VL) = _decomposed(A, asked)
    if isinstance(A_dot, AbstractZero) and isinstance(B_dot, AbstractZero):
        return y, A_dot
    refuse_defective(w, V)
    right = A_dot @ V - times_diagonal(B_dot @ V, w)
    adapted, (w_dot, V_dot) = push_eigenvectors(w, V, np.linalg.solve(M, right), asked.b is None)
    values = y[0] if isinstance(y, tuple | list) else y
    w_dot = tangent_like(w + 0j, w_dot)
    if asked.homogeneous_eigvals:
        w_dot = np.stack([w_dot, 0 * w_dot], axis=-2)
    results, dots = [values], [w_dot]
    if asked.left:
        if adapted is not V:
            M, VL = (adapted if asked.b is None else asked.b @ adapted), None
        M_dot = V_dot if asked.b is None else B_dot @ adapted + asked.b @ V_dot
        VL, VL_dot = _push_left(M, M_dot, VL, asked)
        results, dots = [*results, VL], [*dots, VL_dot]
    if asked.right:
        results, dots = [*results, adapted], [*dots, V_dot]
    if len(results) == 1:
        return values, w_dot
    y = results_like(y, *results)
    return y, tangent_of_results(y, *dots)


def _push_left(M, M_dot, VL, asked: _Asked):
    """The left vectors, which may be given, and their tangent."""
    W = adjoint(np.linalg.inv(M))
    factors = 1 / length_and_phase(W) if VL is None else _factors(W, VL)
    VL = times_diagonal(W, factors)
    moved = -times_diagonal(W @ adjoint(M_dot) @ W, factors)
    return VL, moved + times_diagonal(VL, normalization(VL, moved, asked.b is None))


def _factors(W, VL):
    """By which the vectors `W` are multiplied in `VL`."""
    return np.sum(conjugate(W) * VL, axis=-2) / np.sum(np.abs(W) ** 2, axis=-2)


def _pulling(A, asked: _Asked):
    """The results that are asked for, and the function from their cotangents to those of both matrices."""
    y, (w, V, M, VL) = _decomposed(A, asked)
    B, name = asked.b, None if asked.b is None else _NAME

    def pull(y_bar):
        bars = list(cotangents_of_results(y, y_bar)) if isinstance(y, tuple | list) else [y_bar]
        w_bar = bars.pop(0)
        V_bar = bars.pop() if asked.right else ZeroTangent()
        VL_bar = bars.pop() if asked.left else ZeroTangent()
        if asked.homogeneous_eigvals:
            w_bar = w_bar[..., 0, :]
        if all(isinstance(bar, AbstractZero) for bar in (w_bar, V_bar, VL_bar)):
            return w_bar, NO_TANGENT if B is None else w_bar
        refuse_defective(w, V)
        if not isinstance(V_bar, AbstractZero):
            V_bar = freed_of_normalization(name, V, V_bar)
        B_bar = ZeroTangent()
        if not isinstance(VL_bar, AbstractZero):
            W = adjoint(np.linalg.inv(M))
            W_bar = times_diagonal(freed_of_normalization(name, VL, VL_bar), conjugate(_factors(W, VL)))
            M_bar = -(W @ adjoint(W_bar) @ W)
            V_bar = V_bar + (M_bar if B is None else adjoint(B) @ M_bar)
            B_bar = B_bar if B is None else M_bar @ adjoint(V)
        if isinstance(V_bar, AbstractZero):
            K_bar = diagonal_matrix(w_bar)
        else:
            K_bar = pull_eigenvectors(w, V, w_bar, V_bar)
        N_bar = np.linalg.solve(adjoint(M), K_bar)
        A_bar = unbroadcast(A, N_bar @ adjoint(V))
        if B is None:
            return A_bar, NO_TANGENT
        return A_bar, unbroadcast(B, B_bar - N_bar @ adjoint(times_diagonal(V, w)))

    return y, pull
