"""Matrices far from singular ones, for the tests of linear algebra."""

import numpy as np

from tests.chainrules.rule_checks import normal

DTYPES = [np.float64, np.float32, complex]


def regular(*shape, dtype=np.float64, seed=0):
    """A stack of matrices with a dominant diagonal."""
    return (normal(*shape, dtype=dtype, seed=seed) + 2 * shape[-1] * np.eye(shape[-1])).astype(dtype)


def of_rank(rank, n, dtype=np.float64):
    """A matrix of ``n`` rows and columns whose determinant is exactly zero if ``rank < n``."""
    A = normal(n, n, dtype=dtype)
    A[rank:] = 0
    return A
