"""Triangular systems by blockwise substitution: LAPACK on the blocks, products for the rest.

NumPy has no solver for triangular matrices, and its general one takes O(n^3) operations where substitution
takes O(n^2). Row by row in Python that would be slow; halving the matrix until the blocks are small makes
nearly all of it matrix products. Golub and Van Loan, *Matrix Computations*, 4th edition, section 3.1.4.
"""

from typing import Any

import numpy as np

# Below this size LAPACK's elimination of the whole block takes less time than one more Python call.
_BLOCK = 64


def solve_triangular(A: Any, b: Any) -> Any:
    """The solution of ``A @ x = b`` for a triangular `A` and `b` of shape ``(n,)`` or ``(n, m)``."""
    n = len(A)
    if n <= _BLOCK:
        return np.linalg.solve(A.to_dense(), b)
    half = n // 2
    first, last = A.block(0, half), A.block(half, n)
    if A.uplo == "U":
        low = solve_triangular(last, b[half:])
        high = solve_triangular(first, b[:half] - A.data[:half, half:] @ low)
    else:
        high = solve_triangular(first, b[:half])
        low = solve_triangular(last, b[half:] - A.data[half:, :half] @ high)
    return np.concatenate([high, low])
