"""Rules for the determinant.

For ``y = det A``: ``y_dot = tr(adj(A) A_dot)``, and ``A_bar = y_bar adj(A)ᴴ``, by Jacobi's formula, which
Giles 2008 has in section 2.2.4 for invertible matrices. The adjugate ``adj(A)`` is ``y A⁻¹`` of these, and
exists of all square matrices: the determinant is a polynomial.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.adjugate import adjugate
from chainrules.operands import ArrayOperand
from chainrules.stacks import conjugate, trace_of_product, transposed, with_matrix_axes
from chainrules_core import AbstractZero, NoTangent, ProjectTo, frule, primal_of, rrule, typeof_, unthunk


@frule.dispatch
def det_frule(tangents: Any, f: typeof_(np.linalg.det), A: ArrayOperand) -> tuple[Any, Any]:
    return push_det(tangents, A, _cofactors)


@rrule.dispatch
def det_rrule(f: typeof_(np.linalg.det), A: ArrayOperand) -> tuple[Any, Any]:
    return pull_det(A, _cofactors)


def push_det(tangents: Any, A: Any, cofactors: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The forward rule, where ``cofactors(A, y)`` is the derivative of ``y = det A`` by each element."""
    A_dot = unthunk(tangents[1])
    y = np.linalg.det(A)
    if isinstance(A_dot, AbstractZero):
        return y, A_dot
    return y, trace_of_product(transposed(cofactors(A, y)), A_dot)


def pull_det(A: Any, cofactors: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The reverse rule, likewise."""
    y = np.linalg.det(A)
    project = ProjectTo(A)

    def det_pullback(y_bar: Any) -> tuple[Any, Any]:
        return NoTangent(), project(with_matrix_axes(unthunk(y_bar)) * conjugate(cofactors(A, y)))

    return y, det_pullback


def _cofactors(A: Any, y: Any) -> Any:
    """The transpose of the adjugate of a matrix whose determinant is `y`.

    The product with the inverse is as precise near singular matrices as elsewhere, since both come from one
    factorization, in which the smallest pivot cancels.
    """
    is_regular = np.all(primal_of(y) != 0)
    return transposed(with_matrix_axes(y) * np.linalg.inv(A) if is_regular else adjugate(A))
