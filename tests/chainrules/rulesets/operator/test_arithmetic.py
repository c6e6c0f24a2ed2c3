"""The rules of Python's arithmetic operators, against finite differences."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal, positive

BINARY = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize(
    "operands",
    [
        (1.5, 2.5),
        (3, 2.5),
        (1 + 2j, 2.0),
        (np.float64(1.5), 2.0),
        (normal(3, 4), positive(4)),
        (normal(3, 4), 2.5),
        (1.5, positive(3, 1)),
        (np.array(1.5), np.array(2.0)),
        (normal(0, 3), positive(3)),
        (normal(3, dtype=np.float32), positive(3, dtype=np.float32)),
        (normal(3), positive(3, dtype=complex)),
    ],
)
@pytest.mark.parametrize("f", BINARY, ids=lambda f: f.__name__)
def test_arithmetic(f, operands):
    """The operators have the derivatives of NumPy's functions; divisors from 0.5 to 2.5."""
    check_rule(f, *operands)


@pytest.mark.parametrize("x", [1.5, 1.5 + 2j, normal(3, 4), normal(2, dtype=np.float32), normal(0)])
@pytest.mark.parametrize("f", [operator.neg, operator.pos], ids=lambda f: f.__name__)
def test_signs(f, x):
    """Negatives of all numbers."""
    check_rule(f, x)


@pytest.mark.parametrize(
    ("x", "y"),
    [(7.3, 2.1), (-7.3, 2.1), (7.3, -2.1), (normal(3, 4), positive(4)), (normal(3), 0.7), (2.0, positive(3))],
)
def test_mod(x, y):
    """Remainders, which jump where the quotient is whole: constant quotients between jumps."""
    check_rule(operator.mod, x, y)


def test_mod_at_jumps():
    """1, and less the quotient."""
    assert [float(np.asarray(x_bar)) for x_bar in rrule(operator.mod, 6.0, 2.0)[1](1.0)[1:]] == [1.0, -3.0]


@pytest.mark.parametrize(
    "x", [1.5, -1.5, 1.5 + 2j, normal(3, 4), normal(3, dtype=complex), normal(2, dtype=np.float32)]
)
def test_abs(x):
    """Of real and complex numbers and arrays."""
    check_rule(operator.abs, x)


def test_abs_at_zero():
    """The mean of the slopes on both sides, also of a complex number."""
    assert rrule(operator.abs, 0.0)[1](1.0)[1] == 0.0
    assert rrule(operator.abs, 0j)[1](1.0)[1] == 0.0
    assert grad(abs)(0.0) == 0.0


def test_floordiv_is_constant_between_jumps():
    """A whole quotient has no derivative."""
    test_frule(operator.floordiv, 7.3, 2.1)
    test_rrule(operator.floordiv, 7.3, 2.1)


# --- pow -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "p"),
    [
        (1.5, 2.5),
        (1.5, 2),
        (2, 1.5),
        (1.5 + 1j, 2.5),
        (positive(3, 4), normal(4)),
        (positive(3, 4), 2),
        (1.5, normal(3)),
        (positive(3, dtype=np.float32), 2.5),
        (positive(3, dtype=complex), normal(3)),
    ],
)
def test_pow(x, p):
    """Powers of positive numbers."""
    check_rule(operator.pow, x, p)


def test_pow_of_a_negative_float_is_complex():
    """Python answers ``(-8.0)**(1/3)`` with a complex number, and its derivative is one too."""
    check_rule(operator.pow, -8.0, 1 / 3)


def test_pow_at_zero_has_an_infinite_slope_and_raises_nothing():
    """``x**0.5`` rises infinitely steeply from 0, for Python's numbers as for NumPy's, and for integers."""
    for x in (0.0, 0, np.float64(0.0), np.array(0.0)):
        assert rrule(operator.pow, x, 0.5)[1](1.0)[1] == np.inf
    assert grad(lambda x: x**0.5)(0.0) == np.inf


def test_pow_zero_is_constant():
    """``x**0`` is 1 for every base, also for second derivatives."""
    assert grad(lambda x: x**0)(0.0) == 0.0
    assert grad(grad(lambda x: x**1))(0.0) == 0.0
    assert grad(grad(lambda x: x**2))(0.0) == 2.0


# --- matmul ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((5, 2, 3), (3, 4))])
def test_matmul(a, b):
    """``@`` has the derivatives of `numpy.matmul`."""
    check_rule(operator.matmul, normal(*a), normal(*b, seed=1))
