"""Programs of floats, as numba compiles them; where it is not installed, Python runs the same text."""

import math
import pickle
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from chainrules.ad import grad, hvp, value_and_grad
from chainrules.ad.recording import native
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationWarning
from chainrules.ad.recording.running import difference_between
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

DATA = np.array([1.0, -2.0, 0.5])
X = np.array([0.5, -1.0, 2.0])


@pytest.fixture(autouse=True)
def every_program(monkeypatch):
    """Short programs too; without the package, functions are as they are."""
    monkeypatch.setattr(native, "FEWEST_STEPS", 1)
    try:
        import numba  # noqa: F401, PLC0415 - it may be there
    except ModuleNotFoundError:
        stand_in = SimpleNamespace(njit=lambda **options: np.errstate(all="ignore"))
        monkeypatch.setitem(sys.modules, "numba", stand_in)


def loop(x):
    """Over elements, of arguments and of an array from outside."""
    total = 0.0
    for i in range(3):
        total = total + (x[i] - DATA[i]) ** 2 * np.tanh(x[i])
    return total


def decides(x):
    """By numbers."""
    y = x[0] * x[1]
    return y * y if y > 0.0 else -y / (x[2] - 2.0)


def fails(x):
    """Where numbers of Python's are divided by zero, or have no root."""
    return math.sqrt(x) / (x - 2.0) + math.exp(400.0 * x)


def names(off, found=1.0, native=2.0):
    """Those that the text needs for itself; and several results, one of them twice."""
    y = off * found - native
    return {"y": y, "z": [y, np.sin(y) * native, off]}, found


def filled(x):
    """An array that is filled, and returned twice."""
    y, z = np.zeros_like(x), np.zeros_like(x)
    for i in range(3):
        y[i], z[i] = x[i] * 2.0, x[i]
    y[0] += x[0] * 1e308
    return y, z, y, x


POINTS = [
    (X,),
    (-X,),
    (3.0 * X,),
    (X[::-1],),
    (0.0 * X,),
    (np.array([1.0, np.nan, 2.0]),),
]
EXTREME = [(np.array([np.inf, 1.0, 2.0]),), (1e200 * X,), (-1e300 * X,)]


@pytest.mark.parametrize("f", [loop, decides, filled])
def test_functions(f):
    """Values, errors and warnings, at numbers that are not finite too."""
    x = X.copy()
    agrees(f, [*POINTS, *EXTREME], numba=True, strict=False)
    np.testing.assert_array_equal(X, x)


@pytest.mark.parametrize("f", [grad(loop), value_and_grad(decides), lambda x: hvp(loop, x, x)])
def test_derivatives(f):
    """At extreme numbers pullbacks that are recorded may warn of others, with and without numba."""
    agrees(f, POINTS, numba=True, strict=False)
    c = compiled(f, numba=True, compare=False)
    with np.errstate(all="ignore"):
        for x in (X, *(x for (x,) in EXTREME), 2.0 * X):
            assert difference_between(c(x), f(x)) is None


@pytest.mark.parametrize("f", [fails, grad(fails), names, lambda x: np.log(x) * x, lambda x: x**0.5])
def test_numbers(f):
    """Of Python's and of NumPy's, each of its class."""
    for cls in (float, np.float64):
        agrees(
            f, [(cls(x),) for x in (0.5, 2.0, 1.5, -1.0, 0.0, math.nan, math.inf)], numba=True, strict=False
        )


OTHERS = [
    lambda x: x * 2.0,
    lambda x: np.sum(x),
    lambda x: np.float32(2.0) * x[0],
    lambda x: x[0] > 0.0,
    lambda x: (x[0] * 2.0, x[0] > 0.0),
    lambda x: x[np.argmax(x)] * 2.0,
    lambda x: np.float64(1.0) * 2**70 * x[0],
    lambda x: x[0] + np.zeros(3, np.float32)[0],
    lambda x: x,
    lambda x: np.power(x[0], x[1], dtype=float),
]


@pytest.mark.parametrize("f", OTHERS, ids=range(len(OTHERS)))
def test_other_programs(f):
    """They run by NumPy."""
    agrees(f, [(X,), (-X,), (2.0 * X,)], numba=True, strict=False)
    agrees(f, [(X.astype(np.float32),), (1j * X,)], numba=True, strict=False)


def test_what_is_compiled():
    """A program of numbers, in the user's own lines; what a saved one is, NumPy runs."""
    c = compiled(grad(loop), numba=True)
    assert "def native(x, DATA)" in c.source(X)
    assert "test_native.py" in c.source(X)
    assert "def native" not in compiled(grad(loop)).source(X)
    assert "def native" not in c.source(np.array([0.0, np.inf, 1.0]))
    assert make_variant(loop, (X,), {}).run([2.0 * X]) == make_variant(loop, (X,), {}, target="numba").run(
        [2.0 * X]
    )
    assert pickle.loads(pickle.dumps(compiled(math.sin, numba=True))).numba


def test_states_of_warnings():
    """Of underflow nothing is left behind that could be seen."""
    with np.errstate(under="warn"):
        assert "def native" not in compiled(grad(loop), numba=True).source(X)
    with np.errstate(divide="raise"), warnings.catch_warnings():
        warnings.simplefilter("ignore", CompilationWarning)
        c = compiled(lambda x: 1.0 / x[0], numba=True)
        assert c(X) == 2.0
        with pytest.raises(FloatingPointError):
            c(0.0 * X)


def test_what_is_read_from_outside(monkeypatch):
    """Arrays are read as they are at each call."""
    data = DATA.copy()
    c = compiled(grad(lambda x: (x[0] - data[0]) ** 2 * x[1]), numba=True)
    for _ in range(3):
        data[0] += 1.0
        np.testing.assert_array_equal(c(X), [2.0 * (X[0] - data[0]) * X[1], (X[0] - data[0]) ** 2, 0.0])


def test_results_belong_to_the_caller():
    """They may be written into."""
    c = compiled(grad(loop), numba=True)
    first = c(X)
    kept = first.copy()
    first += 1.0
    assert first.flags.owndata
    np.testing.assert_array_equal(c(X), kept)


def test_what_numba_does_not_compile(monkeypatch):
    """NumPy runs that."""

    def refuse(f):
        raise TypeError

    monkeypatch.setitem(
        sys.modules, "numba", SimpleNamespace(njit=lambda **options: lambda f: lambda *x: refuse(f))
    )
    assert "def native" not in compiled(grad(loop), numba=True).source(X)


def test_without_numba(monkeypatch):
    """An error says what to install."""
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ModuleNotFoundError, match="pip install numba"):
        compiled(loop, numba=True)
