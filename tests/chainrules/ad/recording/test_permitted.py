"""What is not recorded runs as it is written, with its effects once a call, and is told once."""

import bisect
import functools
import random
import time
import types
import typing
import warnings
from pathlib import Path

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

X = np.array([0.3, -1.2, 2.1, 0.7])

KEPT = []
COUNT = [0]
GENERATOR = np.random.default_rng(3)
ITERATOR = iter(range(1000))
CALLS = 0


def appends(x):
    """To a list from outside."""
    KEPT.append(1)
    return np.sum(x)


def counts(x):
    """In a list from outside."""
    COUNT[0] += 1
    return np.sum(x) * COUNT[0]


def counts_globally(x):
    """In a global name."""
    global CALLS  # noqa: PLW0603 - what is tested
    CALLS += 1
    return np.sum(x) * CALLS


def counts_on_itself(x):
    """In an attribute of the function."""
    counts_on_itself.calls = getattr(counts_on_itself, "calls", 0) + 1
    return np.sum(x)


def prints(x):
    """Text."""
    print("seen")
    return np.sum(x)


def goes_on(x):
    """In an iterator from outside."""
    return np.sum(x) * next(ITERATOR)


def catches(x):
    """An error of a whole number that there is not."""
    try:
        return np.sum(x) * int(x[0] * np.inf)
    except OverflowError:
        return np.sum(x)


def writes(x):
    """Into its argument."""
    x[0] = 5.0
    return np.sum(x * x)


@pytest.mark.parametrize(
    "f",
    [
        appends,
        counts,
        counts_globally,
        counts_on_itself,
        prints,
        goes_on,
        catches,
        writes,
        lambda x: np.sum(x) * random.random(),  # noqa: S311 - nothing is secret
        lambda x: np.sum(x * np.random.normal(size=4)),  # noqa: NPY002 - it is asked for
        lambda x: np.sum(x * GENERATOR.normal(size=4)),
        lambda x: np.sum(x) * time.perf_counter(),
        lambda x: np.sum(x) * len(Path(__file__).read_text()),
        lambda x: np.sum(x) * len(str(x)),
        lambda x: np.sum(x) * (type(x) is np.ndarray),
        lambda x: np.sum(x) * id(x),
        lambda x: eval("np.sum(x)"),
    ],
)
def test_what_is_not_recorded(f):
    """It runs as it is written, tells the line and the reason once, and has its effects once a call."""
    KEPT.clear()
    COUNT[0] = 0
    c = compiled(f)
    with pytest.warns(CompilationWarning, match="since"):
        c(X.copy())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        c(X.copy())
    assert not c.variants
    assert len(KEPT) == 2 * (f is appends)
    assert COUNT[0] == 2 * (f is counts)
    with pytest.raises(CompilationError, match="since"):
        compiled(f, strict=True)(X.copy())
    with pytest.raises(CompilationError):
        compiled(f).source(X.copy())
    assert len(KEPT) == 2 * (f is appends)
    assert COUNT[0] == 2 * (f is counts)


def test_the_reason_names_the_line():
    """The file, and the line in it."""
    with pytest.warns(
        CompilationWarning, match=rf"print.*test_permitted.py, line {prints.__code__.co_firstlineno + 2}"
    ):
        compiled(prints)(X)


def test_too_many_variants():
    """A function that decides in too many ways runs as it is written."""
    c = compiled(lambda x: np.sum(x) * int(x[0]), most_variants=3)
    with pytest.warns(CompilationWarning, match="more than 3 ways"):
        values = [c(np.full(2, float(k))) for k in range(8)]
    assert values == [2.0 * k * k for k in range(8)]
    assert not c.variants


def test_too_many_operations(monkeypatch):
    """So does one that takes too many operations."""
    monkeypatch.setattr("chainrules.ad.recording.tape.MOST_STEPS", 10)

    def f(x):
        for _ in range(20):
            x = x * 1.5
        return np.sum(x)

    with pytest.warns(CompilationWarning, match="operations"):
        assert compiled(f)(X) == f(X)


def test_a_function_with_the_name_of_a_method_that_writes():
    """`numpy.resize` makes a new array."""
    weights = np.arange(3.0)
    c = compiled(lambda x: np.sum(np.resize(weights, x.shape) * np.resize(x, (2, *x.shape))), strict=True)
    for x in (X, 2.0 * X):
        assert c(x) == pytest.approx(2.0 * np.sum(np.resize(weights, x.shape) * x))


def test_searches_in_lists_and_casts():
    """They do nothing but return a result; each comparison is a decision, and the list may change."""
    places = [0.0, 1.0, 2.0]

    def f(x):
        x = typing.cast(np.ndarray, x)
        return np.sum(x) * (bisect.bisect(places, x[0]) + bisect.bisect_left(places, x[1]))

    c = compiled(f, strict=True)
    for _ in range(2):
        for x in (np.array([0.5, 1.5]), np.array([1.5, 0.5]), np.array([3.0, 1.0])):
            assert c(x) == f(x)
        places[1] = 1.7
    with pytest.raises(CompilationError, match="insort"):
        compiled(lambda x: bisect.insort(places, x[0]), strict=True)(np.ones(2))


SETTINGS = types.ModuleType("settings")
SETTINGS.scale = 2.0


def missing(x):
    """A name that a module may not have."""
    try:
        return np.sum(x) * SETTINGS.extra
    except AttributeError:
        return np.sum(x) * 7.0


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(x) * (2.0 if hasattr(SETTINGS, "extra") else 3.0),
        lambda x: np.sum(x) * getattr(SETTINGS, "extra", 5.0),
        lambda x: getattr(x, "sum")() * getattr(np, "sin")(x[0]) * getattr(SETTINGS, "scale"),  # noqa: B009 - by name
        lambda x: np.sum(x) * (2.0 if hasattr(x, "shape") and not hasattr(x, "extra") else 3.0),
        missing,
    ],
)
def test_attributes_by_name(f, monkeypatch):
    """What they are is compared, and that they are not there."""
    for g in (f, grad(f)):
        c = compiled(g, strict=True)
        for name, value in (("extra", 2.5), ("extra", 3.5), ("scale", 4.0)):
            for change in (
                lambda patch: None,
                lambda patch, n=name, v=value: patch.setattr(SETTINGS, n, v, False),
            ):
                with monkeypatch.context() as patch:
                    change(patch)
                    for x in (X, 2.0 * X):
                        np.testing.assert_allclose(c(x), g(x), rtol=1e-14)


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda x: np.sum(x) * len(getattr(missing, "__code__").co_consts), "__code__"),  # noqa: B009 - by name
        (lambda x: np.sum(x) * (2.0 if hasattr(x, "__array_interface__") else 3.0), "__array_interface__"),
        (lambda x: np.sum(x) * functools.partial(getattr, SETTINGS)("scale"), "partial"),
        (lambda x: np.sum(x) * next(map(getattr, [SETTINGS], ["__dict__"]))["scale"], "__dict__"),
    ],
)
def test_attributes_that_are_not_read_by_name(f, reason):
    """As those after a dot."""
    with pytest.raises(CompilationError, match=reason):
        compiled(grad(f), strict=True)(X)
