"""`ignore_derivatives`, as a plain function."""

import collections
import functools
import time

import numpy as np
import pytest

from chainrules.ad import checkpoint, grad
from chainrules_core import NoTangent, frule, ignore_derivatives, primitive, rrule
from tests.case_names import shown
from tests.chainrules_core.boxes import Box


class Functor:
    """A callable instance that counts its calls."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        """Count."""
        self.calls += 1
        return 3.0

    def method(self):
        """A method without arguments."""
        return 4.0


def named():
    """A function without arguments."""
    return 5.0


def needs_an_argument(x):
    """A function that cannot be called without arguments."""
    return x


def has_a_default(x=6.0):
    """A function that can."""
    return x


@pytest.mark.parametrize(
    ("function", "result"),
    [
        (lambda: 1.0, 1.0),
        (named, 5.0),
        (has_a_default, 6.0),
        (functools.partial(needs_an_argument, 2.0), 2.0),
        (functools.partial(functools.partial(max, 1.0), 2.0), 2.0),
        (Functor().method, 4.0),
        ([1.0].copy, [1.0]),
        (list, list),
    ],
)
def test_functions_without_arguments_are_called(function, result):
    """Lambdas, functions, builtins, partials and bound methods; a class is a value."""
    assert ignore_derivatives(function) == result


def test_builtins_that_do_not_tell_their_arguments():
    """A builtin that does not tell its arguments is called."""
    assert ignore_derivatives(time.time) > 0.0


def test_instances_are_values():
    """A callable instance is returned, not called."""
    functor = Functor()
    assert ignore_derivatives(functor) is functor
    assert functor.calls == 0
    assert ignore_derivatives(lambda: functor()) == 3.0  # noqa: PLW0108 - as documented


@pytest.mark.parametrize("value", [3.0, np.ones(2), "text", None, needs_an_argument, np.sin], ids=shown)
def test_other_values_are_returned(value):
    """Other values are returned, and so is a function that cannot be called without arguments."""
    assert ignore_derivatives(value) is value


def test_both_rules_give_no_tangent():
    """Whatever is passed on or computed is a constant."""
    y, pullback = rrule(ignore_derivatives, 2.0)
    assert (y, pullback(1.0)) == (2.0, (NoTangent(), NoTangent()))
    assert frule((NoTangent(), 1.0), ignore_derivatives, lambda: 3.0) == (3.0, NoTangent())


def test_what_stands_for_a_function_is_called():
    """An object with the name of a function that it wraps is called as the function is."""
    assert ignore_derivatives(checkpoint(lambda: 2.0)) == 2.0
    assert ignore_derivatives(primitive(lambda: 3.0)) == 3.0
    gradient = grad(lambda x: x * x)
    assert ignore_derivatives(gradient) is gradient


def test_traced_values_that_are_held_where_nobody_looks():
    """They are refused, and what holds ordinary values is returned."""
    assert ignore_derivatives(hidden := collections.deque([1.0, "text"])) is hidden
    with pytest.raises(TypeError, match="held by a deque"):
        ignore_derivatives(collections.deque([1.0, Box(1.0)]))
    traced = Box(1.0)
    with pytest.raises(TypeError, match="held by a function, in its attribute '__defaults__'"):
        ignore_derivatives(lambda x, y=traced: x)
