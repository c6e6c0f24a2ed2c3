"""The rules of Struve functions, against finite differences and, by the order, against mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, within

FUNCTIONS = {special.struve: mpmath.struveh, special.modstruve: mpmath.struvel}


@pytest.mark.parametrize("f", FUNCTIONS)
def test_functions_of_an_order(f):
    """By the order and the argument, in all kinds of number and array."""
    check_elementwise(f, within(0.3, 2.5), within(0.5, 6.0))


@pytest.mark.parametrize("f", FUNCTIONS)
def test_integer_orders(f):
    """They have no tangent, and take arguments of both signs."""
    for order in (0, 1, 3):
        x = np.array([-7.0, -1.3, 0.4, 12.0])
        test_frule(f, order, x)
        test_rrule(f, order, x)
    assert rrule(f, 2, 1.0)[1](1.0)[1] == NoTangent()


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("v", [0.0, 1.0, 0.3, -1.2, 10.2])
def test_derivative_by_order(f, v):
    """As accurate as is said."""
    for x in (1e-3, 1.5, 25.0, 60.0):
        y, slope = frule((NoTangent(), 1.0, ZeroTangent()), f, v, x)
        with mpmath.workdps(40):
            expected = float(mpmath.diff(lambda v, x=x: FUNCTIONS[f](v, x), mpmath.mpf(v)))
        assert abs(slope - expected) <= 1e-11 * (abs(expected) + abs(y))


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("v", [0.0, 2.5, 120.0])
def test_derivative_by_argument(f, v):
    """Exact also where it is small beside the function, and of large orders."""
    for x in (0.1, 1.9, 2.1, 300.0):
        with mpmath.workdps(40):
            expected = float(mpmath.diff(lambda x, v=v: FUNCTIONS[f](v, x), mpmath.mpf(x)))
        assert grad(f, 1)(v, x) == pytest.approx(expected, rel=1e-11)


def test_at_zero():
    """The derivatives are those of the power series, which begin with ``2x/π`` and ``2x²/3π``."""
    for f in FUNCTIONS:
        assert grad(f, 1)(0, 0.0) == pytest.approx(2 / np.pi)
        assert grad(f, 1)(1, 0.0) == 0.0
        assert grad(grad(f, 1), 1)(1, 0.0) == pytest.approx(4 / (3 * np.pi))


@pytest.mark.parametrize("f", [special.itstruve0, special.itmodstruve0, special.it2struve0])
def test_integrals(f):
    """In all kinds of number and array, and on both sides of 0."""
    check_elementwise(f, within(0.5, 4.0))
    check_rule(f, np.array([-3.0, -0.2, 0.3]))


def test_it2struve0_at_zero():
    """``-H₀(x)/x`` is ``-2/π``, and even."""
    assert grad(special.it2struve0)(0.0) == pytest.approx(-2 / np.pi)
    assert grad(grad(special.it2struve0))(0.0) == 0.0
    below, above = map(grad(special.it2struve0), np.nextafter(1.0, [0.0, 2.0]))
    assert below == pytest.approx(above, rel=1e-14)


@pytest.mark.parametrize("f", [special.struve, special.modstruve], ids=lambda f: f.__name__)
def test_order_at_zero(f):
    """They are powers there, of exponents one above the order."""
    assert grad(f)(2.0, 0.0) == grad(f)(-0.5, 0.0) == 0.0
