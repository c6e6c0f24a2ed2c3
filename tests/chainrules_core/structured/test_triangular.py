"""Tests of `chainrules_core.structured.triangular`."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import DimensionMismatchError
from chainrules_core.structured import (
    Diagonal,
    LowerTriangular,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)
from tests.chainrules_core.structured.matrices import assert_holds_its_fields
from tests.python_calls import functions_run_by

DATA = np.arange(1.0, 10.0).reshape(3, 3)
EYE = np.eye(3)
DENSE = {
    UpperTriangular: np.triu(DATA),
    LowerTriangular: np.tril(DATA),
    UnitUpperTriangular: np.triu(DATA, 1) + EYE,
    UnitLowerTriangular: np.tril(DATA, -1) + EYE,
}


@pytest.mark.parametrize("kind", DENSE)
def test_which_elements_count(kind):
    """One triangle of the array counts; of a unit triangular matrix the diagonal does not."""
    assert kind(DATA) == DENSE[kind]
    assert kind(DATA).data is DATA


@pytest.mark.parametrize("kind", DENSE)
def test_the_other_triangle_is_never_looked_at(kind):
    """Whatever is in it, does not come out."""
    garbage = np.where(DENSE[kind] == 0, np.nan, DATA)
    A = kind(garbage)

    for result in (A, A + A, A @ A, 2 * A, A * A, A.T, A.inv(), np.sqrt(A), abs(A), A.real, A.copy()):
        assert np.all(np.isfinite(np.asarray(result)))
    assert np.all(np.isfinite(A @ np.ones(3)))
    assert np.all(np.isfinite(np.linalg.solve(A, np.ones(3))))
    assert A == DENSE[kind]


@pytest.mark.parametrize("kind", DENSE)
def test_a_rectangle_is_no_triangular_matrix(kind):
    """A rectangle is refused: matrices with structure are square."""
    with pytest.raises(DimensionMismatchError, match="square"):
        kind(np.ones((2, 3)))


def test_kinds_of_results():
    """Upper triangular matrices stay upper triangular; unit ones, only as products and inverses."""
    U, V, D = UpperTriangular(DATA), UnitUpperTriangular(DATA), Diagonal(np.ones(3))

    for result in (U + U, U @ U, U * U, U @ V, U + V, V + V, 2 * V, -V, V.imag, U @ D, D @ V, V + D, U.inv()):
        assert type(result) is UpperTriangular
    for result in (V @ V, V.inv(), V * V, V.conj(), V.copy()):
        assert type(result) is UnitUpperTriangular
    assert type(U.T) is LowerTriangular
    assert type(V.T) is UnitLowerTriangular
    assert type(U * U.T) is Diagonal
    assert type(U + U.T) is np.ndarray


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("kind", DENSE)
def test_extents(kind, n):
    """One triangle, whatever the size: small matrices reach beyond their elements, as far as larger ones."""
    lo, hi = kind(np.ones((n, n))).extent

    assert (lo, hi)[kind in (UpperTriangular, UnitUpperTriangular)] == max(n - 1, 2) * (1 if hi else -1)
    assert 0 in (lo, hi)


def test_determinants():
    """The determinant is the product of the diagonal, and 1 if the diagonal has ones."""
    assert np.linalg.det(UpperTriangular(DATA)) == 45.0
    assert np.linalg.det(UnitLowerTriangular(DATA)) == 1.0
    assert np.linalg.slogdet(UnitLowerTriangular(DATA)) == (1.0, 0.0)


@pytest.mark.parametrize("kind", DENSE)
def test_sparse_parents(kind):
    """The array may be sparse; products with vectors and sums do not make it dense."""
    A = kind(scipy.sparse.csr_array(DATA))

    assert A == DENSE[kind]
    assert scipy.sparse.issparse(A.full())
    assert scipy.sparse.issparse((A + A).data)
    np.testing.assert_allclose(A @ np.ones(3), DENSE[kind] @ np.ones(3))
    np.testing.assert_allclose(np.linalg.solve(A, np.ones(3)), np.linalg.solve(DENSE[kind], np.ones(3)))
    np.testing.assert_array_equal(A[0], DENSE[kind][0])


def test_what_all_kinds_are():
    """Their fields stay, their text makes them again, and their elements decide whether they are equal."""
    for A in [kind(DATA) for kind in DENSE]:
        assert_holds_its_fields(A)


@pytest.mark.parametrize("kind", DENSE)
def test_elements_and_diagonals(kind):
    """By rows and columns, and along each diagonal: zeros in the other triangle."""
    A, i = kind(DATA), np.arange(3)

    for offset in range(-3, 4):
        np.testing.assert_array_equal(A.diagonal(offset), np.diagonal(DENSE[kind], offset))
    np.testing.assert_array_equal(A.entries(i[:, np.newaxis], i), DENSE[kind])
    assert [A[j, k] for j in range(3) for k in range(3)] == DENSE[kind].ravel().tolist()


@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("container", [np.asarray, scipy.sparse.coo_array, scipy.sparse.csc_matrix])
@pytest.mark.parametrize("shape", [(100,), (100, 2), (2, 100, 1)])
def test_solutions_of_many_rows(kind, container, shape):
    """Of arrays of every kind, for vectors, matrices and stacks."""
    data = np.eye(100) + 1e-2 * np.arange(1e4).reshape(100, 100) % 0.013
    A, b = kind(container(data)), np.arange(float(np.prod(shape))).reshape(shape)

    is_plain = container is np.asarray and len(shape) < 3
    assert ("solve_triangular" in functions_run_by(lambda: A.solve_dense(b))) is is_plain
    np.testing.assert_allclose(A.solve_dense(b), np.linalg.solve(A.to_dense(), b), rtol=1e-9, atol=1e-9)
