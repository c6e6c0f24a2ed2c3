"""Rules for the solution of least-squares problems.

For the solution ``X = A⁺ B`` of minimal norm, and the residual ``R = B - A X``, along directions in which the
rank of ``A`` is constant,

    X_dot = A⁺ (B_dot - A_dot X) + A⁺ (A⁺)ᴴ A_dotᴴ R + (1 - A⁺ A) A_dotᴴ (A⁺)ᴴ X

by the derivative of the pseudo-inverse; see `chainrules.rulesets.numpy.linalg.pinv`. With
``L = (A⁺)ᴴ X_bar``, in reverse,

    B_bar = L,   A_bar = -L Xᴴ + R (A⁺ L)ᴴ + (A⁺)ᴴ X (X_bar - Aᴴ L)ᴴ

The sums of squares of the residuals have the derivative ``2 Re(Rᴴ (B_dot - A_dot X))``, since ``R`` is
orthogonal to the columns of ``A``; for singular values see `numpy.linalg.svd`. The rank is a constant.
"""

import numpy as np

from chainrules.formulas.singular_values import pull_singular_values, push_singular_values
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import adjoint, as_columns
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    ZeroTangent,
    frule,
    primal_of,
    rrule,
    typeof_,
    unthunk,
)


@frule.dispatch
def lstsq_frule(tangents, f: typeof_(np.linalg.lstsq), A: ArrayOperand, B: ArrayOperand, *options, **named):
    _, A_dot, B_dot, *_ = map(unthunk, tangents)
    y = X, residuals, _, _ = np.linalg.lstsq(A, B, *options, **named)
    if isinstance(A_dot, AbstractZero) and isinstance(B_dot, AbstractZero):
        return y, A_dot
    inverse = _pseudo_inverse(A, y)
    A_dot = np.zeros_like(primal_of(A)) if isinstance(A_dot, AbstractZero) else A_dot
    R, R_dot = B - A @ X, B_dot - A_dot @ X
    inverse_adjoint, A_dot_adjoint = adjoint(inverse), adjoint(A_dot)
    outside = A_dot_adjoint @ (inverse_adjoint @ X)
    X_dot = inverse @ (R_dot + inverse_adjoint @ (A_dot_adjoint @ R)) + outside - inverse @ (A @ outside)
    residuals_dot = 2 * np.real(np.sum(np.conjugate(R) * R_dot, axis=0, keepdims=R.ndim == 1))
    s_dot = push_singular_values(np.linalg.svd(A, full_matrices=False), A_dot)
    return y, tangent_of_results(y, X_dot, residuals_dot[: len(residuals)], NoTangent(), s_dot)


@rrule.dispatch
def lstsq_rrule(f: typeof_(np.linalg.lstsq), A: ArrayOperand, B: ArrayOperand, *options, **named):
    y = np.linalg.lstsq(A, B, *options, **named)
    project_A, project_B = ProjectTo(A), ProjectTo(B)

    def lstsq_pullback(y_bar):
        X_bar, residuals_bar, _, s_bar = cotangents_of_results(y, y_bar)
        of_solution = _solution_pulled(A, B, y, X_bar)
        of_residuals = _residuals_pulled(A, B, y, residuals_bar)
        A_bar = of_solution[0] + of_residuals[0] + _values_pulled(A, s_bar)
        B_bar = of_solution[1] + of_residuals[1]
        return NoTangent(), project_A(A_bar), project_B(B_bar), *(ZeroTangent() for _ in options)

    return y, lstsq_pullback


def _solution_pulled(A, B, y, X_bar):
    if isinstance(X_bar, AbstractZero):
        return X_bar, X_bar
    inverse = _pseudo_inverse(A, y)
    X, R = as_columns(y[0]), as_columns(B - A @ y[0])
    inverse_adjoint = adjoint(inverse)
    B_bar = inverse_adjoint @ X_bar
    L = as_columns(B_bar)
    A_bar = R @ adjoint(inverse @ L) - L @ adjoint(X)
    outside = as_columns(X_bar) - adjoint(A) @ L
    return A_bar + (inverse_adjoint @ X) @ adjoint(outside), B_bar


def _residuals_pulled(A, B, y, residuals_bar):
    X, residuals = y[:2]
    if isinstance(residuals_bar, AbstractZero) or not len(residuals):
        zero = ZeroTangent()
        return zero, zero
    R_bar = 2 * residuals_bar * (B - A @ X)
    return -as_columns(R_bar) @ adjoint(as_columns(X)), R_bar


def _values_pulled(A, s_bar):
    if isinstance(s_bar, AbstractZero):
        return s_bar
    return pull_singular_values(np.linalg.svd(A, full_matrices=False), s_bar)


def _pseudo_inverse(A, y):
    """The pseudo-inverse of `A` with the rank that the solution took it to have."""
    rank, s = y[2], primal_of(y[3])
    if rank == 0:
        return np.zeros_like(primal_of(adjoint(A)))
    cutoff = 0.0 if rank == len(s) else (s[rank - 1] + s[rank]) / 2 / s[0]
    return np.linalg.pinv(A, cutoff)
