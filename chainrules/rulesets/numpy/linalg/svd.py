"""Rules for the singular value decomposition, and for singular values alone.

See `chainrules.formulas.spectra.singular_vectors`.
"""

import functools
from typing import NamedTuple

import numpy as np

from chainrules.formulas.matrices.hermitian import hermitian_from
from chainrules.formulas.spectra.adapted_bases import can_adapt
from chainrules.formulas.spectra.eigenvectors import pull_eigh, push_eigh
from chainrules.formulas.spectra.singular_values import pull_singular_values, push_singular_values
from chainrules.formulas.spectra.singular_vectors import pull_decomposition, push_decomposition
from chainrules.formulas.spectra.spectral_gaps import differentiable_part, is_zero_value
from chainrules.numerics.lazy_matrices import svd
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, times_diagonal
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    ZeroTangent,
    frule,
    may_hold,
    primal_of,
    rrule,
    typeof_,
)

_FULL = "np.linalg.svd(..., full_matrices=True)"


@frule.dispatch
def svd_frule(tangents, f: typeof_(np.linalg.svd), A: ArrayOperand, *options, **named):
    asked = _Asked(*options, **named)
    A_dot = tangents[1]
    y = _decomposed(A, asked)
    if not asked.compute_uv:
        return y[1], _values_pushed_hermitian(y, A_dot) if asked.hermitian else push_singular_values(y, A_dot)
    parts, dots = _pushed_hermitian(y, A_dot) if asked.hermitian else push_decomposition(A, A_dot, y)
    y = type(y)(*parts)
    return y, tangent_of_results(y, *dots)


@rrule.dispatch
def svd_rrule(f: typeof_(np.linalg.svd), A: ArrayOperand, *options, **named):
    asked = _Asked(*options, **named)
    y = _decomposed(A, asked)
    project = ProjectTo(A)
    pull = _pulled_hermitian if asked.hermitian else functools.partial(pull_decomposition, _FULL)

    def svd_pullback(y_bar):
        zero = ZeroTangent()
        parts = cotangents_of_results(y, y_bar) if asked.compute_uv else (zero, y_bar, zero)
        return NO_TANGENT, project(pull(y, *parts)), *(NO_TANGENT,) * len(options)

    return (y if asked.compute_uv else y[1]), svd_pullback


@frule.dispatch
def svdvals_frule(tangents, f: typeof_(np.linalg.svdvals), A: ArrayOperand):
    A_dot = tangents[1]
    y = svd(A, False, False)
    return y[1], push_singular_values(y, A_dot)


@rrule.dispatch
def svdvals_rrule(f: typeof_(np.linalg.svdvals), A: ArrayOperand):
    y = svd(A, False, False)
    project = ProjectTo(A)

    def svdvals_pullback(s_bar):
        return NO_TANGENT, project(pull_singular_values(y, s_bar))

    return y[1], svdvals_pullback


class _Asked(NamedTuple):
    """The arguments of `numpy.linalg.svd` after the matrix."""

    full_matrices: bool = True
    compute_uv: bool = True
    hermitian: bool = False


def _decomposed(A, asked: _Asked):
    """The decomposition that the derivatives need: the smaller one for singular values alone."""
    is_full = asked.full_matrices and asked.compute_uv
    return svd(A, is_full, asked.hermitian)


# --- Of a Hermitian matrix: the singular values are the moduli of the eigenvalues ------------------


def _values_pushed_hermitian(y, A_dot):
    U, s, V_adjoint = y
    H_dot = hermitian_from(A_dot)
    w_dot = np.real(np.sum(np.conjugate(U) * (H_dot @ U), axis=-2))
    return _signs(U, V_adjoint) * (differentiable_part(w_dot, s) if can_adapt(U) else w_dot)


def _pushed_hermitian(y, A_dot):
    U, s, V_adjoint = y
    signs = _signs(U, V_adjoint)
    (_, U), (w_dot, U_dot) = push_eigh((signs * s, U), hermitian_from(A_dot))
    is_zero = is_zero_value(s)
    if may_hold(is_zero):
        w_dot = w_dot if can_adapt(U, w_dot) else np.where(is_zero, np.nan, w_dot)
        # A value that is zero takes the sign with which it moves.
        signs = np.where(is_zero, np.where(primal_of(w_dot) < 0, -1, 1), signs).astype(signs.dtype)
    y = U, s, adjoint(times_diagonal(U, signs))
    return y, (U_dot, signs * w_dot, adjoint(times_diagonal(U_dot, signs)))


def _pulled_hermitian(y, U_bar, s_bar, V_adjoint_bar):
    U, s, V_adjoint = y
    signs = _signs(U, V_adjoint)
    is_alone = isinstance(U_bar, AbstractZero) and isinstance(V_adjoint_bar, AbstractZero)
    if not isinstance(s_bar, AbstractZero):
        s_bar = signs * (differentiable_part(s_bar, s) if is_alone else s_bar)
        if not is_alone:
            # NumPy 2.2 gives the value zero the sign zero, in which the part of its vectors is lost.
            s_bar = np.where(signs == 0, np.nan, s_bar)
    if not isinstance(V_adjoint_bar, AbstractZero):
        U_bar = U_bar + times_diagonal(adjoint(V_adjoint_bar), signs)
    return pull_eigh((signs * s, U), (s_bar, U_bar))


def _signs(U, V_adjoint):
    """The signs of the eigenvalues; zero for zero."""
    U, V_adjoint = primal_of(U), primal_of(V_adjoint)
    return np.sign(np.real(np.sum(U * np.swapaxes(V_adjoint, -1, -2), axis=-2)))
