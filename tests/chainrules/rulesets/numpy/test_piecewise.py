"""The rules of `numpy.piecewise`, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad, hvp
from chainrules_core import NoTangent, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.rule_checks import normal

X = normal(3, 4)


def scaled(w):
    """A closure, over a number."""
    return lambda x, c=1.0: w * x * x * c


@pytest.mark.parametrize(
    ("conditions", "functions"),
    [
        ([X < 0, X >= 0], [np.sin, np.cos]),
        ([X < 0], [np.sin, np.cos]),
        ([X < 0], [np.sin, 2.5]),
        ([X < 0, X < 0.5], [np.sin, np.exp, 3.5]),
        ([X < 0, X < -9], (1.5, np.exp)),
    ],
)
def test_piecewise(conditions, functions):
    """Functions and constants; conditions that overlap, that nothing meets, and one that stands alone."""
    check_both_modes(np.piecewise, X, conditions, functions)


def test_one_condition_alone():
    """Without a list around it."""
    check_both_modes(np.piecewise, X[0], X[0] < 0, [np.sin])
    check_both_modes(np.piecewise, X[0], (X[0] < 0).tolist(), [np.sin, 2.5])


@pytest.mark.parametrize(
    "x", [1.5, np.array(1.5), normal(4), normal(3, dtype=complex), normal(3, dtype=np.float32)]
)
def test_other_operands(x):
    """Numbers, and arrays of other kinds."""
    conditions = [np.real(x) < 0, np.real(x) >= 0]
    test_frule(np.piecewise, x, conditions, [np.sin, 2.5])
    test_rrule(np.piecewise, x, conditions, [np.sin, 2.5])


def test_piecewise_of_closures():
    """What they hold, and further arguments, get cotangents."""
    check_calling_back(np.piecewise, X, [X < 0], [scaled(2.5), scaled(3.5)], 1.5)
    check_calling_back(np.piecewise, X, [X < 0], [scaled(2.5), scaled(3.5)], c=1.5)
    w_bar = grad(lambda w: np.sum(call(np.piecewise, X, [X < 0], [scaled(w), 0.0])))(2.0)
    assert w_bar == pytest.approx(np.sum(X[X < 0] ** 2))


def test_second_derivatives_beside_constants():
    """A constant among the pieces does not move with the argument."""
    Hv = hvp(lambda x: np.sum(np.piecewise(x, [X < 0], [lambda x: x**3, 2.5])), X, np.ones_like(X))
    assert np.allclose(Hv, np.where(X < 0, 6 * X, 0.0))


def test_a_function_of_all_elements_that_meet_its_condition():
    """Also where a later condition counts, the function sees the element."""
    check_calling_back(np.piecewise, X, [X < 0.5, X < -0.5], [lambda x: x - np.mean(x), np.sin])


def test_integers_are_constant():
    """NumPy cuts the results to integers."""
    y, pullback = rrule(ADConfig(), np.piecewise, np.array([1, 2]), [np.array([True, False])], [1.7, 2.7])
    assert y.tolist() == [1, 2]
    assert pullback(np.ones(2)) == (NoTangent(),) * 4


def test_the_number_of_functions():
    """NumPy's own error."""
    with pytest.raises(ValueError, match="expected"):
        rrule(ADConfig(), np.piecewise, X, [X < 0], [np.sin, np.cos, np.exp])


def test_the_cotangent_of_a_number_is_a_number():
    """Not an array without axes."""
    x_bar = rrule(ADConfig(), np.piecewise, 1.5, [True], [np.sin])[1](1.0)[1]
    assert isinstance(x_bar, float)
