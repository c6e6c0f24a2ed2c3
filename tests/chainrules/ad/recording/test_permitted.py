"""What is not recorded runs as it is written, with its effects once a call, and is told once."""

import bisect
import collections
import contextlib
import copy
import dataclasses
import itertools
import math
import operator
import random
import re
import time
import types
import typing
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from tests.chainrules.ad.recording.agreement import agrees

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
        lambda x: np.sum(x) * (hash("a") % 1),
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


POINTS = [(np.array(x),) for x in ([0.3, -1.2, 2.5], [-0.3, 4.0, 2.5], [5.0, 4.0, 3.0])]


@dataclasses.dataclass
class Held:
    """It holds two things."""

    a: Any
    b: Any = 2.0


def copies(x):
    """Of arrays, numbers, containers and instances; the copies are written into."""
    y, (z, n, first) = copy.copy(x), copy.deepcopy([x, {"n": x[0]}, Held(x)])
    held = copy.copy(first)
    y[0], z[1], held.b = 3.0, 4.0, 5.0
    return np.sum(y * z) * n["n"] * copy.copy(x[1]) * np.sum(held.a * held.b * first.b * x)


def orders_of_copies(x):
    """They lie as what was copied."""
    y = np.asfortranarray(np.outer(x, x))
    return np.sum(copy.copy(y).ravel("K") * np.arange(9.0)) * copy.deepcopy(y).strides[0]


def fields(x):
    """Of dataclasses, as Python takes them apart."""
    a, b = dataclasses.astuple(dataclasses.replace(Held(x), b=x[0]))
    return np.sum(a * b) * dataclasses.asdict(Held(x))["b"] * len(dataclasses.fields(Held))


def containers(x):
    """Of Python's library."""
    latest, halves = collections.deque(maxlen=2), collections.defaultdict(list)
    for i, v in enumerate(x):
        latest.append(v * v)
        halves[i % 2].append(v)
    latest.appendleft(x[0])
    ordered = collections.OrderedDict(a=x[0], b=x[1])
    ordered.move_to_end("a")
    space = types.SimpleNamespace(a=x)
    space.b = sum(i * v for i, v in enumerate(ordered.values()))
    return sum(latest) * sum(halves[0]) * np.sum(space.a * space.b)


def suppresses(x):
    """What is raised by an operation, and by Python."""
    y = np.sum(x)
    with contextlib.suppress(ValueError), contextlib.nullcontext(2.0) as two:
        y = y + two * math.log(x[0])
    with contextlib.suppress(KeyError):
        return y * {0: 2.0, 1: 3.0}[int(np.argmax(x))]
    return y


def chained(x):
    """By a method of a class of `itertools`."""
    return sum(v * v for v in itertools.chain.from_iterable([x, x[:2]])) * operator.itemgetter(0, 2)(x)[1]


@pytest.mark.parametrize("f", [copies, orders_of_copies, fields, containers, suppresses, chained])
@pytest.mark.parametrize("form", [lambda f: f, grad], ids=["plain", "grad"])
def test_of_pythons_library(f, form):
    """What computes nothing by itself."""
    agrees(form(f), POINTS)
    agrees(form(f), POINTS[::-1])


DEQUE = collections.deque([2.0], maxlen=3)
ORDERED = collections.OrderedDict(a=2.0, b=3.0)
DEFAULT = collections.defaultdict(lambda: 5.0, a=2.0)
NUMBERS = collections.Counter("abca")


def from_outside(x):
    """Of each kind."""
    last = NUMBERS["none"] + NUMBERS.most_common(1)[0][1] + sum(NUMBERS.elements() == i for i in range(2))
    return np.sum(x) * DEQUE[-1] * ORDERED["a"] * next(iter(ORDERED.values())) * DEFAULT["a"] * last


def test_containers_from_outside(monkeypatch):
    """Their items are compared, in their order, and put back where the program changed them."""
    c = compiled(grad(from_outside), strict=True)
    for change in (
        lambda: None,
        lambda: DEQUE.appendleft(7.0),
        lambda: DEQUE.append(3.0),
        lambda: ORDERED.move_to_end("a"),
        lambda: ORDERED.update(b=-1.0),
        lambda: monkeypatch.setitem(DEFAULT, "a", 4.0),
        lambda: NUMBERS.update("bbbbb"),
    ):
        change()
        for point in POINTS:
            np.testing.assert_array_equal(c(*point), grad(from_outside)(*point))
    c = compiled(lambda x: np.sum(x) * DEFAULT.default_factory(), strict=True)
    for value in (5.0, 6.0):
        monkeypatch.setattr(DEFAULT, "default_factory", lambda value=value: value)
        assert c(*POINTS[2]) == 12.0 * value
    before = [*DEQUE], [*ORDERED.items()], {**DEFAULT}, {**NUMBERS}
    for f in (
        lambda x: DEQUE.appendleft(x[0]),
        lambda x: ORDERED.move_to_end("b"),
        lambda x: DEFAULT["new"],
        lambda x: NUMBERS.subtract("a"),
    ):
        with pytest.raises(CompilationError, match=r"was changed|from outside|is not looked into"):
            compiled(f, strict=True)(*POINTS[0])
        assert ([*DEQUE], [*ORDERED.items()], {**DEFAULT}, {**NUMBERS}) == before


def indexed(x):
    """By what NumPy makes of brackets, and goes through."""
    rows, columns = np.ogrid[0:3, 0:3]
    y = np.sum(np.r_[0.0, x, 1.0][np.s_[1:4]] * np.c_[x, 2.0 * x].T) * np.sum((rows + columns) * x)
    places = sum(x[i] * i[0] for i in np.ndindex(x.shape)) + sum(v * i[0] for i, v in np.ndenumerate(x))
    return y * places * np.sum(np.mgrid[0:2, 0:3] * x) * sum(v * v for v in np.nditer(x))


QUADRATIC = np.poly1d([1.0, 2.0, 3.0])


def polynomials(x):
    """From outside, and of coefficients that are computed."""
    return np.sum(QUADRATIC(x)) * np.poly1d(x)(2.0) * np.poly1d(x).deriv()(x[0])


def counts_letters(x):
    """In text."""
    found = re.findall("[ab]", "abcabc")
    return np.sum(x) * collections.Counter(found)["a"] * len(re.compile("c").split("abcabc"))


def adds(x):
    """To what a generator has."""

    def total():
        y = 0.0
        while True:
            y = y + (yield y) ** 2

    adding = total()
    next(adding)
    y = [adding.send(v) for v in x if v > 0.0][-1]
    adding.close()
    return y


@pytest.mark.parametrize(
    ("f", "instead"),
    [
        (lambda x: warnings.warn("seen", stacklevel=1), "; warn around the compiled function"),
        (
            lambda x: scipy.integrate.qmc_quad(lambda v: v[0] * x[0], 0.0, 1.0).integral,
            "; write a loop of fixed steps",
        ),
        (
            lambda x: scipy.optimize.dual_annealing(lambda v: v[0] ** 2, [(0.0, 1.0)]).fun,
            "; write the steps of the search",
        ),
    ],
)
def test_what_to_write_instead(f, instead):
    """The reason says so."""
    with pytest.raises(CompilationError, match=f"it calls `.*{instead}"):
        compiled(f, strict=True)(*POINTS[0])


@pytest.mark.parametrize("f", [indexed, polynomials, counts_letters, adds])
def test_of_everyday_programs(f, monkeypatch):
    """What returns a result and does nothing else."""
    agrees(grad(f), POINTS)
    c = compiled(grad(f), strict=True)
    for value in (1.0, 5.0):
        monkeypatch.setattr(QUADRATIC, "_coeffs", np.array([value, 2.0, 3.0]))
        for point in POINTS:
            np.testing.assert_array_equal(c(*point), grad(f)(*point))


def test_missing_names_that_are_suppressed(monkeypatch):
    """A name that comes later is noticed."""
    settings = types.ModuleType("settings")

    def f(x):
        with contextlib.suppress(AttributeError):
            return np.sum(x) * settings.extra
        return np.sum(x)

    c = compiled(f, strict=True)
    assert c(*POINTS[2]) == 12.0
    monkeypatch.setattr(settings, "extra", 2.0, raising=False)
    assert c(*POINTS[2]) == 24.0
