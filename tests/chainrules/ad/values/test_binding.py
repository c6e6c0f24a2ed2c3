"""Functions that are called again with what they saw before."""

import functools
from dataclasses import dataclass

import pytest

from chainrules.ad.values.binding import Bound


@dataclass
class Caller:
    """A dataclass that holds a function."""

    f: object

    def __call__(self):
        """Call it."""
        return self.f()


@pytest.mark.parametrize(
    "wrap",
    [
        lambda f: f,
        lambda f: lambda: 0 + f(),
        functools.partial,
        lambda f: functools.partial(lambda g: g(), f),
        lambda f: functools.partial(lambda pair: pair[1](), (1.0, f)),
        Caller,
        lambda f: Caller(f).__call__,
    ],
)
def test_closures_see_what_they_saw(wrap):
    """Whatever a variable is assigned later, the bound function sees what it was."""
    k = 1
    f = wrap(lambda: k)
    bound = Bound(f)
    assert bound.current() is f
    k = 2
    assert f() == 2
    assert bound.current()() == 1
    k = 1
    assert bound.current() is f


def test_recursive_functions():
    """A function that sees itself calls its own copy."""
    step = 2

    def f(n):
        return 0 if n == 0 else step + f(n - 1)

    bound = Bound(f)
    step = 3
    assert (f(4), bound.current()(4)) == (12, 8)


def test_variables_that_are_assigned_later():
    """A variable that is not assigned yet stays so for the copy."""

    def f():
        return later

    bound = Bound(f)
    assert bound.current() is f
    later = 1
    assert f() == 1
    with pytest.raises(NameError):
        bound.current()()


def test_functions_without_data():
    """A function without data is its own binding."""
    assert Bound(len).current() is len


def test_shared_containers():
    """Lists and dicts are not copied: a function may keep its results there."""
    seen = []
    f = functools.partial(seen.append)
    assert Bound(f).current() is f


def test_variables():
    """They are those of the closure, and of closures that it sees, as they were."""
    factor = 2.0

    def inner(x):
        return factor * x

    bound = Bound(lambda x: inner(x))
    factor = 5.0
    assert bound.variables() == [inner, 2.0]
