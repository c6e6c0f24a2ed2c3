"""Tests of `chainrules_core.structured.banded_projection`; `test_cotangents` has what all kinds share."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import ProjectTo, backing
from chainrules_core.structured import Bidiagonal, Diagonal, SymTridiagonal, Tridiagonal
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values

X_BAR = np.arange(1.0, 10.0).reshape(3, 3)
D, E = np.ones(3), np.ones(2)


def test_diagonal():
    """The projection is the diagonal of the cotangent, a real one for a real primal."""
    assert ProjectTo(Diagonal(D))(X_BAR) == Diagonal([1.0, 5.0, 9.0])
    assert ProjectTo(Diagonal(D))(X_BAR * (1 + 1j)) == Diagonal([1.0, 5.0, 9.0])
    assert ProjectTo(Diagonal([1, 2, 3]))(X_BAR).dtype == np.float64


def test_bidiagonal():
    """Two diagonals of the cotangent; of a bidiagonal one on the other side only the main one is left."""
    upper, lower = (Bidiagonal(D, E, uplo) for uplo in "UL")

    assert ProjectTo(upper)(X_BAR) == Bidiagonal([1.0, 5.0, 9.0], [2.0, 6.0], "U")
    assert ProjectTo(lower)(X_BAR) == Bidiagonal([1.0, 5.0, 9.0], [4.0, 8.0], "L")
    assert ProjectTo(upper)(lower) == Bidiagonal(D, 0 * E, "U")
    assert type(ProjectTo(upper)(Diagonal(D))) is Bidiagonal


def test_tridiagonal():
    """The projection has the three diagonals of the cotangent."""
    assert ProjectTo(Tridiagonal(E, D, E))(X_BAR) == Tridiagonal([4.0, 8.0], [1.0, 5.0, 9.0], [2.0, 6.0])


def test_sym_tridiagonal():
    """The outer diagonals are averaged."""
    assert ProjectTo(SymTridiagonal(D, E))(X_BAR) == SymTridiagonal([1.0, 5.0, 9.0], [3.0, 7.0])


@pytest.mark.parametrize(
    "container", [scipy.sparse.csr_array, scipy.sparse.coo_matrix, scipy.sparse.dia_array]
)
def test_sparse_cotangents(container):
    """Their diagonals are read without making them dense."""
    x_bar = container(X_BAR)

    for primal in (Diagonal(D), Bidiagonal(D, E, "L"), Tridiagonal(E, D, E), SymTridiagonal(D, E)):
        assert ProjectTo(primal)(x_bar) == ProjectTo(primal)(X_BAR)


def test_other_numbers():
    """Elements may be fractions; what fits is still returned as it is."""
    half = np.array([Fraction(1, 2)] * 2, dtype=object)
    A = Bidiagonal(half, half[1:], "U")

    assert ProjectTo(Diagonal(half))(Diagonal(half)).diag[0] == Fraction(1, 2)
    assert ProjectTo(A)(A) == A


def test_a_million_rows():
    """Memory is linear in the number of rows."""
    n = 10**6
    d, e = np.ones(n), np.ones(n - 1)
    x_bar = Tridiagonal(e, d, 3 * e)

    assert ProjectTo(Diagonal(d))(x_bar) == Diagonal(d)
    assert ProjectTo(Bidiagonal(d, e, "U"))(x_bar) == Bidiagonal(d, 3 * e, "U")
    assert ProjectTo(SymTridiagonal(d, e))(x_bar) == SymTridiagonal(d, 2 * e)
    assert ProjectTo(Diagonal(d))(scipy.sparse.eye_array(n)) == Diagonal(d)


@pytest.mark.parametrize(
    "A",
    [Diagonal(D), Bidiagonal(D, E, "U"), Bidiagonal(D, E, "L"), Tridiagonal(E, D, E), SymTridiagonal(D, E)],
    ids=lambda A: type(A).__name__,
)
def test_what_fits_is_returned_itself(A):
    """A cotangent of the same class and precision; one of another precision is brought to it."""
    assert ProjectTo(A)(A) is A
    single = type(A)(*(x.astype(np.float32) if isinstance(x, np.ndarray) else x for x in vars_of(A)))
    assert ProjectTo(A)(single).dtype == np.float64
    assert ProjectTo(single)(A).dtype == np.float32
    for place, x in enumerate(vars_of(A)):
        if isinstance(x, np.ndarray):  # only one of the fields is of another precision
            mixed = type(A)(*[*vars_of(A)[:place], x.astype(np.float32), *vars_of(A)[place + 1 :]])
            assert all(part.dtype == np.float64 for part in ProjectTo(A)(mixed).arrays())


@pytest.mark.parametrize("A", [Bidiagonal(D, E, "U"), SymTridiagonal(D, E), Tridiagonal(E, D, E)], ids=type)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_diagonals_of_two_precisions(A, dtype):
    """Each diagonal of a cotangent gets the precision of that of the primal."""
    fields = [x.astype("float32") if len(x) == 2 and len(x) != "U" else x for x in vars_of(A)[:2]]
    primal = type(A)(*fields, *vars_of(A)[2:])

    projected = ProjectTo(primal)(A.astype(dtype))

    assert [x.dtype for x in projected.arrays()] == [x.dtype for x in primal.arrays()]


def vars_of(A):
    """The fields of a matrix, in the order of its constructor."""
    return list(backing(A).values())


def test_projectors_are_values():
    """Equal and of equal hash for equal tangent spaces, and for no others; the repr tells them apart."""
    primals = [
        Diagonal(D),
        Diagonal(E),
        Bidiagonal(D, E, "U"),
        Bidiagonal(D, E, "L"),
        Tridiagonal(E, D, E),
        SymTridiagonal(D, E),
    ]
    assert_are_values(*primals)
