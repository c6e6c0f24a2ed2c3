"""The LU factorization of one plain matrix by LAPACK, for everything that a rule needs of the matrix.

NumPy factors a matrix at each call of `solve`, `slogdet` or `inv`. The rules of these functions need two
factorizations, and an inverse from known factors takes half the time.
"""

from typing import Any

import numpy as np

from chainrules.numerics.factorizations import LU
from chainrules.numerics.lapack import is_for_lapack


def lu_of(A: Any, columns: int = 1) -> LU | None:
    """The factorization of a square matrix in a plain array; `None` for anything else.

    Parameters
    ----------
    A
        A matrix, or anything else.
    columns
        The least number of columns for which the factorization pays.
    """
    if A.__class__ is not np.ndarray or not is_for_lapack(A):
        return None
    return LU(A) if columns <= A.shape[0] == A.shape[1] else None
