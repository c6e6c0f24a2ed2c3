"""Rules for matrix products in which one factor, or both, are sparse.

For ``C = A B``: ``C_dot = A_dot B + A B_dot``, and ``A_bar = C_bar Bᴴ``, ``B_bar = Aᴴ C_bar``, of which only
the elements where the factor stores an entry are computed. M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.2.2.
"""

import operator
from typing import Any

import numpy as np
from scipy.sparse import sparray, spmatrix

from chainrules.operations.sparse_patterns import conjugated, fitted_to_pattern, is_sparse, sample_product
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import NoTangent, ProjectTo, frule, rrule, thunk, typeof_, unthunk

# Neither is a subclass of `AbstractArray`, so it takes a precedence to be more specific than that.
Sparse = sparray | spmatrix


@frule.dispatch(precedence=2)
def matmul_frule(tangents: Any, f: typeof_(operator.matmul), A: Sparse, B: ArrayOperand) -> Any:
    return push_product(tangents, A, B)


@frule.dispatch(precedence=1)
def matmul_from_left_frule(tangents: Any, f: typeof_(operator.matmul), A: ArrayOperand, B: Sparse) -> Any:
    return push_product(tangents, A, B)


@rrule.dispatch(precedence=2)  # two sparse factors are no ambiguity
def matmul_rrule(f: typeof_(operator.matmul), A: Sparse, B: ArrayOperand) -> Any:
    return pull_product(A, B)


@rrule.dispatch(precedence=1)
def matmul_from_left_rrule(f: typeof_(operator.matmul), A: ArrayOperand, B: Sparse) -> Any:
    return pull_product(A, B)


def push_product(tangents: Any, A: Any, B: Any) -> tuple[Any, Any]:
    """The forward rule of ``A @ B``, however it was written."""
    _, A_dot, B_dot = map(unthunk, tangents)
    return A @ B, A_dot @ B + A @ B_dot


def pull_product(A: Any, B: Any) -> Any:
    """The reverse rule of ``A @ B``, however it was written; `None` for sparse vectors."""
    if any(is_sparse(x) and len(shape_of(x)) != 2 for x in (A, B)):
        return None

    def matmul_pullback(C_bar: Any) -> Any:
        C_bar = unthunk(C_bar)

        @thunk
        def A_bar() -> Any:  # noqa: N802 - the cotangent of a matrix
            if is_sparse(A):
                return sample_product(C_bar, conjugated(B), ProjectTo(A))
            return fitted_to_pattern(A, C_bar @ adjoint(B))

        @thunk
        def B_bar() -> Any:  # noqa: N802 - likewise
            if is_sparse(B):
                return sample_product(adjoint(A), np.transpose(C_bar), ProjectTo(B))
            return fitted_to_pattern(B, adjoint(A) @ C_bar)

        return NoTangent(), A_bar, B_bar

    return A @ B, matmul_pullback


def adjoint(A: Any) -> Any:
    """The conjugate transpose of a matrix, the conjugate of a vector."""
    return conjugated(np.transpose(A))
