"""Functions that compute with NumPy's matrices where they are given SciPy's sparse ones of the older kind."""

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix
from scipy.sparse.linalg import expm_multiply, norm

from chainrules.ad import grad

A = np.array([[4.0, 1.0, 0.0], [-1.0, 5.0, 2.0], [0.0, 2.0, 6.5]])
B = np.array([[1.0, -1.0], [2.0, 0.0], [0.5, 3.0]])

PROGRAMS = {
    "norm of columns": lambda M: norm(M, 1),
    "norm of rows": lambda M: norm(M, ord=np.inf),
    "norms of columns": lambda M: np.sum(norm(M, axis=0) * np.arange(3.0)),
    "norms by another order": lambda M: np.sum(norm(M, 1, axis=1) ** 2),
    "norm of all": lambda M: norm(M),
    "exponential": lambda M: np.sum(expm_multiply(M, B) ** 2),
    "exponential at times": lambda M: np.sum(expm_multiply(M, B, start=0.0, stop=0.5, num=3) ** 2),
}


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_sparse_matrices(f):
    """They have the gradients that arrays have, as matrices."""
    gradient = grad(f)(csr_matrix(A))
    assert isinstance(gradient, csr_matrix)
    np.testing.assert_allclose(gradient.toarray(), grad(f)(csr_array(A)).toarray(), rtol=1e-13)


def test_constants():
    """Beside other traced values they are given as they are."""
    by_matrix, by_array = (
        grad(lambda b, form=form: np.sum(expm_multiply(form(A), b) ** 2))(B)
        for form in (csr_matrix, csr_array)
    )
    np.testing.assert_allclose(by_matrix, by_array, rtol=1e-13)
