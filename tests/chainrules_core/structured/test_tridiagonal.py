"""Tests of `chainrules_core.structured.tridiagonal`."""

import numpy as np
import pytest

from chainrules_core import DimensionMismatchError
from chainrules_core.structured import Diagonal, SymTridiagonal, Tridiagonal
from tests.chainrules_core.structured.matrices import assert_holds_its_fields

A = Tridiagonal([1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0])
S = SymTridiagonal([3.0, 4.0, 5.0], [1.0, 2.0])


def test_where_the_diagonals_are():
    """The diagonals stand in Julia's order: below, main, above."""
    np.testing.assert_array_equal(A.to_dense(), [[3, 6, 0], [1, 4, 7], [0, 2, 5]])
    np.testing.assert_array_equal(S.to_dense(), [[3, 1, 0], [1, 4, 2], [0, 2, 5]])


def test_transposes():
    """The outer diagonals change places; a symmetric matrix is its own transpose."""
    np.testing.assert_array_equal(A.T.to_dense(), A.to_dense().T)
    assert type(A.T) is Tridiagonal
    assert S.T is S


def test_fields_are_checked():
    """The outer diagonals are one shorter than the main one."""
    with pytest.raises(DimensionMismatchError, match="du has length 3"):
        Tridiagonal(np.ones(2), np.ones(3), np.ones(3))
    with pytest.raises(DimensionMismatchError, match="dl has length 1"):
        Tridiagonal(np.ones(1), np.ones(3), np.ones(2))
    with pytest.raises(DimensionMismatchError, match="ev has length 3"):
        SymTridiagonal(np.ones(3), np.ones(3))


def test_symmetry_is_kept_where_it_lasts():
    """Sums and elementwise products of symmetric matrices are symmetric, matrix products need not be."""
    D = Diagonal([1.0, 2.0, 3.0])

    assert type(S + S) is type(S * S) is type(S + D) is type(D - S) is type(2 * S) is SymTridiagonal
    assert type(S + A) is type(D @ S) is type(S @ D) is type(A + D) is Tridiagonal
    assert type(S * D) is Diagonal


def test_many_rows():
    """Memory is linear in the number of rows, for a solution too."""
    n = 2 * 10**5
    d, e = np.full(n, 4.0), np.ones(n - 1)
    x = np.linspace(0.0, 1.0, n)

    for T in (Tridiagonal(e, d, 2 * e), SymTridiagonal(d, e)):
        np.testing.assert_allclose(np.linalg.solve(T, T @ x), x, atol=1e-12)
        assert np.trace(T) == 4.0 * n
        assert T + T == 2 * T


def test_no_rows():
    """A matrix without rows has diagonals without elements."""
    for empty in (Tridiagonal([], [], []), SymTridiagonal([], [])):
        assert empty.shape == empty.to_dense().shape == (0, 0)
    with pytest.raises(DimensionMismatchError, match="dl has length 1"):
        Tridiagonal([1.0], [], [])
    with pytest.raises(DimensionMismatchError, match="ev has length 1"):
        SymTridiagonal([], [1.0])


def test_what_all_kinds_are():
    """Their fields stay, their text makes them again, and their elements decide whether they are equal."""
    for T in (A, S):
        assert_holds_its_fields(T)
