"""Calls that are made again with other values in their arguments."""

import collections
import functools
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad

from chainrules.ad.recording.again import Again, Arguments, KeptPullback, NotOneCallError, pull
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.recorded import Recorded, record
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Tape
from chainrules_core import NO_TANGENT, Thunk

HITS = []
SAMPLES = np.linspace(0.0, 1.0, 5)


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


def test_dicts():
    """Of other classes."""
    x = recorded(1.0)
    for held in (collections.OrderedDict(a=x), collections.defaultdict(float, a=x)):
        made = filled(held, 3.0)
        assert type(made) is type(held)
        assert made == {"a": 3.0}
    assert filled(collections.defaultdict(lambda: x), 3.0)["b"] == 3.0


def test_pullbacks():
    """One is kept, and called later for what is wanted; without a pullback it is no call."""

    def fail():
        raise AssertionError("nobody wants it")

    _, y, kept = Again("search", lambda: (3.0, lambda y_bar: (2.0 * y_bar, Thunk(fail))), arguments(), True)()
    assert isinstance(kept, KeptPullback)
    assert (y, pull(kept, 4.0, {0})) == (3.0, (8.0, NO_TANGENT))
    with pytest.raises(NotOneCallError):
        Again("search", lambda: None, arguments(), True)()


def test_changes():
    """What a function that is called back holds stays as it is."""
    seen = [recorded(1.0)]

    def f(t):
        seen.append(t)

    again = Again("search", lambda f: f(2.0), arguments(f), False)
    for is_checked in (True, False):
        again.is_checked = is_checked
        with pytest.raises(CompilationError, match="`search` calls changes what it holds"):
            again(3.0)


def in_a_list(t, p):
    """A function that changes what the program reads from outside, if a value decides so."""
    if p > 1.0:
        HITS.append(t)
    return p * t


def in_a_deque(p):
    """The same of an object that the program makes, and that has no parts."""
    latest = collections.deque([1.0], maxlen=1)

    def f(t):
        if p > 1.0:
            latest.append(t)
        return p * t

    return quad(f, 0.0, 1.0)[0] * latest[0]


def in_an_array(p):
    """The same of an array that is an argument."""

    def f(t):
        if p[0] > 1.0:
            p[1] += 1.0
        return t

    return quad(f, 0.0, 1.0)[0] * p[1]


@pytest.mark.parametrize(
    ("f", "of"),
    [
        (lambda p: quad(in_a_list, 0.0, 1.0, args=(p,))[0] * len(HITS), float),
        (in_a_deque, float),
        (in_an_array, lambda p: np.array([p, 1.0])),
    ],
)
def test_changes_that_values_decide(f, of):
    """They are undone, and the function runs as it is written."""
    c = compiled(f, compare=False)
    for p in (0.7, 0.9):
        assert c(of(p)) == f(of(p))
    HITS.clear()
    plain = f(of(1.2))
    HITS.clear()
    with pytest.warns(CompilationWarning, match="changes"):
        assert c(of(1.2)) == plain
    HITS.clear()


def test_changes_by_other_threads():
    """What another thread may have changed meanwhile stays changed."""
    c, go_on = compiled(lambda p: quad(in_a_list, 0.0, 1.0, args=(p,))[0], compare=False), threading.Event()
    assert c(0.7) == 0.35
    other = threading.Thread(target=go_on.wait)
    other.start()
    try:
        with pytest.warns(CompilationWarning, match="a list was changed"):
            c(1.2)
        assert len(HITS) == 42  # once by the program, and once by the function
    finally:
        go_on.set()
        other.join()
        HITS.clear()


def writes_below(p):
    """A function calls one that writes into an array of the module, which is read before and after it."""

    def write(t):
        SAMPLES[0] = t

    def f(t):
        if p > 1.0:
            write(0.25)
        return p * t

    before = np.sum(SAMPLES) * p
    return before + quad(f, 0.0, 1.0)[0] * np.sum(SAMPLES) * p


def test_arrays_from_outside():
    """What is read of one before a search is not what is read of it afterwards."""
    c = compiled(writes_below, strict=True, compare=False)
    for p in (0.7, 0.9, 1.2):
        y = c(p)
        SAMPLES[0] = 0.0
        assert y == writes_below(p)
        SAMPLES[0] = 0.0
