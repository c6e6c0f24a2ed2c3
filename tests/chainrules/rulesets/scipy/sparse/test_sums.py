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


@formats
def test_methods(format):
    """They are the same sums and means."""
    A = sparse(format)
    test_frule(type(A).trace, A)
    test_rrule(type(A).trace, A, 1)
    for f in (type(A).sum, type(A).mean):
        test_frule(f, A, fkwargs={"axis": 1})
        test_rrule(f, A, fkwargs={"axis": 1}, mode="fast")


def test_sums_of_vectors():
    """The cotangent stands at the entries of the vector."""
    v = scipy.sparse.coo_array(np.array([1.0, 0.0, 2.0]))
    _, pullback = rrule(np.sum, v)

    np.testing.assert_array_equal(pullback(3.0)[1].toarray(), [3.0, 0.0, 3.0])


@formats
@kinds
@pytest.mark.parametrize("axis", [0, 1, None])
def test_mean(format, kind, axis):
    """Zeros count."""
    A = sparse(format, kind)
    if kind == "matrix" and axis is not None:
        y, pullback = rrule(np.mean, A, axis)
        y_bar = normal(*y.shape)
        expected = np.broadcast_to(y_bar, A.shape) * (A.toarray() != 0) / A.shape[axis]
        np.testing.assert_allclose(pullback(y_bar)[1].toarray(), expected)
    else:
        test_frule(np.mean, A, fkwargs={"axis": axis})
        test_rrule(np.mean, A, fkwargs={"axis": axis}, mode="fast")


def test_rule_can_be_differentiated():
    """The derivative of a cotangent that depends on the result."""
    A = sparse()
    gradient = grad(lambda A: np.sum(grad(lambda A: np.sum(np.sum(A, 1) ** 2))(A)))(A)
    stored = A.toarray() != 0

    np.testing.assert_allclose(gradient.toarray(), 2 * stored.sum(1, keepdims=True) * stored)
