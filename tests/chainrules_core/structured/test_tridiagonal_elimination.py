"""Tests of `chainrules_core.structured.tridiagonal_elimination`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chainrules_core.structured import Tridiagonal
from chainrules_core.structured.tridiagonal_elimination import eliminated
from tests.chainrules_core.structured.matrices import elements


@given(st.integers(1, 12), st.sampled_from(["float64", "complex128"]), st.integers(0, 2**32 - 1))
def test_solutions_are_backward_stable(n, dtype, seed):
    """The residual is small for every matrix, since rows are exchanged where that is needed."""
    rng = np.random.default_rng(seed)
    A = Tridiagonal(elements(rng, dtype, n - 1), 1e-3 * elements(rng, dtype, n), elements(rng, dtype, n - 1))
    b = elements(rng, dtype, n, 2)

    sign, pivots, x = eliminated(A, b)

    assert np.linalg.norm(A @ x - b) <= 1e-13 * n * np.linalg.norm(A) * max(np.linalg.norm(x), 1.0)
    np.testing.assert_allclose(sign * np.prod(pivots), np.linalg.det(A.to_dense()), rtol=1e-8, atol=1e-12)


def test_rows_are_exchanged():
    """A zero on the diagonal is no obstacle."""
    A = Tridiagonal([1.0, 2.0], [0.0, 0.0, 1.0], [3.0, 4.0])

    np.testing.assert_allclose(A @ eliminated(A, np.ones(3))[2], np.ones(3))
    np.testing.assert_allclose(A.det(), np.linalg.det(A.to_dense()))


def test_a_singular_matrix_has_a_zero_pivot():
    """It is the caller that raises the error: a determinant may be zero."""
    sign, pivots, _ = eliminated(Tridiagonal([1.0], [1.0, 1.0], [1.0]))

    assert sign * np.prod(pivots) == 0.0


@pytest.mark.parametrize(
    ("dtype", "expected"), [("float32", "float32"), ("complex64", "complex64"), ("int64", "float64")]
)
def test_precisions(dtype, expected):
    """Pivots have the precision of the operands; integers become floats."""
    A = Tridiagonal(*(np.ones(n, dtype) for n in (1, 2, 1)))
    A = A + Tridiagonal(np.zeros(1, dtype), np.ones(2, dtype), np.zeros(1, dtype))

    _, pivots, x = eliminated(A, np.ones(2, dtype))

    assert pivots.dtype == x.dtype == expected
