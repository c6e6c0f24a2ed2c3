"""Rules for matrix and vector products.

For ``C = A B``: ``C_dot = A_dot B + A B_dot``, and ``A_bar = C_bar Bᴴ``, ``B_bar = Aᴴ C_bar``. M. B. Giles,
"An extended collection of matrix derivative results for forward and reverse mode algorithmic
differentiation", 2008, section 2.2.2.
"""

from typing import Any

import numpy as np

from chainrules.operands import ArrayOperand
from chainrules.reductions import shape_of
from chainrules_core import NoTangent, frule, rrule, thunk, typeof_, unthunk
from chainrules_core.scalar_products import fitted


@frule.dispatch
def matmul_frule(tangents: Any, f: typeof_(np.matmul), A: ArrayOperand, B: ArrayOperand) -> tuple[Any, Any]:
    _, A_dot, B_dot = map(unthunk, tangents)
    return np.matmul(A, B), A_dot @ B + A @ B_dot


@rrule.dispatch
def matmul_rrule(f: typeof_(np.matmul), A: ArrayOperand, B: ArrayOperand) -> tuple[Any, Any]:
    def matmul_pullback(C_bar: Any) -> tuple[Any, Any, Any]:
        C_bar = _with_both_axes(unthunk(C_bar), A, B)

        @thunk
        def A_bar() -> Any:  # noqa: N802 - the cotangent of a matrix
            return _fitted(A, C_bar @ _adjoint(_as_column(B)))

        @thunk
        def B_bar() -> Any:  # noqa: N802 - likewise
            return _fitted(B, _adjoint(_as_row(A)) @ C_bar)

        return NoTangent(), A_bar, B_bar

    return np.matmul(A, B), matmul_pullback


def _with_both_axes(C_bar: Any, A: Any, B: Any) -> Any:
    """Give the cotangent of a product the axes that a vector in the product takes away."""
    if len(shape_of(B)) == 1:
        C_bar = np.expand_dims(C_bar, -1)
    return np.expand_dims(C_bar, -2) if len(shape_of(A)) == 1 else C_bar


def _as_row(A: Any) -> Any:
    return np.expand_dims(A, 0) if len(shape_of(A)) == 1 else A


def _as_column(B: Any) -> Any:
    return np.expand_dims(B, 1) if len(shape_of(B)) == 1 else B


def _adjoint(A: Any) -> Any:
    transposed = np.swapaxes(A, -1, -2)
    return np.conj(transposed) if transposed.dtype.kind == "c" else transposed


def _fitted(x: Any, x_bar: Any) -> Any:
    """Undo broadcasting over stacks, and take the axis away again that a vector was given."""
    if len(shape_of(x)) == 1:
        stacks = tuple(range(x_bar.ndim - 2))
        x_bar = np.sum(x_bar, axis=stacks) if stacks else x_bar
        x_bar = np.reshape(x_bar, shape_of(x))
    return fitted(x, x_bar)
