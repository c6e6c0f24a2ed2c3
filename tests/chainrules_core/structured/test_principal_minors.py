"""Tests of `chainrules_core.structured.principal_minors`."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from chainrules_core.structured import Diagonal, SymTridiagonal, Tridiagonal
from chainrules_core.structured.principal_minors import _minors, _shifted, cofactor_bands, inverse_bands
from tests.chainrules_core.structured.matrices import BANDED, DTYPES, elements, matrices, matrix

OFFSETS = (-1, 0, 1)


def cofactors(A):
    """Each by the determinant of what is left without its row and column."""
    n, A = len(A), A.to_dense()
    minors = [np.delete(np.delete(A, i, 0), j, 1) for i in range(n) for j in range(n)]
    signs = (-1.0) ** np.add.outer(np.arange(n), np.arange(n))
    return signs * np.array([np.linalg.det(minor) for minor in minors]).reshape(n, n)


@given(matrices(*BANDED))
def test_cofactors(A):
    """They are the determinants of submatrices, in the precision of the matrix."""
    bands, expected = cofactor_bands(A), cofactors(A)

    for k in OFFSETS:
        assert bands[k].dtype == A.dtype
        # Single precision loses as many digits as the elimination that is compared with has steps.
        np.testing.assert_allclose(bands[k], np.diagonal(expected, k), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 3, 30])
def test_inverse(dtype, n):
    """The bands are those of the transposed inverse, also far from diagonal dominance."""
    A = matrix("Tridiagonal", n, dtype)
    bands, expected = inverse_bands(A), np.linalg.inv(A.to_dense().astype(complex)).T

    for k in OFFSETS:
        assert bands[k].dtype == A.dtype
        # Far from diagonal dominance matrices are ill-conditioned.
        rtol = 1e-3 if dtype in ("float32", "complex64") else 1e-10
        np.testing.assert_allclose(bands[k], np.diagonal(expected, k), rtol=rtol, atol=rtol)


def test_minors_that_are_zero():
    """A minor may be zero, since no step divides by it: the matrix is regular all the same."""
    A = Tridiagonal(np.array([2.0]), np.zeros(2), np.array([4.0]))

    assert inverse_bands(A)[1] == 0.25
    assert inverse_bands(A)[-1] == 0.5


@pytest.mark.parametrize("size", [1e-200, 1e-3, 1e200, 1e200 - 2e200j])
def test_numbers_out_of_range(size):
    """Determinants overflow and underflow; the inverse does not."""
    n = 300
    A = SymTridiagonal(np.full(n, 3 * size), np.full(n - 1, size))
    unit = SymTridiagonal(np.full(n, 3.0), np.ones(n - 1))
    expected = np.linalg.inv(unit.to_dense())

    for k, band in inverse_bands(A).items():
        np.testing.assert_allclose(band * size, np.diagonal(expected, k), rtol=1e-12)


@pytest.mark.parametrize("turn", [1.0, 0.6 - 0.8j])
def test_minors_out_of_range(turn):
    """Those on the way to a cofactor overflow and underflow; the cofactor does not."""
    elements = [1e200, 1e250, 1e-200, 1e-250, 1e-300, 1e250, 2.0]
    others = (elements[:i] + elements[i + 1 :] for i in range(len(elements)))
    expected = [float(math.prod(map(Fraction, factors))) for factors in others]

    cofactors = cofactor_bands(Diagonal(np.array(elements) * turn))
    np.testing.assert_allclose(cofactors[0], np.array(expected) * turn**6, rtol=1e-10)


def test_singular_matrices():
    """They have cofactors, and no inverse."""
    A = Diagonal(np.array([1.0, 0.0, 2.0]))

    np.testing.assert_array_equal(cofactor_bands(A)[0], [0.0, 2.0, 0.0])
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        inverse_bands(A)


def test_integers_and_nothing():
    """Integers have cofactors that are floats; a matrix without rows has none."""
    assert cofactor_bands(Diagonal(np.array([2, 3])))[0].dtype == np.float64
    assert inverse_bands(Diagonal(np.zeros(0)))[0].shape == (0,)


@pytest.mark.parametrize("n", [3, 40])
def test_minors_are_scaled_by_powers_of_two(n):
    """A minor is its number times its power of two, also where it would overflow."""
    minors, exponents = _minors([1e50] * n, [0.0] * n)

    for size, (minor, exponent) in enumerate(zip(minors, exponents, strict=True)):
        logarithm = math.log2(minor) + int(exponent)
        assert logarithm == pytest.approx(size * math.log2(1e50))


@pytest.mark.parametrize("x", [np.array([3.0, 5.0]), np.array([3.0 - 4.0j, 5.0 + 1.0j])])
def test_shifted(x):
    """Both parts of a complex number are multiplied by the power of two."""
    np.testing.assert_array_equal(_shifted(x, np.array([2, -1])), x * [4.0, 0.5])


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_minors_of_many_rows(dtype):
    """They leave the range of a float, in both directions, and the cofactors do not."""
    n = 1000
    rng = np.random.default_rng(0)
    beside = [1e-2 * elements(rng, dtype, n - 1) for _ in range(2)]
    A = Tridiagonal(beside[0], 1.0 + 1e-2 * elements(rng, dtype, n), beside[1])
    inverse, det = np.linalg.inv(A.to_dense()).T, np.linalg.det(A.to_dense())

    cofactors, bands = cofactor_bands(A), inverse_bands(A)
    for k in OFFSETS:
        np.testing.assert_allclose(bands[k], np.diagonal(inverse, k), rtol=1e-10)
        np.testing.assert_allclose(cofactors[k], det * np.diagonal(inverse, k), rtol=1e-10)


@pytest.mark.parametrize("large", [0, 1])
def test_rows_of_all_sizes(large):
    """Each is divided by its greatest element, whichever diagonal that is on."""
    A = Tridiagonal(np.ones(3), np.zeros(4), np.array([1.0, 2.0, 3.0]))
    sizes = np.where(np.arange(4) % 2 == large, 1e250, 1e-250)
    below, main, above = (A.diagonal(k) for k in OFFSETS)
    rows = Tridiagonal(sizes[1:] * below, sizes * main, sizes[:-1] * above)
    inverse = np.linalg.inv(A.to_dense()).T / sizes[:, np.newaxis]

    for k, band in inverse_bands(rows).items():
        np.testing.assert_allclose(band, np.diagonal(inverse, k), rtol=1e-10)
