"""The rules of `scipy.integrate.quad_vec`, against finite differences."""

import math

import numpy as np
import pytest
from scipy.integrate import quad_vec

from chainrules.ad import grad, jvp
from chainrules_core import NoDerivativeError
from tests.chainrules.program_checks import check_along, check_via_ad


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(quad_vec(lambda t: np.exp(-x * t), 0, x[1])[0] ** 2),
        lambda x: quad_vec(lambda t: x[0] * np.exp(-x[1] * t), x[2], np.inf)[0],
        lambda x: np.sum(quad_vec(lambda t: np.outer(x, x) * abs(t - 0.5), 0, 1, points=[0.5])[0]),
        lambda x: np.sum(np.abs(quad_vec(lambda t: np.exp(1j * x * t), 0, 1, full_output=True)[0])),
    ],
)
def test_both_modes_to_second_order(f):
    """By the limits, and all that the integrand holds."""
    check_along(f, np.array([0.3, 1.2, 2.0]), np.array([0.5, 0.7, 1.0]))


def test_rules():
    """Both rules of a call are right, whichever system asks."""
    check_via_ad(quad_vec, lambda t: np.array([math.sin(t), t * t]), 0.3, 1.2)


def test_nothing_moves():
    """An integral of constants has none."""
    assert (
        jvp(lambda x: x * quad_vec(math.sin, 0.0, 1.0)[0], (2.0,), (1.0,))[1]
        == quad_vec(math.sin, 0.0, 1.0)[0]
    )


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again."""

    def f(x):
        held = [1.0]
        y = quad_vec(lambda t: t * held[0] * x, 0, 1)[0]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)


def test_a_jump_that_moves():
    """The jump of the integrand at a point that moves, where another one stands still."""

    def f(x):
        return np.sum(
            quad_vec(lambda t: np.ones(2) * (x[0] * t if t < x[1] else x[1]), 0, 1, points=[x[1], 0.8])[0]
        )

    check_along(f, np.array([0.3, 0.6]), np.array([0.5, 1.0]))
