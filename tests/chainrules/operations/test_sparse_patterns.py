"""Elements of arrays and products on the pattern of a sparse array, and their own derivatives."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.operations.sparse_patterns import (
    fitted_to_pattern,
    inner,
    is_sparse_operand,
    sample_product,
    stored_in_full,
)
from chainrules_core import ProjectTo
from chainrules_core.tangent_spaces.projection.sparse import project_onto_pattern
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import PATTERN, formats, kinds, same_pattern, sparse


def check(f, *args):
    """Check both modes of a call."""
    test_frule(f, *args)
    test_rrule(f, *args)


@formats
def test_sample(format):
    """The elements of dense and of sparse arrays on a pattern, linear in the array."""
    A, x = sparse(format), normal(4, 5)
    y = project_onto_pattern(x, ProjectTo(A))

    assert same_pattern(y, A)
    np.testing.assert_array_equal(y.toarray(), x * (PATTERN != 0))
    check(project_onto_pattern, x, ProjectTo(A))
    check(project_onto_pattern, sparse(pattern=np.ones((4, 5))), ProjectTo(A))


@kinds
@pytest.mark.parametrize("dtypes", [(float, float), (complex, complex), (float, complex)])
def test_inner(kind, dtypes):
    """The inner product is conjugate in its first argument."""
    A, B = sparse(kind=kind, dtype=dtypes[0]), sparse(kind=kind, dtype=dtypes[1], seed=1)

    np.testing.assert_allclose(inner(A, B), np.vdot(A.toarray(), B.toarray()))
    check(inner, A, B)


@formats
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_of_samples(format, dtype):
    """The product is of the class and the dtype that is projected onto, real for real arrays."""
    A, u, v = sparse(format, dtype=dtype), normal(4, dtype=complex), normal(5, dtype=complex, seed=1)
    project = ProjectTo(A)

    for U, V in ((u, v), (u[:, None], v[:, None]), (sparse(pattern=np.ones((4, 2))), normal(5, 2))):
        y = sample_product(U, V, project)
        assert same_pattern(y, A)
        expected = (U[:, None] * V if U.ndim == 1 else U @ V.T).real * (PATTERN != 0)
        np.testing.assert_allclose(y.toarray(), expected, rtol=1e-5)


@formats
@pytest.mark.parametrize("k", [None, 0, 1, 3])
def test_sample_product_of_dense_arrays(format, k):
    """The rules are right for vectors and for matrices."""
    U, V = (normal(4), normal(5)) if k is None else (normal(4, k), normal(5, k, seed=1))
    A = sparse(format)
    y = sample_product(U, V, ProjectTo(A))

    full = np.outer(U, V) if k is None else U @ V.T
    assert same_pattern(y, A)
    np.testing.assert_allclose(y.toarray(), full * (PATTERN != 0))
    check(sample_product, U, V, ProjectTo(A))


@formats
def test_sample_product_of_two_precisions(format):
    """The product has the higher one, before it is stored."""
    U, V, A = normal(4, dtype=np.float32), normal(5), sparse(format)
    full = np.outer(U, V) * (PATTERN != 0)
    np.testing.assert_allclose(sample_product(U, V, ProjectTo(A)).toarray(), full, rtol=1e-14)


@pytest.mark.parametrize("sparse_factors", ["U", "V", "UV"])
def test_sample_product_of_sparse_arrays(sparse_factors):
    """Either factor may be sparse, or both."""
    U = sparse(pattern=np.eye(4, 3) + np.eye(4, 3, -2))
    V = sparse(pattern=np.eye(5, 3) + np.eye(5, 3, -1), seed=1)
    factors = (U if "U" in sparse_factors else U.toarray(), V if "V" in sparse_factors else V.toarray())
    y = sample_product(*factors, ProjectTo(sparse()))

    np.testing.assert_allclose(y.toarray(), (U @ V.T).toarray() * (PATTERN != 0))
    check(sample_product, *factors, ProjectTo(sparse()))


def test_sample_product_in_steps(monkeypatch):
    """Nothing is longer at once than what is stored; the steps do not show in the result."""
    monkeypatch.setattr("chainrules.operations.sparse_patterns._AT_LEAST", 1)
    U, V = sparse(pattern=np.ones((4, 6))), sparse(pattern=np.ones((5, 6)), seed=1)
    project = ProjectTo(sparse())
    full = (U @ V.T).toarray() * (PATTERN != 0)

    np.testing.assert_allclose(sample_product(U, V, project).toarray(), full)
    np.testing.assert_allclose(sample_product(U.toarray(), V.toarray(), project).toarray(), full)


def test_fitted_to_pattern():
    """A cotangent of a sparse array becomes sparse, one of a dense array dense."""
    A = sparse()
    assert same_pattern(fitted_to_pattern(A, normal(4, 5)), A)
    np.testing.assert_array_equal(fitted_to_pattern(A.toarray(), A), A.toarray())


def test_is_sparse():
    """SciPy's arrays and matrices are."""
    assert is_sparse_operand(sparse())
    assert is_sparse_operand(sparse(kind="matrix"))
    assert not is_sparse_operand(np.ones(3))
    assert not is_sparse_operand(1.0)


def test_stored_in_full():
    """Zeros are entries too."""
    x = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]])
    y = stored_in_full(x)
    assert y.nnz == x.size
    np.testing.assert_array_equal(y.toarray(), x)
    np.testing.assert_array_equal(grad(lambda x: stored_in_full(x).sum())(x), np.ones((2, 3)))
