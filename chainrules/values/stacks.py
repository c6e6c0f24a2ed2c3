"""What the rules of linear algebra share: operations on the matrices of a stack, the last two axes."""

from typing import Any

import numpy as np

from chainrules_core import primal_of


def transposed(A: Any) -> Any:
    """The transpose of each matrix."""
    # Of plain arrays without the way there, which takes longer than small products.
    return A.swapaxes(-1, -2) if A.__class__ is np.ndarray else np.swapaxes(A, -1, -2)


def adjoint(A: Any) -> Any:
    """The conjugate transpose of each matrix."""
    return conjugate(transposed(A))


def conjugate(A: Any) -> Any:
    """The complex conjugate; real arrays are not copied."""
    return np.conjugate(A) if is_complex(A) else A


def is_complex(A: Any) -> bool:
    """Whether the numbers are complex."""
    return bool((A if A.__class__ is np.ndarray else primal_of(A)).dtype.kind == "c")


def as_columns(B: Any) -> Any:
    """A vector as a matrix with one column; a matrix itself."""
    return with_last_axis(B) if len(primal_of(B).shape) == 1 else B


def with_last_axis(b: Any) -> Any:
    """Vectors as matrices with one column each."""
    return b[..., None] if b.__class__ is np.ndarray else np.expand_dims(b, -1)


def as_rows(d: Any) -> Any:
    """Vectors as matrices with one row each."""
    return d[..., None, :] if d.__class__ is np.ndarray else np.expand_dims(d, -2)


def trace_of_product(A: Any, B: Any) -> Any:
    """``tr(A B)`` of each pair of matrices, without the product."""
    products = transposed(A) * B
    return np.sum(products) if len(primal_of(products).shape) == 2 else np.sum(products, axis=(-2, -1))


def with_matrix_axes(numbers: Any) -> Any:
    """One number for each matrix, such that it can be multiplied by it."""
    in_memory = isinstance(numbers, np.ndarray | np.generic)
    return numbers[..., None, None] if in_memory else np.expand_dims(numbers, (-2, -1))


def identity(A: Any) -> Any:
    """The identity matrix with the columns of `A`, in the precision of its real numbers."""
    value = primal_of(A)
    return np.eye(value.shape[-1], dtype=np.finfo(value.dtype).dtype)


def times_diagonal(A: Any, d: Any) -> Any:
    """``A diag(d)`` of each matrix: its columns times the numbers."""
    return A * as_rows(d)


def diagonal_matrix(d: Any) -> Any:
    """``diag(d)`` for the numbers along the last axis."""
    if d.__class__ is np.ndarray:
        return with_diagonal(np.zeros((*d.shape, d.shape[-1]), d.dtype), d)
    return np.expand_dims(d, -2) * identity(d)


def with_diagonal(A: np.ndarray, d: Any) -> np.ndarray:
    """Square matrices, in a contiguous array of one's own, after their diagonals are set in place."""
    n = A.shape[-1]
    A.reshape(*A.shape[:-2], n * n)[..., :: n + 1] = d
    return A


def diagonal_of(A: Any) -> Any:
    """The diagonal of each matrix, along the last axis."""
    return np.diagonal(A, axis1=-2, axis2=-1)
