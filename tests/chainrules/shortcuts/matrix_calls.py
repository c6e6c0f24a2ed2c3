"""Square matrices for tests of the shortcuts of linear algebra."""

import numpy as np

from tests.chainrules.rule_checks import normal
from tests.chainrules.shortcut_checks import Call, Subclass


def matrices(n):
    """Regular matrices of each precision and order in memory; singular and oblong ones, and stacks."""
    A = normal(n, n) + 3 * np.eye(n)
    singular = A.copy()
    singular[0] = singular[1]
    singular[:, 0] = 0
    return [
        A,
        A.astype(np.float32),
        A + 1j * normal(n, n, seed=1),
        (A + 1j * normal(n, n, seed=1)).astype(np.complex64),
        np.asfortranarray(A),
        np.repeat(A, 2, axis=1)[:, ::2],
        A.astype(int),
        singular,
        np.zeros((n, n)),
        A.view(Subclass),
        np.stack([A, A.T]),
        np.zeros((0, 0)),
        A[:2],
    ]


def calls_of_one(f, *sizes):
    """A function of each matrix."""
    return [Call((f, A)) for n in sizes for A in matrices(n)]


def pushed_of_one(f, *sizes):
    """Its forward rule, with tangents."""
    return [
        Call(((None, dot), f, A))
        for n in sizes
        for A in matrices(n)
        for dot in (np.ones_like(A), normal(*A.shape).astype(A.dtype))
    ]
