"""Gaussian elimination with partial pivoting for tridiagonal matrices.

The algorithm is LAPACK's ``dgttrf``, https://netlib.org/lapack/explore-html/. NumPy has no such
routine, and each row depends on the one before, so it is a Python loop.
"""

from typing import Any

import numpy as np


def eliminated(A: Any, b: Any = None) -> tuple[int, Any, Any]:
    """The sign of the row exchanges, the pivots, and the solution of ``A @ x = b`` if none of them is zero.

    Parameters
    ----------
    A
        A structured array with at most three diagonals.
    b
        An array of shape ``(n,)`` or ``(n, m)``, or `None`.
    """
    dtype = _dtype_of_pivots(A.dtype if b is None else np.result_type(A.dtype, b.dtype))
    lower, diagonal, upper = (A.diagonal(k).tolist() for k in (-1, 0, 1))
    if b is None:
        sign, _ = _eliminate(lower, diagonal, upper, [0] * len(diagonal))
        return sign, np.asarray(diagonal, dtype), None
    # Lists of numbers are faster than arrays to go through one by one.
    rows = b.tolist() if b.ndim == 1 else list(b.astype(dtype))
    sign, second = _eliminate(lower, diagonal, upper, rows)
    if all(diagonal):
        _substitute(diagonal, upper, second, rows)
    return sign, np.asarray(diagonal, dtype), np.asarray(rows, dtype).reshape(b.shape)


def _dtype_of_pivots(dtype: Any) -> Any:
    return dtype if dtype.kind in "fcO" else np.dtype(np.float64)


def _eliminate(
    lower: list[Any], diagonal: list[Any], upper: list[Any], rows: list[Any]
) -> tuple[int, list[Any]]:
    """Bring the matrix to upper triangular form in place; its second upper diagonal is returned."""
    n, sign = len(diagonal), 1
    second = [0] * (n - 2)
    for i in range(n - 1):
        if abs(lower[i]) > abs(diagonal[i]):
            sign = -sign
            factor = diagonal[i] / lower[i]
            diagonal[i], diagonal[i + 1], upper[i] = (
                lower[i],
                upper[i] - factor * diagonal[i + 1],
                diagonal[i + 1],
            )
            if i < n - 2:
                second[i], upper[i + 1] = upper[i + 1], -factor * upper[i + 1]
            rows[i], rows[i + 1] = rows[i + 1], rows[i] - factor * rows[i + 1]
        elif lower[i]:
            factor = lower[i] / diagonal[i]
            diagonal[i + 1] = diagonal[i + 1] - factor * upper[i]
            rows[i + 1] = rows[i + 1] - factor * rows[i]
    return sign, second


def _substitute(diagonal: list[Any], upper: list[Any], second: list[Any], rows: list[Any]) -> None:
    """Solve the upper triangular system, from its last row on."""
    n = len(diagonal)
    for i in reversed(range(n)):
        row = rows[i]
        if i + 1 < n:
            row = row - upper[i] * rows[i + 1]
        if i + 2 < n:
            row = row - second[i] * rows[i + 2]
        rows[i] = row / diagonal[i]
