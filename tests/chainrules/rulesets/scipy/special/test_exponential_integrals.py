"""The rules of exponential, sine and cosine integrals, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import DerivativeNotImplementedError
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, within


@pytest.mark.parametrize("f", [special.exp1, special.expi])
def test_exponential_integrals(f):
    """On real and complex numbers and arrays."""
    check_elementwise(f, within(0.3, 3.0), complex_numbers=True)


def test_far_away():
    """Nothing overflows before the derivative itself does."""
    assert grad(special.exp1)(800.0) == 0.0
    assert grad(special.expi)(-800.0) == 0.0
    assert grad(special.expi)(700.0) == pytest.approx(np.exp(700.0) / 700.0)


@pytest.mark.parametrize("x", [0.0, np.float64(0.0)])
def test_at_zero(x):
    """The logarithm in them has an infinite slope."""
    assert grad(special.exp1)(x) == -np.inf
    assert grad(special.expi)(x) == np.inf


@pytest.mark.parametrize("n", [0, 1, 2, 5, np.array([0, 1, 3])])
def test_integer_orders(n):
    """By the argument, the order 0 too, and twice."""
    check_rule(special.expn, n, np.array([[0.3], [2.0]]))


def test_orders_at_zero():
    """``Eₙ'(0) = -E_{n-1}(0)``, which is infinite up to ``n = 2``."""
    assert grad(special.expn, 1)(3, 0.0) == -1.0
    assert grad(special.expn, 1)(4, 0.0) == -0.5
    assert grad(special.expn, 1)(2, 0.0) == -np.inf


def test_orders_are_integers():
    """A float that is one is a constant; a derivative by it is refused."""
    assert grad(lambda x: special.expn(2.0, x))(1.0) == grad(special.expn, 1)(2, 1.0)
    with pytest.raises(DerivativeNotImplementedError, match="integer orders"):
        grad(special.expn)(2.0, 1.0)


@pytest.mark.parametrize("f", [special.sici, special.shichi])
def test_two_results(f):
    """Both of them, on real and complex numbers and arrays, in both modes and twice."""
    for x in (1.5, np.array([0.3, 2.0, 0.9, 1.1]), np.array(0.4), np.zeros((0, 2))):
        test_frule(f, x)
        test_rrule(f, x, order=2)
    test_rrule(f, np.array([0.3, 2.0], np.float32), mode="fast")
    test_frule(f, np.array([0.3 + 1j, 2 - 1j]))
    test_rrule(f, np.array([0.3 + 1j, 2 - 1j]))


@pytest.mark.parametrize(("f", "sign"), [(special.sici, -1), (special.shichi, 1)])
def test_two_results_at_zero(f, sign):
    """The first is ``x ± x³/18``, and the second has a logarithm."""
    first = grad(lambda x: f(x)[0])

    assert first(0.0) == 1.0
    assert grad(first)(1e-8) == pytest.approx(sign * 1e-8 / 3)
    assert grad(grad(first))(0.0) == pytest.approx(sign / 3)
    assert grad(lambda x: f(x)[1])(0.0) == np.inf


@pytest.mark.filterwarnings("ignore:floating point number truncated:RuntimeWarning")  # SciPy's, of the order
@pytest.mark.parametrize(("order", "truncated"), [(0.5, 0), (2.9, 2)])
def test_orders_that_are_truncated(order, truncated):
    """The derivative is that of the function that SciPy computes."""
    assert grad(lambda x: special.expn(order, x))(0.7) == grad(lambda x: special.expn(truncated, x))(0.7)
