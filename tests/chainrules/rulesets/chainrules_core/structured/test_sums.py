"""The rules of sums of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_core.structured import Diagonal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_sum(A):
    """The sum of all elements has the right tangent."""
    check_structured_rule(np.sum, A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_sum_with_options(A):
    """Sums of rows and columns have right cotangents: the generic rule projects its result."""
    check_structured_rule(np.sum, A, axis=0)
    check_structured_rule(np.sum, A, axis=1, keepdims=True)


def test_memory_is_that_of_the_diagonals():
    """The cotangent is one for each stored element."""
    n = 10**6

    D = Diagonal(np.zeros(n))
    _, pullback = rrule(np.sum, D)

    np.testing.assert_array_equal(pullback(2.0)[1].diag, np.full(n, 2.0))
    assert type(frule((NoTangent(), D), np.sum, D, axis=0)[1]) is np.ndarray
