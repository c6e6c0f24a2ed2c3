"""Both modes of products with sparse factors, against the products of dense ones."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from chainrules.formulas.matrices.sparse_products import conjugate_transpose, pull_product, push_product
from chainrules_core import NoTangent, unthunk
from tests.chainrules.rule_checks import normal

PATTERN = np.array([[1, 0, 1], [0, 0, 1], [1, 1, 0]])
A = PATTERN * (normal(3, 3) + 1j * normal(3, 3, seed=1))
B = PATTERN.T * (normal(3, 3, seed=2) + 1j * normal(3, 3, seed=3))


def same(x):
    """A dense factor."""
    return x


def dense(x):
    """The elements of a result, sparse or not."""
    x = unthunk(x)
    return x.toarray() if hasattr(x, "toarray") else np.asarray(x)


@pytest.mark.parametrize("of_A", [csr_array, same])
@pytest.mark.parametrize("of_B", [csr_array, same])
def test_both_modes(of_A, of_B):
    """Tangents obey the product rule; cotangents agree with them, on the pattern of a sparse factor."""
    C, pullback = pull_product(of_A(A), of_B(B))
    _, C_dot = push_product((NoTangent(), of_A(2 * A), of_B(B * 1j)), of_A(A), of_B(B))
    C_bar = normal(3, 3, seed=4)
    _, A_bar, B_bar = (bar if isinstance(bar, NoTangent) else dense(bar) for bar in pullback(C_bar))

    np.testing.assert_allclose(dense(C), A @ B)
    np.testing.assert_allclose(dense(C_dot), (2 + 1j) * (A @ B))
    np.testing.assert_allclose(
        (np.vdot(A_bar, 2 * A) + np.vdot(B_bar, B * 1j)).real, np.vdot(C_bar, dense(C_dot)).real
    )
    if of_A is csr_array:
        assert not np.any(A_bar[PATTERN == 0])
    if of_B is csr_array:
        assert not np.any(B_bar[PATTERN.T == 0])


def test_conjugate_transpose():
    """Of a sparse matrix, of a dense one and of a vector."""
    np.testing.assert_array_equal(conjugate_transpose(csr_array(A)).toarray(), A.conj().T)
    np.testing.assert_array_equal(conjugate_transpose(A), A.conj().T)
    np.testing.assert_array_equal(conjugate_transpose(A[0]), A[0].conj())
