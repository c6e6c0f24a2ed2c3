"""The rules of arithmetic with structured arrays, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of

FUNCTIONS = [np.add, np.subtract, np.multiply]
OPERATORS = [operator.add, operator.sub, operator.mul]


@pytest.mark.parametrize("A", matrices(), ids=name_of)
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_two_matrices(f, A):
    """Both modes are right for all pairs of kinds."""
    for B in matrices(seed=5):
        check_structured_rule(f, A, B)


@pytest.mark.parametrize("f", OPERATORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_operators(f, A):
    """The operators are the functions."""
    for x in [A, normal(4, 4), 2.5]:
        check_structured_rule(f, A, x)
        check_structured_rule(f, x, A)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("place", range(13))
@pytest.mark.parametrize("dtype", [np.float64, complex])
def test_with_ordinary_operands(f, place, dtype):
    """With numbers, and with arrays of the same shape or that broadcast."""
    A = matrices(dtype=dtype)[place]

    number = 2.5 if dtype is np.float64 else 2.5 - 0.5j
    for x in [normal(4, 4, dtype=dtype), normal(4, dtype=dtype), normal(4, 1, dtype=dtype), number]:
        check_structured_rule(f, A, x)
        check_structured_rule(f, x, A)


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
@pytest.mark.parametrize("f", [np.divide, operator.truediv], ids=lambda f: f.__name__)
def test_quotient_by_a_number(f, A):
    """Quotients by numbers are of the same kind."""
    check_structured_rule(f, A, 2.5)
    check_structured_rule(f, A, np.float64(0.5))


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_quotient_by_an_array(A):
    """Quotients by arrays are arrays."""
    check_structured_rule(np.divide, A, positive(4, 4))


def test_constants_are_not_pushed():
    """A zero tangent contributes nothing, and two give one."""
    D = Diagonal(normal(3))

    assert frule((NoTangent(), D, ZeroTangent()), np.multiply, D, 2.0)[1] == 2.0 * D
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), np.add, D, D)[1] == ZeroTangent()


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 10**6
    D = Diagonal(normal(n))

    for f in FUNCTIONS:
        z, pullback = rrule(f, D, D)
        assert all(type(unthunk(x_bar)) is Diagonal for x_bar in pullback(z)[1:])
    z, pullback = rrule(np.multiply, D, 3.0)
    D_bar, factor_bar = map(unthunk, pullback(D)[1:])
    assert D_bar == 3.0 * D
    assert factor_bar == pytest.approx(np.sum(D.diag**2))


def test_the_second_operand_alone():
    """Where the first does not move the derivative is that by the second."""
    A = Diagonal(np.array([1.0, 2.0]))
    _, C_dot = frule((NoTangent(), ZeroTangent(), 5.0), operator.mul, A, 3.0)

    np.testing.assert_array_equal(C_dot, np.diag([5.0, 10.0]))
