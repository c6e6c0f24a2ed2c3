"""Sums of sparse arrays, over all elements and along an axis."""

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import formats, kinds, same_pattern, sparse


@formats
@kinds
def test_sum_of_all(format, kind):
    """The cotangent stands wherever an entry is stored."""
    A = sparse(format, kind)
    test_frule(np.sum, A)
    test_rrule(np.sum, A)
    assert same_pattern(rrule(np.sum, A)[1](2.0)[1], A)


@formats
@pytest.mark.parametrize("axis", [0, 1, -1, None])
@pytest.mark.parametrize("dtype", [float, complex])
def test_sum_along_an_axis(format, axis, dtype):
    """The cotangent is repeated along the axis."""
    A = sparse(format, dtype=dtype)
    test_frule(np.sum, A, fkwargs={"axis": axis})
    test_rrule(np.sum, A, fkwargs={"axis": axis})


@pytest.mark.parametrize("axis", [0, 1])
def test_sums_of_matrices_keep_the_axis(axis):
    """The sum of one of SciPy's older matrices is an `np.matrix`; its cotangent has the same shape."""
    A = sparse(kind="matrix")
    y, pullback = rrule(np.sum, A, axis)
    y_bar = normal(*y.shape)

    expected = np.broadcast_to(y_bar, A.shape) * (A.toarray() != 0)
    np.testing.assert_allclose(pullback(y_bar)[1].toarray(), expected)


def test_sparse_vectors_have_no_rule():
    """The sum of a sparse vector is declined."""
    assert rrule(np.sum, scipy.sparse.coo_array(np.ones(3))) is None


def test_rule_can_be_differentiated():
    """The derivative of a cotangent that depends on the result."""
    A = sparse()
    gradient = grad(lambda A: np.sum(grad(lambda A: np.sum(np.sum(A, 1) ** 2))(A)))(A)
    stored = A.toarray() != 0

    np.testing.assert_allclose(gradient.toarray(), 2 * stored.sum(1, keepdims=True) * stored)
