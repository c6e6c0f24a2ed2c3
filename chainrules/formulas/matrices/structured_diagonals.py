"""The adjoint of taking a diagonal: a square matrix that is zero elsewhere, in little memory."""

from typing import Any

import numpy as np

from chainrules_core import primal_of
from chainrules_core.structured import Bidiagonal, Diagonal


def with_one_diagonal(A: Any, y_bar: Any, offset: int) -> Any:
    """A matrix in the shape of `A` that is zero but for one diagonal.

    Parameters
    ----------
    A
        Shape ``(n, n)``.
    y_bar
        The elements of the diagonal, of shape ``(max(n - abs(offset), 0),)``.
    offset
        Which diagonal: 0 is the main one, positive ones lie above it.
    """
    n = primal_of(A).shape[0]
    if offset == 0:
        return Diagonal(y_bar)
    if 1 < abs(offset) < n:
        return np.diag(y_bar, offset)
    zeros = np.zeros(n, y_bar.dtype)
    if abs(offset) >= n:
        return Diagonal(zeros)  # the diagonal is outside of the matrix
    return Bidiagonal(zeros, y_bar, "U" if offset > 0 else "L")
