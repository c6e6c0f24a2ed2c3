"""Functions of JAX from arrays to arrays."""

import numpy as np
import pytest

pytest.importorskip("jax")

import jax.numpy as jnp

from chainrules.ad import grad
from chainrules.adapters.jax.functions_of_jax import FunctionOfJax, is_inexact
from chainrules_core import ZERO_TANGENT, AbstractZero
from chainrules_testutils import test_frule as check_frule
from chainrules_testutils import test_rrule as check_rrule

rng = np.random.default_rng(0)
x, y = rng.normal(size=(2, 3))


def several(x, y, n):
    """Three results, the second of which are integers."""
    return [x * y, jnp.argsort(x) + n, jnp.exp(1j * y)]


@pytest.fixture
def function():
    """The function above."""
    return FunctionOfJax("several", several)


def test_rules(function):
    """Both are right, for integers too."""
    check_frule(function, x, y, np.array(2))
    check_rrule(function, x, y, np.array(2))


def test_pullbacks_are_called_again(function):
    """And with zeros; where all are zeros, so is the answer."""
    _, pull = function.pull([x, y, np.array(2)])
    first = pull([y, ZERO_TANGENT, ZERO_TANGENT])
    np.testing.assert_array_equal(first[0], pull([y, ZERO_TANGENT, ZERO_TANGENT])[0])
    np.testing.assert_allclose(first[0], y * y)
    assert all(isinstance(x_bar, AbstractZero) for x_bar in pull([ZERO_TANGENT] * 3))


def test_derivatives_are_functions_of_jax(function):
    """So that they are differentiated in their turn, by primals and by cotangents."""

    def slope(x, y_bar):
        return np.sum(function.pull([x, y, np.array(2)])[1]([y_bar, ZERO_TANGENT, ZERO_TANGENT])[1] ** 2)

    by_x, by_y_bar = grad(slope, argnums=(0, 1))(x, y)
    np.testing.assert_allclose(by_x, 2 * x * y**2)
    np.testing.assert_allclose(by_y_bar, 2 * x**2 * y)


def test_inexact_numbers():
    """Only they have derivatives."""
    assert all(map(is_inexact, (1.0, 1j, np.float32(1.0), np.ones(2), np.ones(2, complex))))
    assert not any(map(is_inexact, (1, True, np.arange(2), np.ones(2, bool), "x", None)))
