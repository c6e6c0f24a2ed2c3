"""Matrix products in which one factor, or both, are sparse: both modes, however the product was written.

For ``C = A B``: ``C_dot = A_dot B + A B_dot``, and ``A_bar = C_bar Bᴴ``, ``B_bar = Aᴴ C_bar``. For a sparse
factor, only those elements of the cotangent are computed where the factor stores an entry. M. B. Giles, "An
extended collection of matrix derivative results for forward and reverse mode algorithmic differentiation",
2008, section 2.2.2.
"""

import operator
from typing import Any

import numpy as np

from chainrules.operations.sparse_entries import without_losses
from chainrules.operations.sparse_patterns import (
    conjugated,
    fitted_to_pattern,
    is_sparse_operand,
    sample_product,
)
from chainrules.values.lazy_arrays import refuse_lazy_cotangent
from chainrules.values.recorded_calls import in_one_line
from chainrules.values.reductions import shape_of
from chainrules_core import NO_TANGENT, ProjectTo, thunk

# SciPy's own operator reads the other factor, be it what it may.
_product = in_one_line(operator.matmul)


def push_product(tangents: Any, A: Any, B: Any) -> tuple[Any, Any]:
    """The forward rule of ``A @ B``, however it was written."""
    _, A_dot, B_dot = tangents
    return without_losses(_product, A, B), _product(A_dot, B) + _product(A, B_dot)


def pull_product(A: Any, B: Any) -> Any:
    """The reverse rule of ``A @ B``, however it was written; `None` for sparse vectors."""
    if any(is_sparse_operand(x) and len(shape_of(x)) != 2 for x in (A, B)):
        return None

    def matmul_pullback(C_bar: Any) -> Any:
        refuse_lazy_cotangent("a product with a sparse array", C_bar)

        @thunk
        def A_bar() -> Any:  # noqa: N802 - the cotangent of a matrix
            if is_sparse_operand(A):
                return sample_product(C_bar, conjugated(B), ProjectTo(A))
            return fitted_to_pattern(A, _product(C_bar, conjugate_transpose(B)))

        @thunk
        def B_bar() -> Any:  # noqa: N802 - likewise
            if is_sparse_operand(B):
                return sample_product(conjugate_transpose(A), np.transpose(C_bar), ProjectTo(B))
            return fitted_to_pattern(B, _product(conjugate_transpose(A), C_bar))

        return NO_TANGENT, A_bar, B_bar

    return without_losses(_product, A, B), matmul_pullback


def conjugate_transpose(A: Any) -> Any:
    """The conjugate transpose of a matrix, the conjugate of a vector."""
    return conjugated(np.transpose(A))
