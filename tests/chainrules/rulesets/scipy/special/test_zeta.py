"""The rules of the zeta functions; the accuracy by the exponent is tested with the operation."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_testutils import test_rrule
from tests.chainrules.rule_checks import (
    check_declared,
    check_elementwise,
    check_quickly,
    check_rule_in_double,
    within,
)


def test_zetac():
    """On numbers and arrays."""
    check_elementwise(special.zetac, within(1.5, 4.0))


@pytest.mark.parametrize("x", [-1.5, 0.5, 60.0])
def test_accuracy_of_zetac(x):
    """Far right, where the function is 1e-18, and left of the pole."""
    assert grad(special.zetac)(x) == pytest.approx(float(mpmath.zeta(x, 1, 1)), rel=1e-13)


def test_riemann():
    """Of one argument, real or complex, and with `None` in the place of the second."""
    check_rule_in_double(special.zeta, np.array([2.0, 3.5, -0.6]))
    check_quickly(special.zeta, np.array([2 + 1j, 0.3 - 2j, -1 + 1j]))
    test_rrule(special.zeta, np.float32(2.5))
    test_rrule(special.zeta, np.zeros((0, 2)))

    assert grad(lambda x: special.zeta(x, None))(3.0) == grad(special.zeta)(3.0)
    assert grad(lambda x: special.zeta(x, q=None))(3.0) == grad(special.zeta)(3.0)


def test_hurwitz():
    """Of two arguments, that broadcast, in both modes and twice."""
    check_rule_in_double(special.zeta, np.array([2.0, 3.5]), np.array([[0.5], [1.5]]))
    test_rrule(special.zeta, 3, np.array([-2.5, 1.5]))
    by_q = grad(lambda q: special.zeta(3.0, q=q))(2.0)

    assert by_q == pytest.approx(-3 * float(mpmath.zeta(4, 2)))
    assert grad(lambda x: special.zeta(x, q=2.0))(3.0) == grad(special.zeta)(3.0, 2.0)


@pytest.mark.parametrize("f", [special.bernoulli, special.euler])
def test_numbers_have_no_derivative(f):
    """They are many for an integer."""
    check_declared(f, 6)
