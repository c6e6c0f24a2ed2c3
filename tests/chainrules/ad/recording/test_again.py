"""Calls that are made again with other values in their arguments."""

import collections
import threading

import numpy as np
import pytest
from scipy.integrate import quad

from chainrules.ad.recording.again import Again, KeptPullback, pull
from chainrules.ad.recording.arguments import NotOneCallError
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from chainrules_core import NO_TANGENT, Thunk
from tests.chainrules.ad.recording.test_arguments import arguments, recorded

HITS = []
SAMPLES = np.linspace(0.0, 1.0, 5)


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
