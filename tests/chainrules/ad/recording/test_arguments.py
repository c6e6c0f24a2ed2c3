"""Arguments of calls that are made again with other values."""

import collections
import functools
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import NonlinearConstraint, minimize

from chainrules.ad import grad
from chainrules.ad.recording.arguments import Arguments
from chainrules.ad.recording.recorded import Recorded, record
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Tape
from tests.chainrules.ad.recording.agreement import agrees


class Pair(SimpleNamespace):
    """An object of the program's."""


def recorded(plain):
    """A recorded value that stands for a plain one."""
    return record(plain, Slot("argument", 0), Tape(record, Recorded))


def arguments(*args, **kwargs):
    """The arguments of a call, of which nothing has to be noted."""
    return Arguments(args, kwargs, lambda x: x, lambda scope: scope, True)


def filled(x, *values):
    """One argument, with values in its holes."""
    return arguments(x).filled(values)[0][0]


def test_containers():
    """They are made anew, each recorded value has one hole, and what has none stays."""
    x, other = recorded(1.0), recorded(2.0)
    rest = [7.0]
    made = arguments({"a": [x, (other, rest)]}, b=x)
    assert made.holes == [x, other]
    (held,), named, _ = made.filled([3.0, 4.0])
    assert held == {"a": [3.0, (4.0, [7.0])]}
    assert held["a"][1][1] is rest
    assert named == {"b": 3.0}


def test_functions():
    """Their variables, defaults and attributes have the values of the call."""
    x = recorded(1.0)

    def f(t, a=x, *, b=x):
        return t * a * b * x

    f.size = x
    made = filled(f, 3.0)
    assert made(2.0) == 54.0
    assert made.size == 3.0
    assert made.__qualname__ == f.__qualname__
    assert filled(functools.partial(f, b=x), 3.0)(2.0, a=1.0) == 18.0


def test_functions_that_call_themselves():
    """They call what was made anew, and one that is held twice is made once."""
    x = recorded(1.0)

    def power(n):
        return 1.0 if n == 0 else x * power(n - 1)

    first, second = filled([power, power], 3.0)
    assert first is second
    assert first(4) == 81.0


def test_objects():
    """An object that holds itself and a value cannot be made anew."""
    x = recorded(1.0)
    pair = Pair(a=x, b=None)
    made = filled(pair, 3.0)
    assert type(made) is Pair
    assert (made.a, made.b) == (3.0, None)
    pair.b = pair
    with pytest.raises(CompilationError, match="is given an instance of Pair that holds itself"):
        filled(pair, 3.0)


class Node:
    """An object that may hold itself, and that knows what it computed."""

    __slots__ = ("__dict__", "k")

    def __init__(self, k):
        self.k = k
        self.me, self.call = self, self.twice

    @functools.cached_property
    def known(self):
        """Computed once."""
        return self.k

    def twice(self):
        """Of itself."""
        return 2.0 * self.me.k


def test_instances_of_users():
    """They are made as they were when they were given, whatever is done with them later."""
    node = Node(recorded(1.0))
    assert node.known is node.k
    made = arguments(node, node.twice)
    node.k = node.later = 7.0
    (one, twice), _, _ = made.filled([3.0])
    assert (one.k, one.known, one.call(), twice()) == (3.0, 3.0, 6.0, 6.0)
    assert one.me is one is twice.__self__
    assert not hasattr(one, "later")


def test_what_searches_write_into():
    """The estimate of a Hessian that all constraints share is made anew, too."""

    def f(p):
        product = NonlinearConstraint(lambda x: x[0] * x[1], 0.1 * p, np.inf)
        return minimize(lambda x: np.sum((x - p) ** 2), np.ones(2), method="SLSQP", constraints=product).fun

    agrees(f, [(0.7,)])
    agrees(grad(f), [(0.7,), (0.9,)])


def test_dicts():
    """Of other classes."""
    x = recorded(1.0)
    for held in (collections.OrderedDict(a=x), collections.defaultdict(float, a=x)):
        made = filled(held, 3.0)
        assert type(made) is type(held)
        assert made == {"a": 3.0}
    assert filled(collections.defaultdict(lambda: x), 3.0)["b"] == 3.0
