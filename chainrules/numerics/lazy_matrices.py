"""Decompositions of matrices in lazy arrays, with NumPy's conventions.

Dask's own functions have others: its `cholesky` gives the upper factor, its `svd` the thin one, whatever is
asked for. Signs of the vectors of `qr` and `svd`, which are arbitrary, may differ from LAPACK's.
"""

import functools
from typing import Any

import numpy as np

from chainrules.values.lazy_arrays import dask_array, in_one_block, is_untraced_lazy, refuse_lazy
from chainrules_core import is_lazy

# NumPy's named tuples, which have no public names.
_QR, _SVD = type(np.linalg.qr(np.eye(1))), type(np.linalg.svd(np.eye(1)))


def cholesky(A: Any, **named: bool) -> Any:
    """As `numpy.linalg.cholesky`.

    Parameters
    ----------
    A
        An array of any kind. A lazy one is a matrix with square chunks.
    named
        NumPy's keywords.
    """
    if not is_untraced_lazy(A):
        return np.linalg.cholesky(A, **named)
    return dask_array().linalg.cholesky(A, lower=not any(named.values()))


def solve(A: Any, B: Any) -> Any:
    """As `numpy.linalg.solve`, for columns `B` that may be lazy where the matrix is in memory."""
    if is_lazy(A) or not is_untraced_lazy(B):
        return np.linalg.solve(A, B)
    return in_one_block(functools.partial(np.linalg.solve, A), B, np.result_type(A, B, 1.0))


def qr(A: Any, mode: Any) -> Any:
    """As `numpy.linalg.qr`, by the modes ``"reduced"`` and ``"complete"``.

    Parameters
    ----------
    A
        An array of any kind. A lazy one is a matrix, either its rows or its columns in one chunk.
    mode
        The mode.

    Raises
    ------
    TypeError
        For the complete basis of a lazy matrix.
    """
    if not is_untraced_lazy(A):
        return np.linalg.qr(A, mode)
    if mode != "reduced":
        refuse_lazy("np.linalg.qr(..., mode='complete')", "Write `np.linalg.qr(A)`.")
    return _QR(*dask_array().linalg.qr(A))


def svd(A: Any, full_matrices: bool, hermitian: bool) -> Any:
    """As `numpy.linalg.svd`, with vectors.

    Parameters
    ----------
    A
        An array of any kind. A lazy one is a matrix, either its rows or its columns in one chunk.
    full_matrices, hermitian
        As in NumPy.

    Raises
    ------
    TypeError
        For the full or the Hermitian decomposition of a lazy matrix.
    """
    if not is_untraced_lazy(A):
        return np.linalg.svd(A, full_matrices=full_matrices, hermitian=hermitian)
    if hermitian or (full_matrices and len(set(A.shape)) > 1):
        refuse_lazy("np.linalg.svd(...)", "Write `np.linalg.svd(A, full_matrices=False)`.")
    return _SVD(*dask_array().linalg.svd(A))
