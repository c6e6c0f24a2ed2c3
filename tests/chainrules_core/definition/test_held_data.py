"""What functions hold beside their code: which of them can have scalar rules."""

import functools

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules_core import RuleDefinitionError, primitive, scalar_rule
from chainrules_core.definition.held_data import check_holds_no_data, is_functor


class Functor:
    """An object that is called, and holds a number."""

    def __init__(self):
        self.a = 1.0

    def __call__(self, x):
        """The product with the number."""
        return self.a * x

    def method(self, x):
        """The same, as a method."""
        return self.a * x


def closure(a):
    """A function that holds a number."""

    def closed(x):
        return a * x

    return closed


def cube(x):
    """Its gradient is ``3 x²``."""
    return x * x * x


@pytest.mark.parametrize(
    ("primal", "message"),
    [
        (Functor(), "it is an instance of Functor that is called. Write its `frule` and `rrule` out"),
        (functools.partial(max, 1.0), "it is an instance of partial that is called"),
        (np.vectorize(max), "it is an instance of vectorize that is called"),
        (Functor().method, "it is a method bound to <.*Functor"),
        (grad(closure(2.0)), "it is an instance of Gradient that is called"),
        (grad(grad(closure(2.0))), "it is an instance of Gradient that is called"),
        (grad(Functor()), "it is an instance of Gradient that is called"),
        (closure(2.0), "it is a closure over a. Write"),
        (closure(np.float32(2)), "it is a closure over a. Write"),
        (closure(np.ones(2)), "it is a closure over a. Write"),
    ],
)
def test_primals_that_hold_data_are_refused(primal, message):
    """A functor, a closure over numbers or a bound method needs a tangent for what it holds."""
    with pytest.raises(RuleDefinitionError, match=message):
        check_holds_no_data(primal)
    with pytest.raises(RuleDefinitionError, match=rf"test_held_data\.py:\d+: {message}"):
        scalar_rule(primal, lambda y, x: 1.0)


@pytest.mark.parametrize("primal", [cube, closure(2), np.sin, float, grad(cube), grad(np.sin)])
def test_primals_without_data(primal):
    """Functions and classes, closures over settings, gradients of these."""
    check_holds_no_data(primal)


def test_functors():
    """Instances of classes are, functions and classes are not."""
    assert is_functor(Functor())
    assert is_functor(grad(cube))
    assert not is_functor(cube)
    assert not is_functor(Functor)


@pytest.mark.parametrize("f", [cube, grad(lambda x: cube(x) * x / 4.0)])
def test_gradients_of_functions_without_data(f):
    """They hold nothing that has a tangent: a rule for one is a rule for a function."""
    slope = primitive(grad(f))
    value = slope(2.0)

    scalar_rule(slope, lambda y, x: 100.0)

    assert grad(slope)(2.0) == 100.0
    assert jvp(slope, (2.0,), (0.5,)) == (value, 50.0)
