"""Arrays from outside are read anew at each call, and so is what is computed from them."""

import functools
import types
import warnings

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.refused import CompilationWarning
from chainrules.ad.recording.running import difference_between

X = np.array([0.5, -1.0, 2.0])
DATA = np.array([1.0, 2.0, 3.0])
HELD = {"data": DATA}
SAME = DATA
TABLE = np.arange(20_000) % 3
POSITIONS = np.array([0, 2, 1])
MODULE = types.SimpleNamespace(data=DATA)


def helper(x, a=DATA, *, b=DATA):
    """Reads arrays in three ways."""
    return np.sum(x * a) + np.sum(x * b * DATA)


def generated():
    """Entered by a loop."""
    yield from DATA


def closure():
    """A function that reads a variable of the one around it, and one that assigns to it."""
    w = np.array([1.0, 5.0, 2.0])

    def f(x):
        def inner(y):
            return np.sum(y * w)

        return inner(x) + inner(x * x)

    def assign(value):
        nonlocal w
        w = value

    return f, w, assign


CLOSURE, WEIGHTS, ASSIGN = closure()


def assigning():
    """A function that assigns to a variable around it, and puts it back."""
    w = np.ones(3)

    def f(x):
        nonlocal w
        before, w = w, w * 2.0
        y = np.sum(w * x)
        w = before
        return y

    return f


PROGRAMS = {
    "an operand": lambda x: np.sum(x * DATA),
    "what is computed from it": lambda x: np.sum(x) * DATA.max() + np.sum(x * DATA[::-1]),
    "a decision": lambda x: np.sum(x) if DATA[0] > 0.0 else np.sum(x * x),
    "a number that is read": lambda x: np.sum(x) * float(DATA[1]),
    "a position": lambda x: np.sum(x[: int(abs(DATA[0]))]),
    "its items": lambda x: sum(v * x[0] for v in DATA),
    "in a dict": lambda x: np.sum(x * HELD["data"]),
    "in a dict and by name": lambda x: np.sum(x * HELD["data"]) * DATA[0],
    "an attribute": lambda x: np.sum(x * MODULE.data),
    "in another function": helper,
    "where NumPy calls back": lambda x: np.sum(x) * sorted([0, 1, 2], key=lambda i: DATA[i])[0],
    "in a partial function": functools.partial(lambda a, x: np.sum(a * x), DATA),
    "in a generator": lambda x: sum(v * x[0] for v in generated()),
    "in a closure": CLOSURE,
    "assigned to": assigning(),
    "positions": lambda x: np.sum(x[POSITIONS]) + np.sum(x[TABLE]),
    "two names": lambda x: np.sum(x) if SAME is DATA else np.sum(x * x),
    "made an array": lambda x: np.sum(np.asarray(DATA) * x) + np.sum(np.array(DATA, dtype=np.float32) * x),
    "copied and filled": lambda x: np.sum(np.add(x, DATA, out=np.zeros(3))) + np.sum(DATA.copy() * x),
    "text": lambda x: np.sum(x) * len(f"{DATA[0]:.3f}"),
}

CHANGES = [
    lambda patch: None,
    lambda patch: DATA.__setitem__(slice(None), [5.0, -2.0, 1.0]),
    lambda patch: DATA.__setitem__(slice(None), [-0.0, np.nan, 1e300]),
    lambda patch: DATA.__setitem__(slice(None), [3.0, 2.0, 1.0]),
    lambda patch: WEIGHTS.__setitem__(0, -7.0),
    lambda patch: ASSIGN(np.array([0.0, 1.0, 4.0])),
    lambda patch: (POSITIONS.__setitem__(0, 1), TABLE.__setitem__(slice(5), 2)),
    lambda patch: patch.setitem(globals(), "SAME", DATA.copy()),
    lambda patch: patch.setitem(HELD, "data", np.array([7.0, 8.0, 9.0])),
    lambda patch: patch.setattr(helper, "__defaults__", (np.ones(3),)),
    lambda patch: patch.setitem(helper.__kwdefaults__, "b", np.ones(3)),
    lambda patch: patch.setitem(globals(), "DATA", np.array([1.0, 2.0])),
    lambda patch: patch.setitem(globals(), "DATA", np.array([1.0, 2.0, 4.0], np.float32)),
]


@pytest.mark.parametrize("name", PROGRAMS)
def test_changes(name, monkeypatch):
    """Never is anything as it was before a change."""
    f = PROGRAMS[name]
    pairs = [(compiled(g), g) for g in (f, value_and_grad(f))]
    kept = [(x, x.copy()) for x in (DATA, WEIGHTS, POSITIONS, TABLE)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            for change in CHANGES:
                change(monkeypatch)
                for c, g in pairs:
                    for x in (X, 2.0 * X, X):
                        assert difference_between(_answer(c, x), _answer(g, x)) is None
        finally:
            for x, then in kept:
                x[...] = then
            ASSIGN(WEIGHTS)


def _answer(f, x):
    try:
        return f(x)
    except Exception as error:  # noqa: BLE001 - whatever it is
        return type(error).__name__


def test_one_program():
    """It serves arrays that change, and knows them by their names."""
    data = np.ones(3)
    c = compiled(grad(lambda x: np.sum(np.sin(x) * data) * data.max()), strict=True)
    for k in range(5):
        data[...] = [k, 1.0, 2.0 * k]
        np.testing.assert_array_equal(c(X), c.f(X))
    assert len(c.variants) == 1
    assert "* data" in c.source(X)


def test_results_are_copies():
    """An array from outside is the caller's own."""
    data = np.ones(3)
    c = compiled(lambda x: (data, np.asarray(data), data[1:], x), strict=True)
    for _ in range(3):
        for y in c(X):
            np.add(y, 1.0, out=y)
    np.testing.assert_array_equal(data, 1.0)


def test_refused_with_recorded_values():
    """What makes text of numbers is recorded with the arrays as they are, which are compared."""
    data = np.ones(3)
    recording = record_program(lambda x: x * data.item(0) * float(f"{data[1]}"), (X,), {})
    assert not recording.captured
    c = compiled(lambda x: x * float(f"{data[1]}"), strict=True)
    assert np.array_equal(c(X), X)
    data[1] = 4.0
    assert np.array_equal(c(X), 4.0 * X)


def test_a_function_that_assigns():
    """It is not recorded, though it is given other variables than its own."""

    def make():
        w = np.ones(3)

        def f(x):
            nonlocal w
            w = w + 1.0
            return np.sum(w * x)

        return f

    c, g = compiled(make()), make()
    with pytest.warns(CompilationWarning, match="changes its surroundings"):
        assert c(X) == g(X)
    for _ in range(3):
        assert c(X) == g(X)
