"""The rules of linear systems and inverses of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule, unthunk
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("place", range(13))
def test_solve(place, dtype):
    """One vector, several as columns."""
    A = matrices(dtype=dtype)[place]

    check_structured_rule(np.linalg.solve, A, normal(4, dtype=dtype))
    check_structured_rule(np.linalg.solve, A, normal(4, 2, dtype=dtype))


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_solve_with_structured_right_hand_side(A):
    """The cotangent of the right-hand side is of its kind."""
    for B in matrices(seed=5):
        check_structured_rule(np.linalg.solve, A, B)


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_inv(A):
    """The inverse, whatever its kind."""
    check_structured_rule(np.linalg.inv, A)


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 10**6
    D, b = Diagonal(positive(n)), normal(n)

    x, pullback = rrule(np.linalg.solve, D, b)
    assert type(unthunk(pullback(x)[1])) is Diagonal
    y, pullback = rrule(np.linalg.inv, D)
    assert type(pullback(y)[1]) is Diagonal
