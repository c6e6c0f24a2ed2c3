"""What rules know of a basis of polynomials, against values of its polynomials."""

import numpy as np
import pytest

from chainrules.makers.series.basis import in_precision_of, is_trimmed, number_of_coefficients
from tests.chainrules.makers.series.bases import in_every_basis

X = np.linspace(-1, 1, 7)


@in_every_basis
def test_product_with_x(basis):
    """Each row holds the coefficients of ``x P_j``."""
    values = basis.primal("vander")(X, 4)

    np.testing.assert_allclose(values @ basis.times_x(4).T, X[:, None] * values[:, :4], atol=1e-12)


@in_every_basis
def test_derivatives(basis):
    """The derivative by a degree lower than zero is zero; that of ``P_1`` is a constant."""
    assert np.all(basis.derivatives(1) == 0)
    slope = np.diff(basis.primal("vander")(X, 1)[:, 1]) / np.diff(X)
    np.testing.assert_allclose(basis.derivatives(2)[0, 1], slope)


@pytest.mark.parametrize(
    ("c", "n"), [([1.0, 2.0], 2), ([1.0, 0.0], 1), ([0.0, 0.0], 1), ([0.0, 1.0, 0.0], 2)]
)
def test_zeros_at_the_end(c, n):
    """As NumPy counts them."""
    assert number_of_coefficients(np.array(c)) == n == len(np.polynomial.polyutils.trimseq(np.array(c)))
    assert is_trimmed(np.array(c)) == (n < len(c))


def test_precision():
    """Only single precision is taken over; a matrix that has it already is not copied."""
    matrix = np.eye(2)

    assert in_precision_of(matrix, np.zeros(2)) is matrix
    assert in_precision_of(np.eye(2), np.zeros(2, np.complex64)).dtype == np.float32
    assert in_precision_of(np.eye(2), np.arange(2)).dtype == np.float64
