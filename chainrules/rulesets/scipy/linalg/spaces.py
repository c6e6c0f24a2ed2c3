"""Rules for orthonormal bases of the range and of the null space of a matrix.

The basis ``N`` of the null space is arbitrary: in reverse only functions of the space that it spans have a
derivative, and others are refused. With the turn ``Ω`` in itself of the basis that LAPACK makes, see
`chainrules.formulas.spectra.completing_reflections`,

    N_dot = -A⁺ A_dot N + N Ω,   A_bar = -A⁺ᴴ N_bar Nᴴ

``Ω`` is known for independent rows, and 0 for others. If a bound leaves out singular values that are not
zero, ``A (A⁺)_dot A N`` is added to ``A_dot N``.

The basis of the range consists of left singular vectors: see `chainrules.formulas.spectra.singular_vectors`.
Both are right along directions in which the rank of the matrix is constant. G. H. Golub, V. Pereyra, "The
differentiation of pseudo-inverses and nonlinear least squares problems whose variables separate", SIAM
Journal on Numerical Analysis 10, 1973.
"""

from typing import Any

import numpy as np
from scipy.linalg import null_space, orth, svd

from chainrules.formulas.equations.pseudo_inverses import pull_pinv, push_pinv
from chainrules.formulas.spectra.completing_reflections import turn_of_complement
from chainrules.formulas.spectra.orthogonal_complements import refuse_choice_of_basis
from chainrules.formulas.spectra.singular_vectors import pull_decomposition, push_decomposition
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
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

_null_space, _svd = primitive(null_space), primitive(svd)


@frule.dispatch
def null_space_frule(tangents: Any, f: typeof_(null_space), A: ArrayOperand, *rcond: Any, **named: Any):
    A_dot = tangents[1]
    N = _null_space(A, *rcond, **_without_overwriting(named))
    if isinstance(A_dot, AbstractZero):
        return N, A_dot
    Y, moved = _pseudoinverse(A, *rcond, **named), A_dot @ N
    if _leaves_values_out(A, N):
        moved = moved + A @ push_pinv(Y, A, A_dot) @ (A @ N)
    N_dot = -Y @ moved
    m, n = shape_of(A)[-2:]
    if 0 < shape_of(N)[-1] == n - m:
        N_dot = N_dot + N @ turn_of_complement(adjoint(A), adjoint(A_dot), N)
    return N, N_dot


@rrule.dispatch
def null_space_rrule(f: typeof_(null_space), A: ArrayOperand, *rcond: Any, **named: Any):
    N = _null_space(A, *rcond, **_without_overwriting(named))
    project = ProjectTo(A)

    def null_space_pullback(N_bar):
        refuse_choice_of_basis("scipy.linalg.null_space(A)", N, N_bar)
        Y = _pseudoinverse(A, *rcond, **named)
        A_bar = -adjoint(Y) @ (N_bar @ adjoint(N))
        if _leaves_values_out(A, N):
            A_bar = A_bar - pull_pinv(Y, A, adjoint(Y @ A) @ N_bar @ adjoint(A @ N))
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(rcond)

    return N, null_space_pullback


@frule.dispatch
def orth_frule(tangents: Any, f: typeof_(orth), A: ArrayOperand, *rcond: Any, **named: Any):
    A_dot = tangents[1]
    y, rank = _thin_decomposition(A), shape_of(orth(primal_of(A), *rcond, **named))[-1]
    if isinstance(A_dot, AbstractZero):
        return y[0][..., :rank], A_dot
    (U, *_), (U_dot, *_) = push_decomposition(A, A_dot, y)
    return U[..., :rank], U_dot[..., :rank]


@rrule.dispatch
def orth_rrule(f: typeof_(orth), A: ArrayOperand, *rcond: Any, **named: Any):
    y, rank = _thin_decomposition(A), shape_of(orth(primal_of(A), *rcond, **named))[-1]
    project = ProjectTo(A)

    def orth_pullback(Q_bar):
        others = np.zeros_like(primal_of(y[0])[..., rank:])
        U_bar = np.concatenate([Q_bar, others], axis=-1)
        A_bar = pull_decomposition("scipy.linalg.orth(A)", y, U_bar, ZeroTangent(), ZeroTangent())
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(rcond)

    return y[0][..., :rank], orth_pullback


def _leaves_values_out(A: Any, N: Any) -> bool:
    """Whether ``A N`` is not zero, by a bound that takes more than rounding errors for zero."""
    A, N = primal_of(A), primal_of(N)
    sizes = np.abs(A @ N)
    return bool(np.any(sizes > np.sqrt(np.finfo(sizes.dtype).eps) * np.max(np.abs(A), initial=0)))


def _thin_decomposition(A):
    return _svd(A, full_matrices=False)


def _without_overwriting(named):
    return {name: value for name, value in named.items() if name != "overwrite_a"}


def _pseudoinverse(A, rcond=None, **_):
    """The pseudo-inverse for the rank that SciPy finds."""
    if rcond is None:
        rcond = np.finfo(primal_of(A).dtype).eps * max(shape_of(A)[-2:])
    return np.linalg.pinv(A, rcond)
