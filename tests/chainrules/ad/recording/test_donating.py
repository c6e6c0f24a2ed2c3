"""Donated arguments: their memory is reused where nothing can lead back to the function, and nowhere else."""

import pickle
import warnings

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording import reuse
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationWarning
from chainrules.ad.recording.running import difference_between
from tests.chainrules.ad.recording.test_compiled import FUNCTIONS, POINTS, X
from tests.chainrules.ad.recording.writing_programs import WRITING

DATA = np.array([1.0, -2.0, 0.5, 3.0])


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch):
    """Arrays of any size are reused."""
    monkeypatch.setattr(reuse, "LARGE", 1)


def scaled(x):
    """A result in the memory of the argument."""
    return 2.0 * x


def step(w, y):
    """Of an optimizer."""
    return w - 0.1 * grad(lambda w: np.mean((w - y) ** 2))(w)


def agrees_donated(f, points, **options):
    """The same results as those of the function, for arguments that nobody needs afterwards."""
    c = compiled(f, donate=True, **options)
    for point in (*points, *points):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", CompilationWarning)
            plain = f(*(x.copy("K") for x in point))
            assert difference_between(c(*(x.copy("K") for x in point)), plain) is None
    return c


@pytest.mark.parametrize("f", FUNCTIONS[::3], ids=range(len(FUNCTIONS[::3])))
def test_results(f):
    """Of steps along a gradient, with the value and the argument."""

    def stepped(x):
        y, gradient = value_and_grad(f)(x)
        return x - 0.1 * gradient, y, x

    agrees_donated(stepped, POINTS[:3])


@pytest.mark.parametrize("f", WRITING, ids=range(len(WRITING)))
def test_programs_that_write(f):
    """Into arrays of their own, which are views of nothing that was donated."""
    d = np.array([0.5, -1.0, 2.0])
    agrees_donated(lambda w, d: (f(w, d), w * 2.0, w + d), [(X[:3].copy(), d), (-X[:3], 2.0 * d)])


def test_memory():
    """The result is the argument, from the third call on: before, results are compared."""
    c = compiled(scaled, donate=True)
    for i in range(4):
        x = np.array([1.0, 2.0])
        y = c(x)
        assert y.tolist() == [2.0, 4.0]
        assert (y is x) == (i >= 2)
    assert "out=x" in c.source(np.ones(2))
    assert "out=x" not in compiled(scaled).source(np.ones(2))


def test_what_is_returned_twice():
    """Each result is an array of its own."""
    c = compiled(lambda x, y: (x, y, x * 1.0), donate=True)
    for _ in range(4):
        x = np.ones(2)
        found = c(x, x)
    assert found[0] is x
    assert not any(np.may_share_memory(x, y) for y in found[1:])


def test_some_arguments():
    """The others are as before."""
    c = compiled(step, donate=(0,))
    w, y = np.ones(4), DATA.copy()
    for _ in range(4):
        expected = step(w.copy(), y)
        w = c(w, y)
        np.testing.assert_array_equal(w, expected)
        np.testing.assert_array_equal(y, DATA)
    assert "w -= " in c.source(w, y)
    assert "y -= " not in c.source(w, y)


def test_one_array_for_two_arguments():
    """It is kept for the one that is not donated."""
    c = compiled(lambda a, b: (a * 2.0, b + 1.0), donate=(0,))
    x = np.ones(3)
    for _ in range(4):
        assert c(x, x)[1].tolist() == [2.0] * 3
    assert x.tolist() == [1.0] * 3


def views(x):
    """Arrays that share their memory with `x`, or are locked."""
    locked = x.copy()
    locked.flags.writeable = False
    return [(x, x[1:]), (x[::2], x[1::2]), ([x], {"a": x[:2]}), (locked, x[:2]), (x[:3], x[:3])]


@pytest.mark.parametrize("number", range(5))
def test_arguments_that_share_memory(number):
    """They are copied, since one is read when the other has been written into."""

    def f(a, b):
        a, b = np.asarray(a), b["a"] if isinstance(b, dict) else b
        return a * 2.0, b + 1.0, np.sum(a) + np.sum(b)

    c = compiled(f, donate=(0,))
    for _ in range(4):
        args = views(DATA.copy())[number]
        for found, plain in zip(c(*args), f(*args), strict=True):
            np.testing.assert_array_equal(found, plain)


def test_views_of_arrays_from_outside():
    """An argument may share its memory with what the function reads by name: that is read before."""
    whole = DATA.copy()
    part = whole[:2]
    c = compiled(lambda x: (x * 2.0, part + 1.0), donate=True)
    for _ in range(4):
        whole[:] = DATA
        doubled, more = c(whole)
        np.testing.assert_array_equal(doubled, 2.0 * DATA)
        np.testing.assert_array_equal(more, DATA[:2] + 1.0)


def test_decisions_come_first():
    """What goes back to the function has written into nothing."""

    def f(x):
        y = x * 2.0
        return y if np.sum(y) > 0.0 else y - 1.0

    c = compiled(f, donate=True)
    for sign in (1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 1.0):
        np.testing.assert_array_equal(c(sign * np.ones(3)), f(sign * np.ones(3)))


def test_errors_behind_the_first_write():
    """They are those of the program, since the function cannot run any more."""
    c = compiled(lambda x: np.exp(x * 2.0), donate=True)
    for _ in range(3):
        c(np.ones(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="overflow"):
            c(np.full(2, 1e4))


def test_pickles():
    """They remember what is donated."""
    c = pickle.loads(pickle.dumps(compiled(scaled, donate=(0,))))
    assert c.donate == (0,)
    assert "out=x" in c.source(np.ones(2))


def test_numbers_beside_donated_arrays():
    """They are what they are."""
    c = compiled(lambda w, step: w * step, donate=True)
    for step in (2.0, 3.0, 4.0):
        assert c(np.ones(3), step).tolist() == [step] * 3
