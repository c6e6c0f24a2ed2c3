"""Tests of `chainrules_core.structured.bidiagonal`."""

import numpy as np
import pytest

from chainrules_core import DimensionMismatchError
from chainrules_core.structured import Bidiagonal, LowerTriangular, Tridiagonal, UpperTriangular
from tests.chainrules_core.structured.matrices import assert_holds_its_fields

UPPER = Bidiagonal([1.0, 2.0, 3.0], [4.0, 5.0], "U")
LOWER = Bidiagonal([1.0, 2.0, 3.0], [4.0, 5.0], "L")


def test_the_second_diagonal_is_above_or_below():
    """`uplo` says whether the second diagonal is above or below."""
    np.testing.assert_array_equal(UPPER.to_dense(), [[1, 4, 0], [0, 2, 5], [0, 0, 3]])
    np.testing.assert_array_equal(LOWER.to_dense(), [[1, 0, 0], [4, 2, 0], [0, 5, 3]])


def test_the_transpose_is_on_the_other_side():
    """The diagonals are the same."""
    assert UPPER.T == LOWER
    assert LOWER.T == UPPER


def test_fields_are_checked():
    """The second diagonal is one shorter, the side is one of two."""
    with pytest.raises(DimensionMismatchError, match="ev has length 3"):
        Bidiagonal(np.ones(3), np.ones(3), "U")
    with pytest.raises(ValueError, match="uplo is 'upper'"):
        Bidiagonal(np.ones(3), np.ones(2), "upper")


def test_kinds_of_results():
    """The narrowest kind that the result always fits into."""
    assert type(UPPER + UPPER) is Bidiagonal
    assert type(UPPER + LOWER) is Tridiagonal
    assert type(UPPER @ LOWER) is Tridiagonal
    assert type(UPPER @ UPPER) is UpperTriangular
    assert type(LOWER @ LOWER) is LowerTriangular


@pytest.mark.parametrize(("A", "kind"), [(UPPER, UpperTriangular), (LOWER, LowerTriangular)])
def test_the_inverse_is_triangular(A, kind):
    """Below or above the diagonal there stay zeros."""
    assert type(np.linalg.inv(A)) is kind
    np.testing.assert_allclose(np.linalg.inv(A).to_dense(), np.linalg.inv(A.to_dense()))


@pytest.mark.parametrize("uplo", ["U", "L"])
def test_no_rows(uplo):
    """A matrix without rows has diagonals without elements."""
    assert Bidiagonal([], [], uplo).to_dense().shape == (0, 0)
    with pytest.raises(DimensionMismatchError, match="ev has length 1"):
        Bidiagonal([], [1.0], uplo)


def test_what_all_kinds_are():
    """Their fields stay, their text makes them again, and their elements decide whether they are equal."""
    assert_holds_its_fields(UPPER)
