"""Tests of `chainrules_core.structured.diagonal`."""

import numpy as np
import pytest

from chainrules_core import DimensionMismatchError
from chainrules_core.structured import Diagonal
from tests.chainrules_core.structured.matrices import assert_holds_its_fields

N = 10**6


def test_a_diagonal_matrix():
    """The elements off the diagonal are zero."""
    np.testing.assert_array_equal(Diagonal([1.0, 2.0]).to_dense(), [[1.0, 0.0], [0.0, 2.0]])


def test_nothing_is_copied():
    """A matrix holds the arrays that it is given."""
    d = np.ones(2)

    assert Diagonal(d).diag is d


def test_a_matrix_is_no_diagonal():
    """A matrix in the place of a diagonal is refused: which of its diagonals is meant has to be written."""
    with pytest.raises(DimensionMismatchError, match=r"np\.diagonal\(A\)"):
        Diagonal(np.eye(2))


def test_the_transpose_is_the_matrix():
    """The transpose of a diagonal matrix is the matrix itself."""
    D = Diagonal([1.0, 2.0])

    assert D.T is D


def test_operations_keep_the_kind():
    """Sums, products, quotients by numbers and inverses are diagonal."""
    D = Diagonal([1.0, 2.0])

    for result in (D + D, D - D, D @ D, D * D, 2 * D, D / 2, -D, np.conj(D), np.real(D), D**2, D.inv()):
        assert type(result) is Diagonal


@pytest.mark.parametrize("shape", [(3,), (3, 2), (2, 3, 2)])
def test_products_and_solutions(shape):
    """As those of the dense matrix, for vectors, matrices and stacks of them."""
    D, y = Diagonal([2.0, -3.0, 5.0]), np.arange(1.0, 1 + np.prod(shape)).reshape(shape)

    np.testing.assert_array_equal(D.times_dense(y), D.to_dense() @ y)
    np.testing.assert_allclose(D.to_dense() @ D.solve_dense(y), y, rtol=1e-15)
    np.testing.assert_allclose(D.slogdet(), np.linalg.slogdet(D.to_dense()), rtol=1e-15)


def test_division_by_zero_is_a_singular_matrix():
    """Division by zero is a `LinAlgError`, as for dense matrices."""
    D = Diagonal([1.0, 0.0])

    for operation in (np.linalg.inv, lambda D: np.linalg.solve(D, np.ones(2))):
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            operation(D)
    assert np.linalg.slogdet(D) == (0.0, -np.inf)


def test_a_million_rows():
    """Memory is linear in the number of rows: the dense matrix would take eight terabytes."""
    d, x = np.arange(1.0, N + 1), np.ones(N)
    D = Diagonal(d)

    np.testing.assert_array_equal(D @ x, d)
    np.testing.assert_array_equal(x @ D, d)
    np.testing.assert_array_equal((D + D).diag, 2 * d)
    np.testing.assert_array_equal((D @ D).diag, d**2)
    np.testing.assert_array_equal((D * D).diag, d**2)
    np.testing.assert_array_equal((D * x).diag, d)
    np.testing.assert_array_equal(np.linalg.solve(D, d), x)
    np.testing.assert_array_equal(np.linalg.inv(D).diag, 1 / d)
    np.testing.assert_array_equal(np.sum(D, axis=0), d)
    np.testing.assert_array_equal(np.diag(D), d)
    np.testing.assert_array_equal(D[3:5, 3:5], [[4.0, 0.0], [0.0, 5.0]])
    assert np.trace(D) == np.sum(d)
    assert np.sum(D) == np.sum(d)
    np.testing.assert_allclose(np.linalg.slogdet(D)[1], np.sum(np.log(d)))
    np.testing.assert_allclose(np.linalg.norm(D), np.linalg.norm(d))
    assert np.allclose(D, D)
    assert D == D.copy()
    assert np.any(D)
    assert D[5, 5] == 6.0
    assert "Diagonal" in repr(D)


def test_what_all_kinds_are():
    """Their fields stay, their text makes them again, and their elements decide whether they are equal."""
    assert_holds_its_fields(Diagonal([1.0, 2.0]))
