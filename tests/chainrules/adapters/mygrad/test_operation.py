"""The operation of mygrad by which an adapted function is called."""

import numpy as np
import pytest

pytest.importorskip("mygrad")

import mygrad

from chainrules.adapters.mygrad import to_mygrad
from chainrules.adapters.mygrad.operation import CallOfFlatFunction
from chainrules_core import NoTangent, ZeroTangent, rrule, typeof_

b = np.linspace(0.3, 0.9, 3)


def test_one_class_serves_all_functions():
    """A class for each call would never be freed by those who keep subclasses."""
    x = mygrad.tensor(b)

    assert type(to_mygrad(np.sin)(x).creator) is type(to_mygrad(np.cos)(x).creator) is CallOfFlatFunction


def test_one_pullback_serves_all_variables():
    """It is called once, however many tensors there are."""
    calls = []

    def product(x, y):
        return x * y

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: np.ndarray, y: np.ndarray):
        def product_pullback(y_bar):
            calls.append("pullback")
            return NoTangent(), y_bar * y, y_bar * x

        return x * y, product_pullback

    x, y = mygrad.tensor(b), mygrad.tensor(2 * b)
    to_mygrad(product)(x, y).sum().backward()

    assert calls == ["pullback"]
    np.testing.assert_array_equal(x.grad, y.data)
    np.testing.assert_array_equal(y.grad, x.data)


def test_a_zero_of_a_rule_is_an_array():
    """Tensors that a variable was computed from expect a gradient of it."""

    def first(x, y):
        return 2.0 * x

    @rrule.dispatch
    def first_rrule(f: typeof_(first), x: np.ndarray, y: np.ndarray):
        return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar, ZeroTangent())

    x, leaf = mygrad.tensor(b), mygrad.tensor(b)
    to_mygrad(first)(x, leaf * 1.0).sum().backward()

    np.testing.assert_array_equal(leaf.grad, np.zeros(3))
