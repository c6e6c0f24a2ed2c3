"""Rules for the decomposition ``A = L D Lᴴ`` of indefinite matrices; ``D`` has blocks of one or two rows.

With rows and columns in the order in which ``L`` is triangular, and ``Z = L⁻¹ A_dot L⁻ᴴ``, ``D_dot`` is made
of the blocks of ``Z`` on the diagonal, and ``L_dot = L S``, where ``S`` is ``Z D⁻¹`` beside these blocks, on
the side of ``L``. In reverse ``Z_bar`` is ``D_bar`` in the blocks, and beside them ``Lᴴ L_bar D⁻ᴴ``; ``A_bar
= L⁻ᴴ Z_bar L⁻¹``, on the triangle that is read. For complex symmetric matrices transposes stand in the place
of adjoints. The order and the blocks are constants. If ``D`` is singular there is no derivative, and
`numpy.linalg.LinAlgError` is raised.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import ldl

from chainrules.formulas.matrices.matrix_readings import HERMITIAN, SYMMETRIC, Elements
from chainrules.formulas.matrices.row_orders import columns_in_order, inverse_order, rows_in_order
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
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

_ldl = primitive(ldl)


class _Decomposed(NamedTuple):
    """The decomposition.

    Attributes
    ----------
    y
        What SciPy returns.
    reading
        The matrix that is read from a triangle.
    is_hermitian
        Whether the right factor is the adjoint of the left one, and not its transpose.
    L, D
        The factors, with the rows of ``L`` in the order in which it is triangular.
    order
        That order.
    in_blocks, beside
        The elements of the blocks, and those beside them on the side of ``L``.
    """

    y: Any
    reading: Elements
    is_hermitian: bool
    L: Any
    D: Any
    order: Any
    in_blocks: Any
    beside: Any

    def right(self, X: Any) -> Any:
        """The conjugate of a matrix that stands in the place of an adjoint, where that is the transpose."""
        return X if self.is_hermitian else conjugate(X)


@frule.dispatch
def ldl_frule(tangents, f: typeof_(ldl), A: ArrayOperand, *options, **named):
    A_dot = tangents[1]
    parts = _decomposed(A, *options, **named)
    A_dot = rows_in_order(columns_in_order(parts.reading.matrix(A_dot), parts.order), parts.order)
    Z = np.linalg.solve(parts.L, A_dot)
    Z = adjoint(np.linalg.solve(parts.right(parts.L), adjoint(Z)))
    S = np.where(parts.beside, Z @ np.linalg.inv(parts.D), 0)
    L_dot = rows_in_order(parts.L @ S, inverse_order(parts.order))
    return parts.y, tangent_of_results(parts.y, L_dot, np.where(parts.in_blocks, Z, 0), NO_TANGENT)


@rrule.dispatch
def ldl_rrule(f: typeof_(ldl), A: ArrayOperand, *options, **named):
    parts = _decomposed(A, *options, **named)
    project = ProjectTo(A)

    def ldl_pullback(y_bar):
        L_bar, D_bar, _ = cotangents_of_results(parts.y, y_bar)
        Z_bar = ZeroTangent()
        if not isinstance(L_bar, AbstractZero):
            S_bar = np.where(parts.beside, adjoint(parts.L) @ rows_in_order(L_bar, parts.order), 0)
            Z_bar = S_bar @ adjoint(np.linalg.inv(parts.D))
        if not isinstance(D_bar, AbstractZero):
            Z_bar = Z_bar + np.where(parts.in_blocks, D_bar, 0)
        if isinstance(Z_bar, AbstractZero):
            return NO_TANGENT, Z_bar, *(NO_TANGENT,) * len(options)
        right = np.linalg.solve(adjoint(parts.right(parts.L)), adjoint(Z_bar))
        matrix_bar = np.linalg.solve(adjoint(parts.L), adjoint(right))
        back = inverse_order(parts.order)
        A_bar = parts.reading.cotangent(rows_in_order(columns_in_order(matrix_bar, back), back))
        return NO_TANGENT, project(A_bar), *(NO_TANGENT,) * len(options)

    return parts.y, ldl_pullback


def _decomposed(A, lower=True, hermitian=True, overwrite_a=False, check_finite=True) -> _Decomposed:
    y = L, D, order = _ldl(A, lower=lower, hermitian=hermitian, check_finite=check_finite)
    order = primal_of(order)
    is_hermitian = hermitian and primal_of(A).dtype.kind == "c"
    reading = (HERMITIAN if is_hermitian else SYMMETRIC)[bool(lower)]
    n = shape_of(D)[-1]
    in_blocks = (primal_of(D) != 0) | np.eye(n, dtype=bool)
    side = np.tri(n, k=-1, dtype=bool)
    beside = ~in_blocks & (side if lower else side.T)
    return _Decomposed(y, reading, is_hermitian, rows_in_order(L, order), D, order, in_blocks, beside)
