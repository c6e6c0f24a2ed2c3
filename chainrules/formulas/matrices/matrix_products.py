"""The adjoints of the product of matrices and vectors, with stacks and broadcasting as in `numpy.matmul`.

For ``C = A B``: ``A_bar = C_bar Bᴴ`` and ``B_bar = Aᴴ C_bar``. M. B. Giles, "An extended collection of matrix
derivative results for forward and reverse mode algorithmic differentiation", 2008, section 2.2.2. A vector on
the left is a row, one on the right a column.
"""

import math
from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, as_rows, conjugate, with_last_axis
from chainrules_core import NO_TANGENT, Thunk, unbroadcast


def pull_matmul(C_bar: Any, A: Any, B: Any) -> tuple[Any, Any, Any]:
    """The cotangents of the function and both factors of ``C = A B``, computed when they are needed."""
    return NO_TANGENT, Thunk(matmul_by_first, C_bar, A, B), Thunk(matmul_by_second, C_bar, A, B)


def matmul_by_first(C_bar: Any, A: Any, B: Any) -> Any:
    """The cotangent of `A` in ``C = A B``."""
    ndims = len(shape_of(A)), len(shape_of(B))
    if ndims[1] == 1:
        A_bar = (C_bar if ndims[0] == 1 else np.expand_dims(C_bar, -1)) * conjugate(B)
    elif ndims[0] == 1:
        A_bar = np.matmul(conjugate(B), np.expand_dims(C_bar, -1))[..., 0]
    else:
        A_bar = C_bar @ adjoint(B)
    return unbroadcast(A, A_bar)


def matmul_by_second(C_bar: Any, A: Any, B: Any) -> Any:
    """The cotangent of `B` in ``C = A B``."""
    ndims = len(shape_of(A)), len(shape_of(B))
    if ndims[0] == 1:
        B_bar = conjugate(A) * C_bar if ndims[1] == 1 else with_last_axis(conjugate(A)) * as_rows(C_bar)
    elif ndims[1] == 1:
        B_bar = np.ravel(C_bar) @ conjugate(_rows_of_stack(A))
    elif ndims[1] == 2 < ndims[0]:  # one product rather than one for each matrix of the stack, and their sum
        B_bar = adjoint(_rows_of_stack(A)) @ _rows_of_stack(C_bar)
    else:
        B_bar = adjoint(A) @ C_bar
    return unbroadcast(B, B_bar)


def outer_by_first(z_bar: Any, x: Any, y: Any) -> Any:
    """The cotangent of `x` in ``z = np.outer(x, y)``, which multiplies all elements of both."""
    return np.reshape(z_bar @ conjugate(np.ravel(y)), shape_of(x))


def outer_by_second(z_bar: Any, x: Any, y: Any) -> Any:
    """The cotangent of `y` in ``z = np.outer(x, y)``."""
    return np.reshape(conjugate(np.ravel(x)) @ z_bar, shape_of(y))


def _rows_of_stack(A: Any) -> Any:
    """The rows of all matrices of a stack, in one matrix."""
    *stack, columns = shape_of(A)
    return np.reshape(A, (math.prod(stack), columns))
