"""Stacks of matrices, which are the last two axes of an array: transposes, diagonals, columns and rows."""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules_core import is_complex, primal_of


def transposed(A: Any) -> Any:
    """The transpose of each matrix."""
    method = getattr(A, "swapaxes", None)  # most arrays have it; NumPy takes longer to find it
    return np.swapaxes(A, -1, -2) if method is None else method(-1, -2)


def adjoint(A: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return conjugate(transposed(A))


def conjugate(A: Any) -> Any:
    """The complex conjugate, of a number too; real arrays are not copied."""
    return np.conjugate(A) if is_complex(A) else A


def is_complex_array(A: Any) -> bool:
    """Whether the elements of an array are complex."""
    return bool(primal_of(A).dtype.kind == "c")


def as_columns(B: Any) -> Any:
    """A vector as a matrix with one column; a matrix as it is."""
    return with_last_axis(B) if len(shape_of(B)) == 1 else B


def with_last_axis(b: Any) -> Any:
    """Vectors as matrices with one column each."""
    return b[..., np.newaxis]


def as_rows(d: Any) -> Any:
    """Vectors as matrices with one row each."""
    return d[..., np.newaxis, :]


def times_adjoint(U: Any, V: Any) -> Any:
    """``U Vᴴ`` of each pair of matrices; of single columns as products of numbers, which is quicker."""
    return U * adjoint(V) if shape_of(U)[-1] == 1 else U @ adjoint(V)


def trace_of_product(A: Any, B: Any) -> Any:
    """``tr(A B)`` of each pair of matrices, without the product."""
    products = transposed(A) * B
    return np.sum(products) if len(shape_of(products)) == 2 else np.sum(products, axis=(-2, -1))


def with_matrix_axes(numbers: Any) -> Any:
    """One number for each matrix, in an array that can be multiplied by the matrices."""
    return np.reshape(numbers, (*shape_of(numbers), 1, 1))


def identity(A: Any) -> Any:
    """The identity matrix with the columns of `A`, in the precision of its real numbers."""
    value = primal_of(A)
    return np.eye(value.shape[-1], dtype=np.finfo(value.dtype).dtype)


def times_diagonal(A: Any, d: Any) -> Any:
    """``A diag(d)`` of each matrix: its columns times the numbers."""
    return A * as_rows(d)


def diagonal_matrix(d: Any) -> Any:
    """``diag(d)`` for the numbers along the last axis."""
    # Not times the identity matrix, which would make NaN of infinite numbers and zeros.
    return np.where(np.eye(shape_of(d)[-1], dtype=bool), as_rows(d), 0)


def diagonal_of(A: Any) -> Any:
    """The diagonal of each matrix, along the last axis."""
    return np.diagonal(A, axis1=-2, axis2=-1)
