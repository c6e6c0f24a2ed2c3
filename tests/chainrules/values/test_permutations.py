"""Orders that undo orders of axes, and the order of elements in memory."""

import copy
import itertools

import numpy as np
import pytest

from chainrules.ad import grad, hvp, value_and_grad
from chainrules.values.permutations import in_memory_like, inverse_permutation

X = np.cos(np.arange(24.0)).reshape(2, 3, 4) + 2.0
LAYOUTS = [X, np.asfortranarray(X), X.transpose(1, 2, 0).copy().transpose(2, 0, 1), X[::-1, :, ::-1]]


@pytest.mark.parametrize("order", [*itertools.permutations(range(3)), (-1, 0, 1), (1, -1, -3), (-1,), ()])
def test_inverse_permutation(order):
    """To transpose by an order and by its inverse changes nothing, negative axes included."""
    x = np.empty(tuple(range(2, 2 + len(order))))

    assert x.transpose(order).transpose(inverse_permutation(order)).shape == x.shape


@pytest.mark.every_case
@pytest.mark.parametrize("x", LAYOUTS)
def test_in_memory_like(x):
    """As NumPy's elementwise functions; of a vector and a number nothing is to be done."""
    y = in_memory_like(x, X)
    np.testing.assert_array_equal(y, X)
    assert y.strides == np.negative(x).strides
    vector = X[0, 0, ::-1]
    assert in_memory_like(vector, vector) is vector
    assert in_memory_like(2.0, 3.0) == 3.0


@pytest.mark.parametrize("x", LAYOUTS)
@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sort(x, axis=0),
        lambda x: np.piecewise(x, [x > 2.0], [np.square, np.sin]),
        lambda x: np.where(x > 2.0, x, 2.0 * x),
        copy.copy,
        copy.deepcopy,
        lambda x: copy.copy(filled_with(x)),
        lambda x: added_to(np.zeros_like(x), x.copy() ** 2),
        np.vectorize(lambda t: t * t + 1.0),
        lambda x: np.vectorize(lambda t, s: (t * s, s))(x, x.copy())[0],
    ],
)
def test_programs_see_the_order_of_memory(f, x):
    """Elements that are read in the order of memory are those that NumPy would read."""

    def program(x):
        return np.sum(f(x).ravel("K") ** 2 * np.arange(24.0))

    value, gradient = value_and_grad(program)(x)
    assert value == pytest.approx(program(x), rel=1e-14)
    step = 1e-6 * np.cos(x)
    difference = (program(x + step) - program(x - step)) / 2e-6
    np.testing.assert_allclose(np.sum(gradient * step) / 1e-6, difference, rtol=1e-6)
    second = (grad(program)(x + step) - grad(program)(x - step)) / 2e-6
    np.testing.assert_allclose(hvp(program, x, np.cos(x)), second, rtol=1e-5, atol=1e-5)


def filled_with(x):
    """An array of the program's own."""
    y = np.empty_like(x)
    y[:] = x
    return y


def added_to(y, x):
    """An array after the statement that adds one of another order."""
    y += x
    return y
