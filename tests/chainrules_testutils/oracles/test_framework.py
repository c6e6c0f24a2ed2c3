"""What an oracle hands to a framework."""

import numpy as np
import pytest

from chainrules_testutils.oracles.framework import in_double_precision


@pytest.mark.parametrize("x", [1, 1.5, np.float32(1.5), np.ones(2, dtype=np.float16), np.ones((), dtype=int)])
def test_real_numbers(x):
    """Real numbers and arrays of them become arrays of float64, in new memory."""
    array = in_double_precision(x)

    assert array.dtype == np.float64
    assert np.array_equal(array, x)
    assert array is not x


@pytest.mark.parametrize("x", [1j, np.complex64(1j), np.ones(2, dtype=complex)])
def test_complex_numbers(x):
    """Complex ones become arrays of complex128."""
    array = in_double_precision(x)

    assert array.dtype == np.complex128
    assert np.array_equal(array, x)
