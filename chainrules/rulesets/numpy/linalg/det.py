"""Rules for the determinant; see `chainrules.formulas.determinants`.

The adjugate ``adj(A)`` is ``y A⁻¹`` for invertible matrices, and exists for all square matrices: the
determinant is a polynomial.
"""

import numpy as np

from chainrules.formulas.determinants import pull_det, push_det
from chainrules.operations.adjugate import adjugate
from chainrules.shortcuts.numpy.linalg.det import det_of_plain, push_det_of_plain
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import transposed, with_matrix_axes
from chainrules_core import frule, primal_of, rrule, shortened_by, typeof_

# Beyond it the second derivatives by the inverse would lose more than half of the digits.
_WORST_CONDITION = 1e4


@frule.dispatch
@shortened_by(push_det_of_plain)
def det_frule(tangents, f: typeof_(np.linalg.det), A: ArrayOperand):
    return push_det(tangents, A, _cofactors)


@rrule.dispatch
@shortened_by(det_of_plain)
def det_rrule(f: typeof_(np.linalg.det), A: ArrayOperand):
    return pull_det(A, _cofactors)


def _cofactors(A, y):
    """The transpose of the adjugate of a matrix whose determinant is `y`.

    The product with the inverse is as precise near singular matrices as elsewhere, since both factors come
    from one factorization, whose smallest pivot cancels in the product. In its derivatives it does not
    cancel.
    """
    if np.all(primal_of(y) != 0):
        inverse = np.linalg.inv(A)
        if primal_of(A) is A or _is_well_conditioned(A, inverse):
            return transposed(with_matrix_axes(y) * inverse)
    return transposed(adjugate(A))


def _is_well_conditioned(A, inverse) -> bool:
    sizes = [np.max(np.abs(np.asarray(primal_of(X))), axis=(-2, -1), initial=0) for X in (A, inverse)]
    return bool(np.all(sizes[0] * sizes[1] < _WORST_CONDITION))
