"""The rules of matrix products with structured arrays, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules_core import rrule, unthunk
from chainrules_core.structured import Diagonal, Tridiagonal
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of


@pytest.mark.parametrize("dtype", [np.float64, complex])
@pytest.mark.parametrize("place", range(13))
def test_products_with_ordinary_arrays(place, dtype):
    """From both sides: vectors, matrices, stacks of matrices."""
    A = matrices(dtype=dtype)[place]

    for shape in [(4,), (4, 2), (3, 4, 2), (4, 1)]:
        check_structured_rule(np.matmul, A, normal(*shape, dtype=dtype))
    for shape in [(4,), (2, 4), (3, 2, 4), (1, 4)]:
        check_structured_rule(np.matmul, normal(*shape, dtype=dtype), A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
@pytest.mark.parametrize("B", matrices(seed=5), ids=name_of)
def test_products_of_two(A, B):
    """All pairs of kinds; the cotangent of each factor is of its kind."""
    check_structured_rule(np.matmul, A, B)


def test_operator():
    """The operator is the function."""
    D = Diagonal(normal(3))

    check_structured_rule(operator.matmul, D, normal(3))
    check_structured_rule(operator.matmul, normal(3), D)
    check_structured_rule(operator.matmul, D, D)


@pytest.mark.parametrize("n", [0, 1])
def test_small_matrices(n):
    """Without elements, and with one."""
    D, T = Diagonal(normal(n)), Tridiagonal(normal(max(n - 1, 0)), normal(n), normal(max(n - 1, 0)))

    for A in (D, T):
        check_structured_rule(np.matmul, A, normal(n))
        check_structured_rule(np.matmul, A, normal(n, 2))
        check_structured_rule(np.matmul, A, A)


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix, which does not fit into memory."""
    n = 10**6
    D, x = Diagonal(normal(n)), normal(n, seed=1)

    _, pullback = rrule(np.matmul, D, x)
    D_bar, x_bar = map(unthunk, pullback(x)[1:])
    np.testing.assert_array_equal(D_bar.diag, x * x)
    np.testing.assert_array_equal(x_bar, D.diag * x)

    T = Tridiagonal(x[1:], x, x[1:])
    _, pullback = rrule(np.matmul, T, x)
    np.testing.assert_array_equal(unthunk(pullback(x)[1]).du, x[:-1] * x[1:])
    product, pullback = rrule(np.matmul, D, T)
    D_bar, T_bar = map(unthunk, pullback(product)[1:])
    assert type(D_bar) is Diagonal
    assert type(T_bar) is Tridiagonal
