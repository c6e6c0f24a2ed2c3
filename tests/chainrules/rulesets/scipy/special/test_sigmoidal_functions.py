"""The rules of the logistic function and its inverse, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad
from chainrules_core import rrule
from tests.chainrules.rule_checks import anywhere, check_elementwise, within


@pytest.mark.parametrize("f", [special.expit, special.log_expit], ids=lambda f: f.__name__)
def test_sigmoids(f):
    """On real numbers and arrays."""
    check_elementwise(f, anywhere)


def test_logit():
    """On probabilities."""
    check_elementwise(special.logit, within(0.1, 0.9))


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (special.expit, -800.0, 0.0),
        (special.expit, 800.0, 0.0),
        (special.expit, 50.0, np.exp(-50.0)),
        (special.expit, -50.0, np.exp(-50.0)),
        (special.log_expit, 800.0, 0.0),
        (special.log_expit, -800.0, 1.0),
        (special.log_expit, 50.0, np.exp(-50.0)),
        (special.logit, 0.0, np.inf),
        (special.logit, 1e-300, 1e300),
    ],
)
def test_at_the_ends(f, x, expected):
    """Nothing overflows, and small slopes are precise."""
    assert rrule(f, x)[1](1.0)[1] == pytest.approx(expected, rel=1e-15, abs=0.0)
    np.testing.assert_allclose(rrule(f, np.array([x]))[1](np.ones(1))[1], [expected], rtol=1e-15)


def test_derivatives_of_all_orders_at_zero():
    """The logistic function is odd about ``(0, 1/2)``: 1/4, 0 and -1/8."""
    derivative = special.expit
    for expected in (0.25, 0.0, -0.125):
        derivative = grad(derivative)
        assert derivative(0.0) == pytest.approx(expected)


def test_chosen_elements():
    """Elements that are not chosen have no part, even where their derivative is infinite."""
    x = np.array([0.0, 0.5])
    np.testing.assert_allclose(grad(lambda x: np.sum(np.where(x > 0, special.logit(x), 0.0)))(x), [0.0, 4.0])
