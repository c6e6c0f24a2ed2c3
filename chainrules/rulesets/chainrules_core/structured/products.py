"""Rules for matrix products with structured arrays.

For ``C = A B`` the cotangents are ``A_bar = C_bar Bᴴ`` and ``B_bar = Aᴴ C_bar``, as of all matrices,
projected onto their subspace. Where a matrix stores only diagonals, only these diagonals of its cotangent are
computed.
"""

import operator
from typing import Any

import numpy as np

from chainrules.formulas.matrices.structured_products import product_onto
from chainrules.makers.either_operand import either_operand
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, primal_of, thunk, to_natural, unbroadcast
from chainrules_core.structured import StructuredArray


def _push_product(tangents: Any, A: Any, B: Any) -> tuple[Any, Any]:
    _, A_dot, B_dot = tangents
    return A @ B, A_dot @ B + A @ B_dot


def _pull_product(A: Any, B: Any) -> tuple[Any, Any]:
    C = A @ B
    matrix = primal_of(C) if _is_structured(C) else None  # an ordinary array need not be kept

    def matmul_pullback(C_bar):
        C_bar = to_natural(matrix, C_bar)
        return NO_TANGENT, thunk(_left_cotangent, A, B, C_bar), thunk(_right_cotangent, A, B, C_bar)

    return C, matmul_pullback


def _left_cotangent(A: Any, B: Any, C_bar: Any) -> Any:
    if not _is_structured(A):
        return unbroadcast(A, C_bar @ adjoint(B))
    if len(shape_of(B)) == 1:
        C_bar, B = np.expand_dims(C_bar, 1), np.expand_dims(B, 1)
    return product_onto(A, C_bar, adjoint(B))


def _right_cotangent(A: Any, B: Any, C_bar: Any) -> Any:
    if not _is_structured(B):
        return unbroadcast(B, adjoint(A) @ C_bar)
    if len(shape_of(A)) == 1:
        C_bar, A = np.expand_dims(C_bar, 0), np.expand_dims(A, 0)
    return product_onto(B, adjoint(A), C_bar)


def _is_structured(x: Any) -> bool:
    return isinstance(primal_of(x), StructuredArray)


either_operand(np.matmul, StructuredArray, ArrayOperand, _push_product, _pull_product, precedence=2)
either_operand(operator.matmul, StructuredArray, ArrayOperand, _push_product, _pull_product, precedence=2)
