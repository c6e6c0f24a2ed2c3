"""Tests of the LU factorization, against `numpy.linalg`."""

import numpy as np
import pytest

from chainrules.shortcuts.lu import lu_of
from tests.chainrules.rule_checks import normal
from tests.chainrules.rulesets.numpy.linalg.matrices import regular

DTYPES = [np.float64, np.float32, complex, np.complex64]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 5, 70])
def test_inverse_and_determinant(n, dtype):
    """In each precision, with and without pivots, for more columns than are inverted at once."""
    A = normal(n, n, dtype=dtype) + np.eye(n, dtype=dtype)
    lu = lu_of(A)
    sign, logabsdet = lu.slogdet()
    expected = np.linalg.slogdet(A)

    assert not lu.is_singular
    rtol = 1e4 * np.finfo(dtype).eps
    np.testing.assert_allclose(lu.inverse() @ A, np.eye(n), atol=rtol)
    np.testing.assert_allclose(sign, expected[0], rtol=rtol)
    np.testing.assert_allclose(logabsdet, expected[1], rtol=rtol)
    assert (sign.dtype, logabsdet.dtype) == (expected[0].dtype, expected[1].dtype)
    assert lu.inverse().dtype == dtype


@pytest.mark.parametrize("dtype", DTYPES)
def test_solve(dtype):
    """Systems with the matrix and its adjoint, for a vector and for columns."""
    A = regular(3, 3, dtype=dtype)
    rtol = 1e3 * np.finfo(dtype).eps

    for B in (normal(3, dtype=dtype), normal(3, 2, dtype=dtype)):
        np.testing.assert_allclose(A @ lu_of(A).solve(B), B, rtol=rtol)
        np.testing.assert_allclose(np.conj(A.T) @ lu_of(A).solve(B, by_adjoint=True), B, rtol=rtol)


def test_the_matrix_is_left_alone():
    """Nothing is written into the matrix, however it lies in memory, nor into the factors."""
    for A in (regular(3, 3), np.asfortranarray(regular(3, 3))):
        before, lu = A.copy(), lu_of(A)
        first = lu.inverse()
        np.testing.assert_array_equal(A, before)
        np.testing.assert_array_equal(lu.inverse(), first)


def test_singular_matrices():
    """As `numpy.linalg`: a determinant of zero, and no inverse."""
    lu = lu_of(np.ones((2, 2)))

    assert lu.is_singular
    assert lu.slogdet() == tuple(np.linalg.slogdet(np.ones((2, 2))))
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        lu.inverse()


def test_infinite_elements():
    """As `numpy.linalg`: the determinant is infinite, and has a sign."""
    A = np.array([[-np.inf, 1.0], [1.0, 2.0]])

    assert lu_of(A).slogdet() == tuple(np.linalg.slogdet(A)) == (-1.0, np.inf)


@pytest.mark.parametrize(
    "A",
    [np.ones((2, 3)), np.ones((2, 2, 2)), np.ones((0, 0)), np.eye(2, dtype=int), np.eye(2, dtype="f2"), 1.0],
)
def test_what_lapack_does_not_factor(A):
    """Oblong matrices, stacks, empty ones, other precisions, numbers."""
    assert lu_of(A) is None
