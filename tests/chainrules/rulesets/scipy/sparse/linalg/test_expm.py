"""The exponential of sparse matrices, in both modes and in second order."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import expm, expm_multiply

from chainrules.ad import grad
from chainrules_core import NO_TANGENT, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import kinds, same_pattern

A = 0.5 * np.eye(4) + np.eye(4, k=1) - 0.3 * np.eye(4, k=-2)


@kinds
@pytest.mark.parametrize("dtype", [float, complex])
def test_exponentials(kind, dtype):
    """On the pattern of the matrix."""
    matrix = getattr(scipy.sparse, f"csc_{kind}")(A.astype(dtype) * (1 if dtype is float else 1 + 0.5j))
    test_frule(expm, matrix)
    test_rrule(expm, matrix)
    Y, pullback = rrule(expm, matrix)
    assert same_pattern(unthunk(pullback(Y)[1]), matrix)


def test_zeros():
    """They stay zeros."""
    assert frule((NO_TANGENT, ZeroTangent()), expm, scipy.sparse.csc_array(A))[1] == ZeroTangent()


def test_products_with_vectors():
    """SciPy's function in Python is entered: its gradient agrees with that of the exponential itself."""
    matrix, b = scipy.sparse.csc_array(A), normal(4)
    f = lambda t: np.sum(expm_multiply(matrix * t, b) ** 2)  # noqa: E731 - one expression
    g = lambda t: np.sum((expm(matrix * t) @ b) ** 2)  # noqa: E731 - likewise
    np.testing.assert_allclose(grad(f)(0.7), grad(g)(0.7))
    np.testing.assert_allclose(grad(grad(f))(0.7), grad(grad(g))(0.7))
