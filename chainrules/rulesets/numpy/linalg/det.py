"""Rules for the determinant.

For ``y = det A``: ``y_dot = tr(adj(A) A_dot)``, and ``A_bar = y_bar adj(A)ᴴ``, by Jacobi's formula, which
Giles 2008 has in section 2.2.4 for invertible matrices. The adjugate ``adj(A)`` is ``y A⁻¹`` of these, and
exists of all square matrices: the determinant is a polynomial.
"""

from typing import Any

import numpy as np

from chainrules.adjugate import adjugate
from chainrules.operands import ArrayOperand
from chainrules.stacks import adjoint, trace_of_product, with_matrix_axes
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, primal_of, rrule, typeof_, unthunk


@frule.dispatch
def det_frule(tangents: Any, f: typeof_(np.linalg.det), A: ArrayOperand) -> tuple[Any, Any]:
    A_dot = unthunk(tangents[1])
    y = np.linalg.det(A)
    return y, A_dot if isinstance(A_dot, AbstractZero) else trace_of_product(_adjugate(A, y), A_dot)


@rrule.dispatch
def det_rrule(f: typeof_(np.linalg.det), A: ArrayOperand) -> tuple[Any, Any]:
    y = np.linalg.det(A)
    project = ProjectTo(A)

    def det_pullback(y_bar: Any) -> tuple[Any, Any]:
        return NoTangent(), project(with_matrix_axes(unthunk(y_bar)) * adjoint(_adjugate(A, y)))

    return y, det_pullback


def _adjugate(A: Any, y: Any) -> Any:
    """The adjugate of a matrix whose determinant is `y`.

    The product with the inverse is as precise near singular matrices as elsewhere, since both come from one
    factorization, in which the smallest pivot cancels.
    """
    return with_matrix_axes(y) * np.linalg.inv(A) if np.all(primal_of(y) != 0) else adjugate(A)
