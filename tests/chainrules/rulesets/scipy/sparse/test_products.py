"""Matrix products with sparse factors: both modes, every format, cotangents on the pattern."""

import operator
import resource

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad, hessian
from chainrules_core import rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import diagonals, formats, kinds, same_pattern, sparse


def check(f, *args):
    """Check both modes of a call."""
    test_frule(f, *args)
    test_rrule(f, *args)


@formats
@kinds
@pytest.mark.parametrize("shape", [(5,), (5, 3), (5, 1), (5, 0)])
def test_sparse_times_dense(format, kind, shape):
    """The product with a vector, or with a matrix."""
    check(operator.matmul, sparse(format, kind), normal(*shape))


@formats
@pytest.mark.parametrize("shape", [(4,), (3, 4)])
def test_dense_times_sparse(format, shape):
    """The dense factor may stand on the left."""
    check(operator.matmul, normal(*shape), sparse(format))


@formats
@kinds
def test_sparse_times_sparse(format, kind):
    """The product of two sparse arrays is sparse, and so are both cotangents."""
    check(
        operator.matmul, sparse(format, kind), sparse(format, kind, pattern=np.eye(5, 3) + np.eye(5, 3, -2))
    )


def test_diagonals():
    """A sparse array that stores diagonals is a factor like others."""
    check(operator.matmul, diagonals(), normal(4))
    check(operator.matmul, normal(2, 4), diagonals())


@pytest.mark.parametrize("dtypes", [(complex, complex), (complex, float), (float, complex)])
def test_complex_factors(dtypes):
    """The cotangent of a factor is multiplied by the conjugate of the other; that of a real one is real."""
    A = sparse(dtype=dtypes[0])
    check(operator.matmul, A, normal(5, dtype=dtypes[1]))
    check(operator.matmul, A, normal(5, 2, dtype=dtypes[1]))
    check(operator.matmul, A, sparse(dtype=dtypes[1], pattern=np.eye(5, 3)))


def test_single_precision():
    """Cotangents have the precision of their factor."""
    test_rrule(operator.matmul, sparse(dtype=np.float32), normal(5, dtype=np.float32))


def test_the_star_of_matrices_is_the_product():
    """``A * x`` means ``A @ x`` for SciPy's older matrices."""
    A = sparse(kind="matrix")
    check(operator.mul, A, normal(5))
    check(operator.mul, normal(4), A)


@pytest.mark.parametrize("x", [normal(5), normal(5, 2), sparse(pattern=np.eye(5, 2))])
def test_cotangents_keep_the_pattern(x):
    """The cotangent of a sparse factor stores entries where the factor does, explicit zeros included."""
    A = sparse()
    A.data[0] = 0.0
    y, pullback = rrule(operator.matmul, A, x)

    assert same_pattern(unthunk(pullback(y)[1]), A)


def test_dense_cotangent_of_a_sparse_product():
    """What a dense cotangent has where the product stores nothing has no effect."""
    A, B = sparse(), sparse(pattern=np.eye(5, 3))
    C_bar = normal(4, 3)
    _, A_bar, B_bar = map(unthunk, rrule(operator.matmul, A, B)[1](C_bar))

    np.testing.assert_allclose(A_bar.toarray(), (C_bar @ B.toarray().T) * (A.toarray() != 0))
    np.testing.assert_allclose(B_bar.toarray(), (A.toarray().T @ C_bar) * (B.toarray() != 0))


def test_sparse_vectors_have_no_rule():
    """The product with a sparse vector is declined rather than differentiated wrongly."""
    assert rrule(operator.matmul, scipy.sparse.coo_array(np.ones(5)), np.ones((5, 2))) is None


def test_rule_can_be_differentiated():
    """Second derivatives, in every order of the two factors."""
    A, x = sparse(), normal(5)

    def half_square(A, x):
        return 0.5 * np.sum((A @ x) ** 2)

    dense = A.toarray()
    by_vector = grad(lambda x: np.sum(grad(half_square, 1)(A, x)))(x)
    np.testing.assert_allclose(by_vector, dense.T @ dense @ np.ones(5))
    by_both = grad(lambda x: np.sum(grad(half_square)(A, x)))(x)
    pattern = (dense != 0) * 1.0
    np.testing.assert_allclose(by_both, dense.T @ pattern @ x + pattern.T @ dense @ x)
    by_matrix = grad(lambda A: np.sum(grad(half_square)(A, x)))(A)
    np.testing.assert_allclose(by_matrix.toarray(), np.outer(pattern @ x, x) * pattern)


def test_memory_is_that_of_the_entries():
    """A matrix of 200,000 rows and columns, 5 entries in each row: as an array it takes 320 gigabytes."""
    n, per_row = 200_000, 5
    columns = (np.arange(n)[:, np.newaxis] * 7919 + np.arange(per_row) * 123457) % n
    columns.sort(axis=1)
    row_starts = np.arange(0, n * per_row + 1, per_row)
    A = scipy.sparse.csr_array((np.cos(np.arange(n * per_row)), columns.ravel(), row_starts), shape=(n, n))
    x = np.sin(np.arange(n))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    A_bar, x_bar = grad(lambda A, x: 0.5 * np.sum((A @ x) ** 2), (0, 1))(A, x)

    y = A @ x
    np.testing.assert_allclose(A_bar.data, np.repeat(y, per_row) * x[A.indices])
    np.testing.assert_allclose(x_bar, A.T @ y)
    np.testing.assert_array_equal(A_bar.indices, A.indices)
    kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert kibibytes < 100_000


@formats
@kinds
def test_elements_that_cancel(format, kind):
    """Where an element of a product is zero by chance, it still moves."""
    A, B = (
        sparse(format, kind, pattern=np.ones((2, 2))),
        sparse(format, kind, pattern=np.ones((2, 2)), seed=1),
    )
    f = lambda x: (A @ (B * x)).toarray().sum()  # noqa: E731 - one expression
    np.testing.assert_allclose(grad(f)(0.0), (A @ B).sum())

    C = scipy.sparse.csr_array(np.array([[1.0, 1.0], [1.0, 2.0]]))
    g = lambda w: (C @ scipy.sparse.csc_array(np.diag(w)) @ C)[0, 0] ** 2  # noqa: E731 - one expression
    np.testing.assert_allclose(hessian(g)(np.array([1.0, -1.0])), 2 * np.ones((2, 2)))
