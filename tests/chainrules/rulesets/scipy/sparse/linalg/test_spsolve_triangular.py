"""Sparse triangular systems: both triangles, with and without a diagonal of ones."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import spsolve_triangular

from chainrules.ad import hessian
from chainrules_core import rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import kinds, same_pattern

LOWER = np.diag(np.arange(2.0, 6)) + np.eye(4, k=-1) - np.eye(4, k=-3)


@kinds
@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("is_lower", [True, False])
@pytest.mark.parametrize("shape", [(4,), (4, 2)])
@pytest.mark.parametrize("dtype", [float, complex])
def test_solutions(format, kind, is_lower, shape, dtype):
    """By the matrix and by the right side."""
    A = getattr(scipy.sparse, f"{format}_{kind}")((LOWER if is_lower else LOWER.T).astype(dtype))
    test_frule(spsolve_triangular, A, normal(*shape, dtype=dtype), is_lower)
    test_rrule(spsolve_triangular, A, normal(*shape, dtype=dtype), is_lower)


@pytest.mark.parametrize("is_lower", [True, False])
def test_ones_in_the_place_of_the_diagonal(is_lower):
    """What is not read has no derivative, and its entries stay in the pattern."""
    A, b = scipy.sparse.csr_array(LOWER if is_lower else LOWER.T), normal(4)
    options = {"lower": is_lower, "unit_diagonal": True}
    test_frule(spsolve_triangular, A, b, fkwargs=options)
    test_rrule(spsolve_triangular, A, b, fkwargs=options)
    A_bar = unthunk(rrule(spsolve_triangular, A, b, **options)[1](b)[1])
    assert same_pattern(A_bar, A)
    assert not A_bar.diagonal().any()


def test_nothing_is_overwritten():
    """The flags that allow it are not handed on."""
    A, b = scipy.sparse.csr_array(LOWER), normal(4)
    given = A.copy(), b.copy()
    rrule(spsolve_triangular, A, b, overwrite_A=True, overwrite_b=True)[1](b)
    np.testing.assert_array_equal(A.toarray(), given[0].toarray())
    np.testing.assert_array_equal(b, given[1])


def test_second_derivatives():
    """Of a quadratic form of the solution, by the right side."""
    A = scipy.sparse.csr_array(LOWER)
    inverse = np.linalg.inv(LOWER)
    found = hessian(lambda b: np.sum(spsolve_triangular(A, b) ** 2))(normal(4))
    np.testing.assert_allclose(found, 2 * inverse.T @ inverse)
