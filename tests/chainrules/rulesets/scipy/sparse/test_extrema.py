"""The extreme elements of sparse arrays, stored or not."""

import numpy as np
import pytest
import scipy.sparse

from chainrules.ad import grad, hessian
from chainrules_core import NO_TANGENT, DerivativeNotImplementedError, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.sparse_cases import formats, kinds, sparse

FULL = np.array([[3.0, -1.0], [2.0, 0.5]])


@formats
@kinds
@pytest.mark.parametrize("name", ["max", "min"])
def test_stored_elements(format, kind, name):
    """By the function and by the method; the extreme element is stored."""
    A = sparse(format, kind)
    if not hasattr(A, name):
        pytest.skip("SciPy has none")
    assert getattr(A, name)() != 0
    test_frule(getattr(type(A), name), A)
    test_rrule(getattr(type(A), name), A)
    test_frule(getattr(np, name), A)
    test_rrule(getattr(np, name), A)


@pytest.mark.parametrize(("name", "sign"), [("max", -1), ("min", 1)])
def test_zeros_that_are_not_stored(name, sign):
    """They have no tangent; `explicit` leaves them out, and where there are none nothing is added."""
    A = scipy.sparse.csr_array(np.abs(sparse().toarray()) * sign)
    y, pullback = rrule(getattr(type(A), name), A)
    assert y == 0
    assert not unthunk(pullback(1.0)[1]).toarray().any()
    test_rrule(getattr(type(A), name), A, fkwargs={"explicit": True})
    test_frule(getattr(type(A), name), scipy.sparse.csr_array(FULL))
    test_rrule(getattr(type(A), name), scipy.sparse.csr_array(FULL))


def test_equal_elements():
    """They have equal shares, as in arrays; second derivatives are zero."""
    A = scipy.sparse.csr_array(np.array([[2.0, 0], [2.0, 1]]))
    assert unthunk(rrule(type(A).max, A)[1](1.0)[1]).toarray().tolist() == [[0.5, 0], [0.5, 0]]
    assert grad(lambda t: (A * t).max() ** 2)(3.0) == 24.0
    assert hessian(lambda t: (A * t).max() ** 2)(3.0) == 8.0
    assert frule((NO_TANGENT, ZeroTangent()), np.max, A)[1] == ZeroTangent()


def test_what_is_refused():
    """Results along an axis, and several numbers for one place."""
    A = scipy.sparse.csr_array(FULL)
    with pytest.raises(DerivativeNotImplementedError, match=r"np\.max\(A\.toarray\(\)"):
        rrule(np.max, A, axis=0)
    with pytest.raises(DerivativeNotImplementedError, match=r"np\.min\(A\.toarray\(\)"):
        rrule(type(A).min, A, 1)
    several = scipy.sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(DerivativeNotImplementedError, match="sum_duplicates"):
        rrule(type(several).max, several)
