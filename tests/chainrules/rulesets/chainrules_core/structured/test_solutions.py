"""The rules of linear systems, inverses and determinants of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules_core import ProjectTo, rrule, unthunk
from chainrules_core.structured import Diagonal, UnitUpperTriangular
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


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_det(A):
    """The determinant, by the rule for all arrays."""
    check_structured_rule(np.linalg.det, A / 8.0 if not isinstance(A, UnitUpperTriangular) else A)


def test_det_of_singular_matrix():
    """The derivative is there where the inverse is not."""
    check_structured_rule(np.linalg.det, Diagonal(np.array([1.0, 0.0, 2.0])))


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_gradient_of_slogdet(A):
    """The inverse of the transpose, projected."""
    y, pullback = rrule(np.linalg.slogdet, A)

    A_bar = pullback((0.0, 1.0))[1]

    assert y.logabsdet == pytest.approx(np.linalg.slogdet(A.to_dense())[1])
    dense = np.linalg.inv(A.to_dense()).T
    np.testing.assert_allclose(np.asarray(A_bar), np.asarray(ProjectTo(A)(dense)), atol=1e-12)


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 10**6
    D, b = Diagonal(positive(n)), normal(n)

    x, pullback = rrule(np.linalg.solve, D, b)
    assert type(unthunk(pullback(x)[1])) is Diagonal
    y, pullback = rrule(np.linalg.inv, D)
    assert type(pullback(y)[1]) is Diagonal
    _, pullback = rrule(np.linalg.slogdet, D)
    np.testing.assert_allclose(pullback((0.0, 1.0))[1].diag, 1 / D.diag)
