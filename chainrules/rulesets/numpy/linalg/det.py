"""Rules for the determinant.

For ``y = det A``: ``y_dot = tr(adj(A) A_dot)``, and ``A_bar = y_bar adj(A)ᴴ``, by Jacobi's formula, which
Giles 2008 has in section 2.2.4 for invertible matrices. The adjugate ``adj(A)`` is ``y A⁻¹`` of these, and
exists of all square matrices: the determinant is a polynomial.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.determinants import pull_det, push_det
from chainrules.operations.adjugate import adjugate
from chainrules.operations.lu import LU, lu_of
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import transposed, with_matrix_axes
from chainrules_core import frule, primal_of, rrule, typeof_


@frule.dispatch
def det_frule(tangents: Any, f: typeof_(np.linalg.det), A: ArrayOperand) -> tuple[Any, Any]:
    lu = lu_of(A)
    return push_det(tangents, A, _cofactors) if lu is None else push_det(tangents, A, *_by_factors(lu))


@rrule.dispatch
def det_rrule(f: typeof_(np.linalg.det), A: ArrayOperand) -> tuple[Any, Any]:
    lu = lu_of(A)
    return pull_det(A, _cofactors) if lu is None else pull_det(A, *_by_factors(lu))


def _by_factors(lu: LU) -> tuple[Callable[[Any, Any], Any], Any]:
    """The function that is the derivative, and the determinant."""
    sign, logabsdet = lu.slogdet()

    def cofactors(A: Any, y: Any) -> Any:
        # Zero also where it is too small for its precision, which its cofactors need not be.
        return transposed(y * lu.inverse() if y != 0 else adjugate(A))

    return cofactors, sign * np.exp(logabsdet)


def _cofactors(A: Any, y: Any) -> Any:
    """The transpose of the adjugate of a matrix whose determinant is `y`.

    The product with the inverse is as precise near singular matrices as elsewhere, since both come from one
    factorization, in which the smallest pivot cancels.
    """
    is_regular = np.all(primal_of(y) != 0)
    return transposed(with_matrix_axes(y) * np.linalg.inv(A) if is_regular else adjugate(A))
