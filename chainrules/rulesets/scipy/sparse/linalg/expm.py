"""Rules for the exponential of sparse matrices.

The tangent is a block of a larger exponential: ``expm([[A, A_dot], [0, A]]) = [[Y, Y_dot], [0, Y]]``; and the
cotangent is that of the tangent `Y_bar` at ``Aᴴ``. R. Mathias, "A chain rule for matrix functions and
applications", SIAM Journal on Matrix Analysis and Applications 17 (3), 1996; N. J. Higham, "Functions of
Matrices", 2008, section 3.1.
"""

from typing import Any

import scipy.sparse
from scipy.sparse.linalg import expm

from chainrules.formulas.matrices.sparse_products import conjugate_transpose
from chainrules.operations.sparse_patterns import fitted_to_pattern, is_sparse_operand, stored_in_full
from chainrules.values.reductions import shape_of
from chainrules.values.sparse import Sparse
from chainrules_core import NO_TANGENT, frule, primal_of, primitive, rrule, thunk, typeof_

_expm = primitive(expm)
_join = primitive(scipy.sparse.block_array)


@frule.dispatch
def expm_frule(tangents: Any, f: typeof_(expm), A: Sparse):
    A_dot = tangents[1]
    Y = _expm(A)
    return Y, fitted_to_pattern(Y, _push(A, A_dot))


@rrule.dispatch
def expm_rrule(f: typeof_(expm), A: Sparse):
    def expm_pullback(Y_bar):
        return NO_TANGENT, thunk(lambda: fitted_to_pattern(A, _push(conjugate_transpose(A), Y_bar)))

    return _expm(A), expm_pullback


def _push(A: Any, A_dot: Any) -> Any:
    """The derivative of the exponential in a direction."""
    n = shape_of(A)[0]
    A_dot = A_dot if is_sparse_operand(A_dot) else stored_in_full(A_dot)
    zero = scipy.sparse.csc_array((n, n), dtype=primal_of(A).dtype)
    return _expm(_join([[A, A_dot], [zero, A]], format="csc"))[:n, n:]
