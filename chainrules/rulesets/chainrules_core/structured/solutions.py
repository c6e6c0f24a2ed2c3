"""Rules for linear systems and inverses of structured arrays.

The equations hold for all matrices, see `chainrules.rulesets.numpy.linalg`. Here, no more elements of the
cotangent of a matrix are computed than its kind stores.
"""

from typing import Any

import numpy as np

from chainrules.formulas.matrices.structured_products import product_onto
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    frule,
    primal_of,
    rrule,
    thunk,
    to_natural,
    typeof_,
    unbroadcast,
)
from chainrules_core.structured import StructuredArray


@frule.dispatch
def solve_frule(tangents: Any, f: typeof_(np.linalg.solve), A: StructuredArray, B: ArrayOperand):
    _, A_dot, B_dot = tangents
    X = np.linalg.solve(A, B)
    right = B_dot - A_dot @ X
    return X, right if isinstance(right, AbstractZero) else np.linalg.solve(A, right)


@rrule.dispatch
def solve_rrule(f: typeof_(np.linalg.solve), A: StructuredArray, B: ArrayOperand):
    X = np.linalg.solve(A, B)

    def solve_pullback(X_bar):
        X_bar = to_natural(primal_of(X), X_bar)
        # Both cotangents need it.
        right_bar = np.linalg.solve(adjoint(A), X_bar)
        return NO_TANGENT, thunk(_matrix_cotangent, A, X, right_bar), unbroadcast(B, right_bar)

    return X, solve_pullback


def _matrix_cotangent(A: Any, X: Any, right_bar: Any) -> Any:
    if len(shape_of(X)) == 1:
        X, right_bar = np.expand_dims(X, 1), np.expand_dims(right_bar, 1)
    return product_onto(A, -right_bar, adjoint(X))


@frule.dispatch
def inv_frule(tangents: Any, f: typeof_(np.linalg.inv), A: StructuredArray):
    Y = np.linalg.inv(A)
    return Y, unbroadcast(Y, -(Y @ tangents[1] @ Y))


@rrule.dispatch
def inv_rrule(f: typeof_(np.linalg.inv), A: StructuredArray):
    Y = np.linalg.inv(A)

    def inv_pullback(Y_bar):
        Y_adjoint, Y_bar = adjoint(Y), to_natural(primal_of(Y), Y_bar)
        return NO_TANGENT, product_onto(A, -(Y_adjoint @ Y_bar), Y_adjoint)

    return Y, inv_pullback
