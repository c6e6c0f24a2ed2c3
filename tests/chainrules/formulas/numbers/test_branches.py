"""Square roots on the side of a branch cut."""

import numpy as np
import pytest

from chainrules.formulas.numbers.branches import roots_on_side


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_sign(dtype):
    """That of the value given, which need not be precise; the precision is that of the numbers."""
    a, b = np.array([2.0 + 1.0j, -3.0, 0.0], dtype), np.array([1.0j, -1.0 - 2.0j, 2.0], dtype)
    roots = np.sqrt(a) * np.sqrt(b)

    for sign in (1.0, -1.0, np.array([1.0, -1.0, 1.0])):
        found = roots_on_side(a, b, 1.01 * sign * roots)
        np.testing.assert_array_equal(found, sign * roots)
        assert found.dtype == dtype


def test_numbers():
    """Of Python and of NumPy."""
    assert roots_on_side(-4.0 + 0.0j, 1.0 + 0.0j, -2.0j) == -2.0j
    assert type(roots_on_side(np.complex64(-4.0), np.complex64(1.0), -2.0j)) is np.complex64
