"""The attributes of sparse arrays."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.sparse_cases import diagonals, kinds, same_pattern, sparse


@kinds
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "bsr"])
def test_data(format, kind):
    """The stored numbers."""
    A = sparse(format, kind)
    test_frule(getattr, A, "data")
    test_rrule(getattr, A, "data")
    assert same_pattern(rrule(getattr, A, "data")[1](np.ones_like(A.data))[1], A)


def test_stored_diagonals():
    """What is stored outside of the matrix has no part in the cotangent."""
    test_frule(getattr, diagonals(), "data")
    test_rrule(getattr, diagonals(), "data", mode="fast")


@pytest.mark.parametrize("name", ["indices", "indptr", "nnz", "format"])
def test_what_has_no_derivative(name):
    """Places and counts."""
    A = sparse()
    y, pullback = rrule(getattr, A, name)

    np.testing.assert_array_equal(y, getattr(A, name))
    assert pullback(NoTangent()) == (NoTangent(), NoTangent(), NoTangent())
    assert frule((NoTangent(), A, NoTangent()), getattr, A, name)[1] is NoTangent()


def test_what_is_declined():
    """Other attributes; numbers that are added, or that are not in the order of the pattern."""
    A = sparse()
    doubled = scipy.sparse.coo_array((np.ones(2), ([0, 0], [1, 1])), shape=(2, 2))
    backwards = scipy.sparse.csr_array((np.ones(2), [1, 0], [0, 2]), shape=(1, 2))

    for B, name in (
        (A, "has_sorted_indices"),
        (doubled, "data"),
        (backwards, "data"),
        (sparse("lil"), "data"),
    ):
        assert rrule(getattr, B, name) is None
        assert frule((NoTangent(), B, NoTangent()), getattr, B, name) is None


def test_zero_tangents():
    """They stay zeros."""
    A = sparse()
    assert frule((NoTangent(), ZeroTangent(), NoTangent()), getattr, A, "data")[1] is ZeroTangent()
    assert rrule(getattr, A, "data")[1](ZeroTangent())[1] is ZeroTangent()
