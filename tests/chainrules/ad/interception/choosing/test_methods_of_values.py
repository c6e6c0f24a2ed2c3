"""Tests of `chainrules.ad.interception.choosing.methods_of_values`."""

import functools

import numpy as np
import pytest

from chainrules.ad import grad, jvp

X = np.array([1.0, 2.0])
OF_NUMBERS = {
    "a power": (lambda x: float.__pow__(x, 2.0), 4.0),
    "a method": (lambda x: float.conjugate(x) * x, 4.0),
    "by the class of the value": (lambda x: type(x).__mul__(x, x), 4.0),
    "given to another function": (lambda x: functools.reduce(float.__mul__, [x, x, 3.0]), 12.0),
    "called back": (lambda x: sum(map(float.__neg__, [x, 2.0])), -1.0),
    "that has no derivative": (lambda x: x if float.is_integer(x) else 0.0, 1.0),
    "of a plain number": (lambda x: float.__pow__(3.0, 2.0) * x, 9.0),
    "of NumPy": (lambda x: np.float64.__add__(np.float64(1.0), np.float64(2.0)) * x, 3.0),
}
OF_ARRAYS = {
    "a product": (lambda x: np.ndarray.__matmul__(x, x), [2.0, 4.0]),
    "an item": (lambda x: next(np.ndarray.__iter__(x)), [1.0, 0.0]),
    "by the class of the value": (lambda x: np.sum(type(x).__pow__(x, 2.0)), [2.0, 4.0]),
    "the length": (lambda x: np.ndarray.__len__(x) * x[1], [0.0, 2.0]),
    "of a plain array": (lambda x: np.ndarray.__matmul__(X, X) * x[0] + X.copy() @ x, [6.0, 2.0]),
}


@pytest.mark.parametrize(("f", "expected"), OF_NUMBERS.values(), ids=OF_NUMBERS)
def test_numbers(f, expected):
    """They mean the operators and methods of the traced number."""
    assert grad(f)(2.0) == expected
    assert jvp(f, (2.0,), (1.0,)) == (f(2.0), expected)


@pytest.mark.parametrize(("f", "expected"), OF_ARRAYS.values(), ids=OF_ARRAYS)
def test_arrays(f, expected):
    """Likewise."""
    np.testing.assert_array_equal(grad(f)(X), expected)


def test_what_would_be_lost():
    """A conversion by a method is one."""
    with pytest.raises(TypeError, match=r"about to become an array.*would lose its derivative"):
        grad(lambda x: np.sum(np.ndarray.__array__(x)))(X)
