"""LAPACK and BLAS by way of SciPy: which arrays they take, and their routines."""

import functools
from typing import Any

import numpy as np

# The letters of LAPACK for the precisions that it knows, by the letters of NumPy.
_PREFIXES = {"f": "s", "d": "d", "F": "c", "D": "z"}


def is_for_lapack(A: Any) -> bool:
    """Whether LAPACK and BLAS take an array: one matrix in memory, not empty, in one of their precisions."""
    return isinstance(A, np.ndarray) and A.ndim == 2 and A.size > 0 and A.dtype.char in _PREFIXES


@functools.cache
def lapack_routine(name: str, char: str) -> Any:
    """The routine of LAPACK, or of BLAS, for matrices of a precision, which is named by NumPy's letter."""
    # Importing these takes long, and only whoever differentiates linear algebra needs them.
    from scipy.linalg import blas, lapack  # noqa: PLC0415 - as said above

    full_name = _PREFIXES[char] + name
    return getattr(lapack, full_name, None) or getattr(blas, full_name)
