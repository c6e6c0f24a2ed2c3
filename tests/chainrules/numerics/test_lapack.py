"""Which arrays LAPACK takes, and its routines."""

import numpy as np
import pytest

from chainrules.numerics.lapack import is_for_lapack, lapack_routine


@pytest.mark.parametrize("dtype", ["f", "d", "F", "D"])
def test_routines(dtype):
    """LAPACK and BLAS have a routine for each precision that they know."""
    A = np.eye(2, dtype=dtype) * 2

    assert is_for_lapack(A)
    factors, _, _ = lapack_routine("getrf", dtype)(A)
    np.testing.assert_array_equal(factors, A)
    np.testing.assert_array_equal(lapack_routine("trsm", dtype)(1.0, A, A), np.eye(2))


@pytest.mark.parametrize("A", [np.ones(3), np.ones((2, 2), int), np.ones((0, 2)), np.ones((2, 2), "f2"), 1.0])
def test_other_arrays(A):
    """Vectors, integers, empty and half-precision matrices, and numbers are not for LAPACK."""
    assert not is_for_lapack(A)
