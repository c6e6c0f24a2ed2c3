"""Sparse linear systems: both modes, and a cotangent on the pattern of the matrix."""

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

from chainrules.ad import call, grad
from chainrules_core import ProjectTo, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import kinds, same_pattern, sparse

# The product of two bidiagonal patterns, dominated by its diagonal.
PATTERN = np.eye(4) + np.eye(4, k=1) + np.eye(4, k=-2)


def system(format="csc", kind="array", dtype=float):
    """A sparse matrix of shape (4, 4), far from singular."""
    A = sparse(format, kind, dtype, PATTERN)
    A.setdiag(A.diagonal() + 5)
    return A


@kinds
@pytest.mark.parametrize("format", ["csc", "csr"])
@pytest.mark.parametrize("shape", [(4,), (4, 2), (4, 1)])
def test_solution(format, kind, shape):
    """The solution for a vector or for several, by the matrix and by the right side."""
    A, b = system(format, kind), normal(*shape)
    test_frule(spsolve, A, b)
    test_rrule(spsolve, A, b)


@pytest.mark.parametrize("dtypes", [(complex, complex), (complex, float), (float, complex)])
def test_complex_systems(dtypes):
    """The cotangent of a real matrix or right side is real."""
    A, b = system(dtype=dtypes[0]), normal(4, dtype=dtypes[1])
    test_frule(spsolve, A, b)
    test_rrule(spsolve, A, b)


@kinds
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("shape", [(4, 3), (4, 1)])
def test_sparse_right_sides(shape, dtype, kind):
    """The solution is sparse, or a vector for one column; the cotangent of `b` keeps its pattern."""
    A, b = system(kind=kind, dtype=dtype), sparse("csc", kind, pattern=np.eye(*shape) + np.eye(*shape, k=-2))
    test_frule(spsolve, A, b)
    test_rrule(spsolve, A, b)
    x, pullback = rrule(spsolve, A, b)
    assert same_pattern(pullback(x)[2], ProjectTo(b)(b))


def test_options_reach_the_solver():
    """The ordering of columns is handed on, in the pullback too."""
    test_rrule(spsolve, system(), normal(4), fkwargs={"permc_spec": "NATURAL"})
    assert len(rrule(spsolve, system(), normal(4), "NATURAL")[1](normal(4))) == 4


def test_cotangent_keeps_the_pattern():
    """The cotangent of the matrix stores entries where the matrix does."""
    A = system()
    x, pullback = rrule(spsolve, A, normal(4))

    assert same_pattern(unthunk(pullback(x)[1]), A)


def test_rule_can_be_differentiated():
    """The second derivative by the right side is that of a quadratic form."""
    A, b = system(), normal(4)
    gradient = grad(lambda b: np.sum(grad(lambda b: np.sum(call(spsolve, A, b) ** 2))(b)))(b)
    inverse = np.linalg.inv(A.toarray())
    np.testing.assert_allclose(gradient, 2 * inverse.T @ inverse @ np.ones(4))

    by_matrix = grad(lambda A: np.sum(grad(lambda b: np.sum(call(spsolve, A, b) ** 2))(b)))(A)
    assert same_pattern(by_matrix, A)
    x, ones = inverse @ b, np.ones(4)
    u = inverse @ ones  # the sum is 2 u . x
    expected = -2 * (np.outer(inverse.T @ u, x) + np.outer(inverse.T @ x, u))
    np.testing.assert_allclose(by_matrix.toarray(), expected * (A.toarray() != 0))
