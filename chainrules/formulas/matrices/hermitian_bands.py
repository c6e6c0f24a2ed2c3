"""Hermitian matrices that are given by few of their diagonals, as LAPACK stores them: one triangle of them.

Row `r` of the array holds the `r`-th diagonal below the main one, ``A[j + r, j]`` in column `j`; of an upper
triangle with ``u`` diagonals above the main one it holds ``A[j + r - u, j]``. Elements of the array outside
of the matrix are not read.
"""

from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of


def triangle_from_bands(ab: Any, is_lower: bool) -> Any:
    """One triangle of each matrix, with zeros elsewhere: shape ``(..., n, n)`` from ``(..., u + 1, n)``."""
    count, n = shape_of(ab)[-2:]
    rows, columns = np.indices((n, n))
    row = rows - columns if is_lower else rows - columns + count - 1
    return np.where(_is_between(row, count), ab[..., np.clip(row, 0, max(count - 1, 0)), columns], 0)


def bands_from_triangle(A: Any, count: int, is_lower: bool) -> Any:
    """The adjoint of `triangle_from_bands`: shape ``(..., count, n)`` from ``(..., n, n)``."""
    n = shape_of(A)[-1]
    rows, columns = np.indices((count, n))
    row = rows + columns - (0 if is_lower else count - 1)
    return np.where(_is_between(row, n), A[..., np.clip(row, 0, max(n - 1, 0)), columns], 0)


def _is_between(row: Any, count: int) -> Any:
    return (row >= 0) & (row < count)
