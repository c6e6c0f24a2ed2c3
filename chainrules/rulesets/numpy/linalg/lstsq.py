"""Rules for the solution of least-squares problems; see `chainrules.formulas.equations.least_squares`.

For singular values see `numpy.linalg.svd`.
"""

import numpy as np

from chainrules.formulas.equations.least_squares import (
    pseudo_inverse_of_rank,
    pull_least_squares,
    pull_squared_residuals,
    push_least_squares,
)
from chainrules.formulas.spectra.singular_values import pull_singular_values, push_singular_values
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import as_columns
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primal_of, rrule, typeof_


@frule.dispatch
def lstsq_frule(tangents, f: typeof_(np.linalg.lstsq), A: ArrayOperand, B: ArrayOperand, *options, **named):
    _, A_dot, B_dot, *_ = tangents
    y = X, residuals, rank, s = np.linalg.lstsq(A, B, *options, **named)
    if isinstance(A_dot, AbstractZero) and isinstance(B_dot, AbstractZero):
        return y, A_dot
    A_dot = np.zeros_like(primal_of(A)) if isinstance(A_dot, AbstractZero) else A_dot
    B_dot = B_dot if isinstance(B_dot, AbstractZero) else as_columns(B_dot)
    inverse = pseudo_inverse_of_rank(A, rank, s)
    X_dot, squares_dot = push_least_squares(A, as_columns(B), as_columns(X), inverse, A_dot, B_dot)
    s_dot = push_singular_values(np.linalg.svd(A, full_matrices=False), A_dot)
    X_dot = np.reshape(X_dot, shape_of(X))
    return y, tangent_of_results(y, X_dot, squares_dot[: len(residuals)], NO_TANGENT, s_dot)


@rrule.dispatch
def lstsq_rrule(f: typeof_(np.linalg.lstsq), A: ArrayOperand, B: ArrayOperand, *options, **named):
    y = X, residuals, rank, s = np.linalg.lstsq(A, B, *options, **named)
    project_A, project_B = ProjectTo(A), ProjectTo(B)
    columns = A, as_columns(B), as_columns(X)

    def lstsq_pullback(y_bar):
        X_bar, residuals_bar, _, s_bar = cotangents_of_results(y, y_bar)
        A_bar, B_bar = ZeroTangent(), ZeroTangent()
        if not isinstance(X_bar, AbstractZero):
            inverse = pseudo_inverse_of_rank(A, rank, s)
            A_bar, B_bar = pull_least_squares(*columns, inverse, as_columns(X_bar))
        if len(residuals) and not isinstance(residuals_bar, AbstractZero):
            of_squares = pull_squared_residuals(*columns, residuals_bar)
            A_bar, B_bar = A_bar + of_squares[0], B_bar + of_squares[1]
        if not isinstance(s_bar, AbstractZero):
            A_bar = A_bar + pull_singular_values(np.linalg.svd(A, full_matrices=False), s_bar)
        B_bar = B_bar if isinstance(B_bar, AbstractZero) else project_B(np.reshape(B_bar, shape_of(B)))
        return NO_TANGENT, project_A(A_bar), B_bar, *(ZeroTangent() for _ in options)

    return y, lstsq_pullback
