"""Hermitian matrices that are given by few of their diagonals."""

import numpy as np
import pytest

from chainrules.formulas.matrices.hermitian_bands import bands_from_triangle, triangle_from_bands
from tests.chainrules.rule_checks import normal


def test_storage():
    """That of LAPACK; what is outside of the matrix is not read."""
    lower = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, np.nan]])
    upper = np.array([[np.nan, 4.0, 5.0], [1.0, 2.0, 3.0]])
    expected = np.array([[1.0, 0.0, 0.0], [4.0, 2.0, 0.0], [0.0, 5.0, 3.0]])

    np.testing.assert_array_equal(triangle_from_bands(lower, True), expected)
    np.testing.assert_array_equal(triangle_from_bands(upper, False), expected.T)
    np.testing.assert_array_equal(bands_from_triangle(expected, 2, True), np.nan_to_num(lower))
    np.testing.assert_array_equal(bands_from_triangle(expected.T, 2, False), np.nan_to_num(upper))


@pytest.mark.parametrize("is_lower", [True, False])
@pytest.mark.parametrize("shape", [(1, 3), (3, 3), (3, 1, 2, 4), (4, 2), (2, 1), (1, 0)])
def test_adjoint(shape, is_lower):
    """``⟨A, triangle(ab)⟩ = ⟨bands(A), ab⟩``."""
    ab = normal(*shape)
    A = normal(*shape[:-2], shape[-1], shape[-1], seed=1)

    pulled = bands_from_triangle(A, shape[-2], is_lower)
    assert pulled.shape == shape
    assert np.sum(pulled * ab) == pytest.approx(np.sum(A * triangle_from_bands(ab, is_lower)))
