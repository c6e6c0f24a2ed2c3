"""Matrices for the tests of linear algebra, and the check of functions with several results."""

import numpy as np

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_sums, normal, read_only

# Single precision of both is part of each check.
DTYPES = [np.float64, complex]


def regular(*shape, dtype=np.float64, seed=0):
    """A stack of matrices with a dominant diagonal."""
    return (normal(*shape, dtype=dtype, seed=seed) + 2 * shape[-1] * np.eye(shape[-1])).astype(dtype)


def of_rank(rank, n, dtype=np.float64):
    """A matrix of ``n`` rows and columns whose determinant is exactly zero if ``rank < n``."""
    A = normal(n, n, dtype=dtype)
    A[rank:] = 0
    return A


def hermitian(n, dtype=np.float64, seed=0):
    """A Hermitian matrix with eigenvalues far from each other."""
    A = normal(n, n, dtype=dtype, seed=seed)
    return ((A + A.conj().T) / 4 + 2 * np.diag(np.arange(n))).astype(dtype)


def positive_definite(*shape, dtype=np.float64, seed=0):
    """A stack of Hermitian matrices with positive eigenvalues."""
    A = normal(*shape, dtype=dtype, seed=seed)
    return (A @ np.swapaxes(A, -1, -2).conj() + np.eye(shape[-1])).astype(dtype)


def check_results(f, *args, **fkwargs):
    """As `check_rule`, for a function with several results."""
    args = [read_only(x) if isinstance(x, np.ndarray) else x for x in args]
    test_frule(f, *args, fkwargs=fkwargs, order=2)
    test_rrule(f, *args, fkwargs=fkwargs, order=2)
    check_sums(f, *args, **fkwargs)
    for change in (_in_single_precision, _with_gaps):
        changed = [change(x) if isinstance(x, np.ndarray) else x for x in args]
        test_frule(f, *changed, fkwargs=fkwargs)
        test_rrule(f, *changed, fkwargs=fkwargs, mode="fast")


def _in_single_precision(x):
    return x.astype(np.float32 if x.dtype == float else np.complex64)


def _with_gaps(x):
    """The same elements, of which no two are neighbours in memory."""
    return np.stack((x, x), axis=-1)[..., 0]
