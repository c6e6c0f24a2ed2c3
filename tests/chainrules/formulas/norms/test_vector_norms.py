"""Tests of the gradients of vector norms; those of every order are tests of `numpy.linalg.norm`."""

import numpy as np
import pytest

from chainrules.ad import jvp
from chainrules.formulas.norms.vector_norms import (
    along,
    complex_sign,
    ratio,
    share_of_extreme,
    vector_norm_by_order,
    vector_norm_pulled,
)
from tests.chainrules.rule_checks import normal


def test_gradient_and_cotangent():
    """The cotangent is the gradient times that of the norm."""
    x, y = np.array([3.0, 4.0]), np.array([5.0])

    np.testing.assert_allclose(vector_norm_pulled(x, y, 1, 2, (0,)), [0.6, 0.8])
    np.testing.assert_allclose(vector_norm_pulled(x, y, np.array([10.0]), 2, (0,)), [6.0, 8.0])
    np.testing.assert_allclose(along(np.array([0.6, 0.8j]), np.array([5.0, 5.0j]), (0,), False), 7.0)


@pytest.mark.parametrize("order", [1, 1.5, 2, 3, np.inf])
def test_cotangent_is_proportional(order):
    """For every order, with a cotangent that is not one."""
    x = np.array([3.0, 0.0, -4.0])
    y = np.linalg.norm(x, order, keepdims=True)
    gradient = vector_norm_pulled(x, y, 1.0, order, (0,))

    np.testing.assert_allclose(np.sum(gradient * x), y[0])
    np.testing.assert_allclose(vector_norm_pulled(x, y, np.array([10.0]), order, (0,)), 10.0 * gradient)


def test_derivative_by_the_order():
    """Against differences; at zero there is none, and zero is taken."""
    x = np.array([3.0, 0.0, -4.0])
    norms = [np.linalg.norm(x, 2 + h) for h in (1e-6, -1e-6)]

    by_order = vector_norm_by_order(x, np.array([5.0]), 2.0, (0,))

    np.testing.assert_allclose(by_order, [(norms[0] - norms[1]) / 2e-6], rtol=1e-8)
    for order in (0.0, np.inf, -np.inf):
        assert vector_norm_by_order(x, np.array([4.0]), order, (0,)) == 0


def test_signs_and_ratios():
    """Zero for zero."""
    np.testing.assert_array_equal(complex_sign(np.array([-2.0, 0.0])), [-1.0, 0.0])
    np.testing.assert_allclose(complex_sign(np.array([3.0 - 4.0j, 0.0])), [0.6 - 0.8j, 0.0])
    np.testing.assert_array_equal(ratio(np.array([1.0, 0.0]), np.array([2.0, 0.0])), [0.5, 0.0])


def test_signs_move():
    """Those of complex numbers have derivatives, and those of real ones have none."""
    x, x_dot, h = normal(3, dtype=complex), normal(3, dtype=complex, seed=1), 1e-6
    expected = (complex_sign(x + h * x_dot) - complex_sign(x - h * x_dot)) / (2 * h)

    np.testing.assert_allclose(jvp(complex_sign, (x,), (x_dot,))[1], expected, atol=1e-8)
    assert not np.any(jvp(complex_sign, (x.real,), (x_dot.real,))[1])


def test_shares():
    """The largest or smallest numbers share one."""
    sizes = np.array([[1.0, 3.0, 3.0], [2.0, 1.0, 0.0]], dtype=np.float32)

    largest, smallest = share_of_extreme(sizes, np.inf, 1), share_of_extreme(sizes, -np.inf, 1)

    np.testing.assert_array_equal(largest, [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    np.testing.assert_array_equal(smallest, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    assert largest.dtype == np.float32


@pytest.mark.parametrize("order", [np.inf, -np.inf])
def test_nothing_shares_nothing(order):
    """NumPy has largest norms of empty arrays: they are zero."""
    assert share_of_extreme(np.zeros((2, 0)), order, 1).shape == (2, 0)
    x, y = np.zeros((0, 3)), np.zeros((1, 3))
    assert vector_norm_pulled(x, y, np.ones((1, 3)), order, (0,)).shape == (0, 3)


def test_norms_that_underflow():
    """They are zero though the elements are not: nothing is divided by zero."""
    x, y = np.array([1e-300, 0.0]), np.array([0.0])

    np.testing.assert_array_equal(vector_norm_pulled(x, y, 1.0, 3, (0,)), [0.0, 0.0])


@pytest.mark.parametrize("order", [1, 1.5, 2, np.inf])
def test_norms_along_an_axis(order):
    """Each vector by itself."""
    x = normal(3, 2)
    y = np.linalg.norm(x, order, axis=1, keepdims=True)
    gradient, by_order = vector_norm_pulled(x, y, 1.0, order, (1,)), vector_norm_by_order(x, y, order, (1,))

    for k in range(3):
        np.testing.assert_allclose(gradient[k], vector_norm_pulled(x[k], y[k], 1.0, order, (0,)))
        np.testing.assert_allclose(by_order[k], vector_norm_by_order(x[k], y[k], order, (0,)))
