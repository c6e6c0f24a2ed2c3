"""Tests of `chainrules_core.structured.determinants`."""

import numpy as np
import pytest

from chainrules_core.structured.determinants import slogdet_of


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_sign_and_the_logarithm(dtype, sign):
    """What NumPy finds for the diagonal matrix, in the same precision."""
    pivots = np.array([2.0, -3.0, 1j if np.dtype(dtype).kind == "c" else 0.5]).astype(dtype)

    found = slogdet_of(sign, pivots)
    expected = np.linalg.slogdet(np.diag(pivots))

    np.testing.assert_allclose(found[0], sign * expected.sign, rtol=1e-6)
    np.testing.assert_allclose(found[1], expected.logabsdet, rtol=1e-6)
    assert found[0].dtype == expected.sign.dtype
    assert found[1].dtype == expected.logabsdet.dtype


def test_large_determinants_do_not_overflow():
    """Their logarithm is finite where they would overflow."""
    assert slogdet_of(1, np.full(1000, 1e10)) == (1.0, pytest.approx(1000 * np.log(1e10)))


def test_integers_and_zeros():
    """Integers count as floats; a pivot of zero makes the determinant zero."""
    assert slogdet_of(1, np.array([1, -1])) == (-1.0, 0.0)
    assert slogdet_of(1, np.array([1.0, 0.0])) == (0.0, -np.inf)
