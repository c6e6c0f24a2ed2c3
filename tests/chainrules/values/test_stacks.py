"""Stacks of matrices: transposes, diagonals, columns and rows."""

import numpy as np

from chainrules.values.stacks import (
    adjoint,
    as_columns,
    as_rows,
    conjugate,
    diagonal_matrix,
    diagonal_of,
    identity,
    is_complex_array,
    times_adjoint,
    times_diagonal,
    trace_of_product,
    transposed,
    with_matrix_axes,
)
from tests.chainrules.rule_checks import normal


def test_adjoint():
    """The last two axes change places, and complex numbers are conjugated."""
    A = normal(2, 3, 4, dtype=complex)

    assert transposed(A).shape == (2, 4, 3)
    np.testing.assert_array_equal(adjoint(A)[1], A[1].conj().T)


def test_conjugate_of_real_numbers():
    """Real arrays are not copied."""
    A = normal(2, 2)

    assert conjugate(A) is A


def test_trace_of_product():
    """The trace, without the product."""
    A, B = normal(5, 2, 3), normal(5, 3, 2, seed=1)

    np.testing.assert_allclose(trace_of_product(A, B), np.trace(A @ B, axis1=1, axis2=2))


def test_products_with_adjoints():
    """Of matrices, and of single columns and rows."""
    for rows, columns in ((3, 1), (3, 2), (1, 2)):
        U, V = normal(5, rows, columns), normal(5, 3, columns, seed=1)
        np.testing.assert_allclose(times_adjoint(U, V), U @ adjoint(V))


class Unusual:
    """An array that has no method of this name."""

    def __array_function__(self, f, types, args, kwargs):
        return f.__name__, args[1:]


def test_transposes_of_arrays_without_the_method():
    """NumPy finds them."""
    assert transposed(Unusual()) == ("swapaxes", (-1, -2))


def test_numbers_with_matrix_axes():
    """A factor for each matrix."""
    assert with_matrix_axes(normal(5)).shape == (5, 1, 1)
    assert with_matrix_axes(1.5).shape == (1, 1)


def test_identity():
    """The identity has the precision of the real numbers."""
    for dtype, real in ((np.float32, np.float32), (np.complex64, np.float32), (complex, np.float64)):
        actual = identity(normal(2, 4, 3, dtype=dtype))
        np.testing.assert_array_equal(actual, np.eye(3))
        assert actual.dtype == real


def test_diagonals():
    """Diagonal matrices, products with them, and diagonals."""
    A, d = normal(2, 4, 3), normal(2, 3, seed=1)

    assert diagonal_matrix(d).shape == (2, 3, 3)
    np.testing.assert_array_equal(diagonal_of(diagonal_matrix(d)), d)
    np.testing.assert_allclose(times_diagonal(A, d), A @ diagonal_matrix(d))
    np.testing.assert_array_equal(diagonal_matrix(np.array([np.inf, 1.0])), [[np.inf, 0], [0, 1]])
    assert diagonal_matrix(d.astype(np.float32)).dtype == np.float32
    assert diagonal_matrix(normal(2, 0)).shape == (2, 0, 0)


def test_columns():
    """A vector is a column, a matrix stays what it is."""
    A = normal(2, 2)

    assert as_columns(normal(3)).shape == (3, 1)
    assert as_columns(A) is A
    assert as_rows(normal(2, 3)).shape == (2, 1, 3)


def test_kinds_of_numbers():
    """Complex ones are asked for."""
    assert is_complex_array(normal(2, dtype=complex))
    assert not is_complex_array(normal(2))
