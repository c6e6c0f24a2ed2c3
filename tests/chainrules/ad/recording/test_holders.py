"""Functions that hold others, from Python's library: what they do is seen, and what they keep is compared."""

import contextlib
import functools
import heapq
import logging
import math
import statistics

import numpy as np
import pytest
from scipy import integrate, ndimage, signal, stats
from scipy.spatial import distance

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

POINTS = [(np.array(x),) for x in ([0.3, -1.2, 2.5, 0.7], [-0.3, 4.0, 2.5, 1.5], [5.0, 4.0, 3.0, 2.0])]
X = POINTS[0][0]
SETTINGS = {"scale": 2.0}
LOG = logging.getLogger("tests.chainrules.ad.recording.holders")
SEEN = []


@contextlib.contextmanager
def scaled(x):
    """Computes before, and looks at what comes after."""
    y = SETTINGS["scale"] * x
    try:
        yield y
    except ZeroDivisionError:
        SETTINGS.get("scale")
    finally:
        y = None


class Managing:
    """A context of the user's."""

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return 3.0 * self.x

    def __exit__(self, *error):
        return False


def managed(x):
    """By a generator."""
    with scaled(x) as y:
        return np.sum(x * y)


def managed_with_an_error(x):
    """Which the generator catches, if there is one."""
    z = np.sum(x)
    with scaled(x) as y:
        if x[0] < 0.0:
            raise ZeroDivisionError
        z = z + np.sum(y * y)
    return z


def stacked(x):
    """Several contexts, as many as values say."""
    with contextlib.ExitStack() as stack:
        ys = [stack.enter_context(scaled(v)) for v in x if v > 0.0]
        stack.enter_context(np.errstate(all="ignore"))
        return sum(y * y for y in ys) * len(ys)


def stacks_one_of_its_own(x):
    """Whose methods Python calls."""
    with contextlib.ExitStack() as stack:
        return np.sum(stack.enter_context(Managing(x)))


@functools.singledispatch
def energy(x):
    """Of anything."""
    return x * x


@energy.register(list)
def _(x):
    return sum(map(energy, x))


@energy.register(np.ndarray)
def _(x):
    return SETTINGS["scale"] * np.sum(x * x)


def dispatched(x):
    """By the class of a value."""
    return energy([x, 2.0 * x]) + energy(x[0]) + energy(3)


def queued(x):
    """In an order of values."""
    heap = []
    for i, v in enumerate(x):
        heapq.heappush(heap, (v, i))
    v, i = heapq.heappop(heap)
    w, _ = heapq.heapreplace(heap, (v * v, 9))
    return v * (i + 1) + w * heapq.heappushpop(heap, (w, 3))[0] + heap[0][0]


def smallest(x):
    """By a key, and merged."""
    y = list(x)
    low = heapq.nsmallest(2, y, key=abs) + heapq.nlargest(2, y, lambda v: v * v)
    return sum(a * b for a, b in zip(low, heapq.merge([1.0, 4.0], [2.0, 3.0]), strict=True))


def called_back(x):
    """By functions of NumPy's."""
    y = np.piecewise(x, [x < 0.0, x >= 0.0], [lambda v: -v, lambda v: v * v])
    z = np.apply_along_axis(lambda v: v * v[0], 0, x) + np.fromfunction(lambda i: i + 2.0, (4,))
    return np.sum(y * z) * np.sum(np.fromiter((v * v for v in x), float))


VECTORIZED = np.vectorize(lambda v: v * v if v > 0.0 else SETTINGS["scale"] * v)


def vectorized(x):
    """Element by element."""
    return np.sum(VECTORIZED(x) * np.vectorize(lambda v: v + 1.0)(x))


def counted(x):
    """As many numbers as values say."""
    n = np.sum(x > 0.0) + 2
    return np.sum(np.linspace(0.0, x[0], n) ** 2) + np.sum(np.geomspace(1.0, x[0] ** 2, num=n))


GENERATED = [managed, managed_with_an_error, stacked, dispatched, queued, smallest, called_back, vectorized]


@pytest.mark.parametrize("f", [*GENERATED, counted])
def test_functions_that_hold_others(f, monkeypatch):
    """Values may decide otherwise, and what the functions read may change."""
    agrees(grad(f), POINTS)
    agrees(grad(f), POINTS[::-1])
    c = compiled(grad(f), strict=True)
    for scale in (2.0, -3.0):
        monkeypatch.setitem(SETTINGS, "scale", scale)
        for (x,) in (*POINTS, *POINTS):
            np.testing.assert_array_equal(c(x), grad(f)(x))


def test_what_is_registered():
    """Another function for a class is another program, and so is another class of a value."""

    @functools.singledispatch
    def doubled(x):
        return 2.0 * x

    def f(x):
        return np.sum(doubled(x) * doubled(2.0))

    c = compiled(grad(f), strict=True)
    for change in (
        lambda: None,
        lambda: doubled.register(np.ndarray, lambda x: 5.0 * x),
        lambda: doubled.register(float, lambda x: x + SETTINGS["scale"]),
    ):
        change()
        for _ in range(2):
            np.testing.assert_array_equal(c(X), grad(f)(X))


class Basis:
    """It keeps what it computed, for all of its instances."""

    def __init__(self, power):
        self.power = power

    @functools.lru_cache  # noqa: B019 - what is tested
    def weights(self, n):
        """Of so many points."""
        return np.arange(float(n)) ** self.power


def kept(function):
    """`function`, kept; with a program that reads it, and its cache emptied."""
    return functools.lru_cache(function)


def test_results_that_are_kept():
    """What a function keeps is what it would return, and its elements are compared."""
    table = kept(lambda n: [SETTINGS["scale"] / (k + 1) for k in range(n)])
    binomial = kept(lambda n, k: 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k=k))
    nodes = kept(lambda n, scale=1.0: np.polynomial.legendre.leggauss(n)[0] * scale)
    basis = Basis(2.0)

    def f(x):
        n = int(np.argmax(x)) + 2
        y = sum(a * v for a, v in zip(table(n), x, strict=False)) * binomial(4, 2)
        return y * np.sum(x * nodes(4, scale=2.0) * basis.weights(4)) * nodes(np.argmax(x) + 1)[0]

    agrees(grad(f), POINTS)
    c = compiled(grad(f), strict=True)
    for change in (
        lambda: None,
        table.cache_clear,
        nodes.cache_clear,
        lambda: nodes(4, scale=2.0).__setitem__(1, 7.0),
        lambda: basis.weights(4).__setitem__(1, 7.0),
        lambda: table(4).__setitem__(1, 7.0),
    ):
        change()
        c = compiled(grad(f))  # what was written into would not be computed so: it runs as it is written
        with contextlib.suppress(UserWarning):
            c(X)
        for (x,) in POINTS:
            np.testing.assert_array_equal(c(x), grad(f)(x))


def test_what_is_kept_for_good(monkeypatch):
    """A function that would return something else by now goes on to return what it keeps."""

    @functools.cache
    def scale(n):
        return n * SETTINGS["scale"]

    @functools.cache
    def parts(n):
        return [n * SETTINGS["scale"]]

    def f(x):
        return np.sum(x) * scale(3) * parts(2)[0]

    c = compiled(f)
    for _ in range(3):
        assert c(X) == f(X)
    assert len(c.variants) == 1
    parts(2)[0] = 7.0
    with pytest.warns(UserWarning, match="`parts` keeps a result that it would not return now"):
        assert c(X) == f(X)
    parts.cache_clear()
    monkeypatch.setitem(SETTINGS, "scale", 5.0)
    c = compiled(f)
    with pytest.warns(UserWarning, match="`scale` keeps a result that it would not return now"):
        assert c(X) == f(X)
    scale.cache_clear()
    parts.cache_clear()
    c = compiled(f, strict=True)
    for _ in range(3):
        assert c(X) == f(X)
    old = parts(2)
    parts.cache_clear()
    parts(2)[0] = 11.0  # of another list by now
    assert old == [10.0]
    with pytest.raises(CompilationError, match="`parts` keeps a result"):
        c(X)


def test_results_of_values():
    """They are kept by numbers, which a recording does not know; what is traced is computed each time."""
    square = kept(lambda v: v * v)
    agrees(grad(lambda x: square(x[0]) * x[1]), POINTS)
    other = kept(lambda v: v * v)
    other.__wrapped__ = lambda v: v
    with pytest.raises(CompilationError, match="holds another function than it says"):
        compiled(lambda x: np.sum(x) * other(2.0), strict=True)(X)
    seen = kept(SEEN_AND)
    with pytest.raises(CompilationError, match="`append` of a list from outside"):
        compiled(lambda x: np.sum(x) * seen(2.0), strict=True)(X)
    assert not SEEN


def SEEN_AND(v):  # noqa: N802 - as a constant
    """Has an effect."""
    SEEN.append(v)
    return v


def logs(x):
    """At two levels, one of them by number."""
    LOG.debug("x[0] is %s", x[0])
    LOG.log(5, "seen")
    return np.sum(x * x) * (2.0 if LOG.isEnabledFor(logging.INFO) else 3.0)


def test_loggers():
    """They are silent as long as their level is off, and those above them decide."""
    c = compiled(grad(logs), strict=True)
    parent = LOG.parent
    try:
        for level in (logging.WARNING, logging.INFO, logging.ERROR):
            LOG.setLevel(level)
            for _ in range(2):
                np.testing.assert_array_equal(c(X), grad(logs)(X))
        LOG.setLevel(logging.NOTSET)
        parent.setLevel(logging.DEBUG)
        with pytest.raises(CompilationError, match="it logs a message, which may be done around"):
            c(X)
        LOG.debug = lambda *args: SEEN.append(args)  # a method of its own
        with pytest.raises(CompilationError, match="`append`"):
            c(X)
    finally:
        del LOG.debug
        parent.setLevel(logging.NOTSET)
        LOG.setLevel(logging.NOTSET)


TIMES = np.array([0.0, 1.0, 2.5, 4.0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: integrate.simpson(x**2, x=TIMES) + integrate.trapezoid(x, TIMES),
        lambda x: np.sum(integrate.cumulative_trapezoid(x**2, TIMES, initial=0)),
        lambda x: integrate.fixed_quad(lambda v: np.exp(-v * x[0]), 0.0, 1.0, n=4)[0],
        lambda x: np.sum(signal.convolve(x, x) ** 2) + np.sum(signal.fftconvolve(x, TIMES) ** 2),
        lambda x: np.sum(signal.lfilter([1.0, 0.5], [1.0, -0.3], x) ** 2),
        lambda x: np.sum(distance.cdist(x[:, None], TIMES[:, None]) ** 2) + distance.cosine(x, TIMES),
        lambda x: np.sum(distance.pdist(np.outer(x, TIMES), "cityblock")) * distance.euclidean(x, TIMES),
        lambda x: np.sum(ndimage.gaussian_filter1d(x, 1.0) ** 2) * np.sum(ndimage.convolve1d(x, [1.0, 2.0])),
        lambda x: np.sum(stats.zscore(x) ** 3) + stats.moment(x, order=3) + stats.sem(x),
        lambda x: statistics.fmean(x) * statistics.mean(list(x)) * statistics.stdev(list(x)),
    ],
)
def test_functions_of_scipy(f, monkeypatch):
    """They compute a result of what they are given, and of nothing else."""
    agrees(grad(f), POINTS)
    agrees(grad(f), POINTS[::-1])
    c = compiled(grad(f), strict=True)
    for times in (TIMES, TIMES**2):
        monkeypatch.setitem(globals(), "TIMES", times)
        for (x,) in (*POINTS, *POINTS):
            np.testing.assert_allclose(c(x), grad(f)(x), rtol=1e-13)


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda x: np.sum(distance.cdist(x[:, None], TIMES[:, None], print)), "it calls `print`"),
        (lambda x: np.sum(ndimage.generic_filter(TIMES, print, 3)) * x[0], "it calls `print`"),
        (
            lambda x: np.sum(ndimage.generic_filter(TIMES, SEEN_AND, 3)) * x[0],
            "`append` of a list from outside",
        ),
        (lambda x: integrate.qmc_quad(np.sum, [0.0], [1.0])[0] * x[0], "it calls `qmc_quad`"),
        (lambda x: integrate.quad(print, 0.0, 1.0)[0] * x[0], "it calls `print`"),
        (lambda x: stats.bootstrap((TIMES,), np.mean).standard_error * x[0], "it calls `bootstrap`"),
        (lambda x: np.sum(x) * heapq.nsmallest(1, [1.0], key=print)[0], "it calls `print`"),
        (lambda x: np.sum(x * np.piecewise(X, [X > 1.0], [print, 2.0])), "it calls `print`"),
        (lambda x: np.sum(x * np.fromfunction(SEEN_AND, (4,))), "`append` of a list from outside"),
        (lambda x: np.sum(np.vectorize(print)(x)), "it calls `print`"),
        (lambda x: contextlib.ExitStack().callback(print), "it calls `callback`"),
        (stacks_one_of_its_own, "`__exit__` is not looked into"),
        (lambda x: np.sum(x) * math.prod(map(SEEN_AND, [1.0])), "`append` of a list from outside"),
    ],
)
def test_effects_of_functions_that_are_called_back(f, reason):
    """They are seen."""
    with pytest.raises(CompilationError, match=reason):
        compiled(f, strict=True)(X)
    assert not SEEN
