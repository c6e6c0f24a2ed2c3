"""Rules for condition numbers.

In the 2-norm it is ``s[0] / s[-1]``, the ratio of the largest and the smallest singular value; in other norms
it is the product of the norms of the matrix and of its inverse. For a singular matrix it is infinite; it has
no derivative there, and the answer is NaN. The number is real, but before NumPy 2.4 its dtype is complex for
a complex matrix.
"""

import numpy as np

from chainrules.formulas.norms.matrix_norms import matrix_norm_pulled
from chainrules.formulas.norms.vector_norms import along, share_of_extreme
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, times_diagonal, with_matrix_axes
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primal_of, rrule, typeof_


@frule.dispatch
def cond_frule(tangents, f: typeof_(np.linalg.cond), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    y = np.linalg.cond(A, *options, **named)
    if isinstance(A_dot, AbstractZero):
        return y, A_dot
    return y, ProjectTo(y)(along(_cond_gradient(A, y, *options, **named), A_dot, (-2, -1), False))


@rrule.dispatch
def cond_rrule(f: typeof_(np.linalg.cond), A: ArrayOperand, *options, **named):
    y = np.linalg.cond(A, *options, **named)
    project = ProjectTo(A)

    def cond_pullback(y_bar):
        A_bar = _cond_gradient(A, y, *options, **named) * with_matrix_axes(np.real(y_bar))
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return y, cond_pullback


def _cond_gradient(A, y, p=None):
    is_finite = with_matrix_axes(np.isfinite(primal_of(y)))
    if not np.all(is_finite):
        A = np.where(is_finite, A, np.eye(shape_of(A)[-2], shape_of(A)[-1]))
    gradient = _ratio_gradient(A, 2 if p is None else p) if p in {None, 2, -2} else _by_inverse(A, p)
    return gradient if np.all(is_finite) else np.where(is_finite, gradient, np.nan)


def _ratio_gradient(A, p: int):
    U, s, V_adjoint = np.linalg.svd(A, full_matrices=False)
    largest, smallest = s[..., :1], s[..., -1:]
    y = largest / smallest if p == 2 else smallest / largest
    by_largest = share_of_extreme(primal_of(s), np.inf, -1) * (y / largest)
    by_values = by_largest - share_of_extreme(primal_of(s), -np.inf, -1) * (y / smallest)
    return times_diagonal(U, by_values if p == 2 else -by_values) @ V_adjoint


def _by_inverse(A, p):
    axes = (len(shape_of(A)) - 2, len(shape_of(A)) - 1)
    inverse = np.linalg.inv(A)
    of_matrix, of_inverse = (np.linalg.norm(x, p, (-2, -1), True) for x in (A, inverse))
    inverse_adjoint = adjoint(inverse)
    inverse_bar = matrix_norm_pulled(inverse, of_inverse, of_matrix, p, axes)
    A_bar = matrix_norm_pulled(A, of_matrix, of_inverse, p, axes)
    return A_bar - inverse_adjoint @ inverse_bar @ inverse_adjoint
