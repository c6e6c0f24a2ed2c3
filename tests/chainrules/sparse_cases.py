"""Sparse arrays to test rules on: every format that the testers can move the entries of, rows without any."""

import numpy as np
import pytest
import scipy.sparse

PATTERN = np.array([[1, 0, 2, 0, 3], [0, 0, 0, 0, 0], [0, 4, 0, 0, 5], [6, 7, 0, 8, 0]])

# Without `dok`, whose instances are dicts too, and `dia`, which stores whole diagonals: see `diagonals`.
FORMATS = ("csr", "csc", "coo", "bsr", "lil")

formats = pytest.mark.parametrize("format", FORMATS)
kinds = pytest.mark.parametrize("kind", ["array", "matrix"])


def sparse(format="csr", kind="array", dtype=np.float64, pattern=PATTERN, seed=0):
    """A sparse array of shape (4, 5), or of that of `pattern`, with random entries."""
    rng = np.random.default_rng(seed)
    dense = np.where(pattern != 0, rng.normal(size=pattern.shape), 0)
    if np.dtype(dtype).kind == "c":
        dense = dense + np.where(pattern != 0, 1j * rng.normal(size=pattern.shape), 0)
    return getattr(scipy.sparse, f"{format}_{kind}")(dense.astype(dtype))


def diagonals():
    """A sparse array of shape (4, 4) that stores diagonals, without a zero in them."""
    return scipy.sparse.dia_array((np.arange(1.0, 9.0).reshape(2, 4), [0, 1]), shape=(4, 4))


def same_pattern(A, B):
    """Whether two sparse arrays have one class, dtype and shape, and store entries at the same places."""
    places = [list(zip(*x.tocoo().coords, strict=True)) for x in (A, B)]
    return (type(A), A.dtype, A.shape) == (type(B), B.dtype, B.shape) and sorted(places[0]) == sorted(
        places[1]
    )
