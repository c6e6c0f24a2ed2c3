"""Loops in the text of a program, and what stands in their way."""

import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording import blocks, reuse
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.variant import make_variant
from chainrules_core import debugging

LARGE = blocks.LARGE
X = np.random.default_rng(0).normal(size=LARGE + 1001)


def loss(x):
    """A chain of operations, and a sum."""
    return np.sum(np.sin(x) * np.exp(-x * x))


def head_of(f, *args):
    """The first line of the loop of a program; `None` if it has none."""
    lines = make_variant(f, args, {}).source.splitlines()
    return next((line.strip() for line in lines if line.strip().startswith("for ")), None)


def same_bits(f, *points):
    """What runs part by part is what would run at once."""
    c = compiled(f, strict=True, compare=False)
    for point in (*points, *points):
        y, plain = c(*point), f(*point)
        np.testing.assert_array_equal(y, plain, strict=True)
        is_same = y.tobytes() == plain.tobytes()  # a comparison of so much text takes hours
        assert is_same
    return c


def test_a_chain():
    """One loop, with memory of its own for what is read within it, and a new array for the result."""
    source = same_bits(grad(loss), (X,), (2.0 * X,), (-X,)).source(X)
    assert "for x_part, v21_part, spare, spare_2, spare_3 in parts_of(16384, x, v21, spare=3):" in source
    assert "    v21 = np.empty((66537,))\n" in source
    assert source.endswith("        v21_part += v18\n    return v21\n")
    assert "    v0 = np.sin(x_part, out=spare)\n" in source


@pytest.mark.parametrize(
    ("x", "head"),
    [
        (X[:-1002], None),
        (X, "parts_of(16384, x, "),
        (X[:66_000].reshape(660, 100), "parts_of(160, x, "),
        (X[:66_000].reshape(6, 11_000), "parts_of(16384, x.reshape(-1), "),
        (X[:66_000].reshape(100, 660).T, "parts_of(16, x.T, "),
        (X[:66_000].reshape(6, 11_000).T, "parts_of(16384, x.T.reshape(-1), "),
        (X[:66_000].reshape(10, 66, 100), "parts_of(16384, x.reshape(-1), "),
        (np.repeat(X, 2)[::2], None),
        (X[::-1], None),
        (np.tile(X, (2, 1))[:, 1:], None),
    ],
)
def test_arrays(x, head):
    """Of any shape, if they lie in memory row by row, or their transposes do."""
    f = lambda x: np.cos(np.sin(x) * 2.0) * x  # noqa: E731 - as users write them
    with np.errstate(all="ignore"):
        same_bits(f, (x.copy("K") if head else x,), (x,))
        found = head_of(f, x)
    assert (found is None) if head is None else (head in found)


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.complex128, np.complex64, int])
def test_other_numbers(dtype):
    """As many bytes of each are in the cache, and the same numbers come out; small ones have to be more."""
    is_small = np.dtype(dtype).itemsize <= 4
    x = (np.resize(X, blocks.OF_SMALL_ONES * LARGE + 1001 if is_small else X.shape) * 3.0).astype(dtype)
    f = lambda x: (x * x + x) * x - x * 2  # noqa: E731 - as users write them
    with np.errstate(all="ignore"):
        same_bits(f, (x,), (-x,))
        head, fewer = head_of(f, x), head_of(f, x[: len(X)])
    assert f"parts_of({blocks.PART // x.itemsize}, " in head
    assert (fewer is None) == is_small


@pytest.mark.parametrize("dtype", [float, np.float32, complex])
def test_squares(dtype):
    """They go into memory that is there, as the function that NumPy calls for them."""
    x = np.resize(X, blocks.OF_SMALL_ONES * LARGE).astype(dtype)
    f = lambda x: (x * 0.5 - 1.0) ** 2 * x + (x + 1.0) ** 2  # noqa: E731 - as users write them
    with np.errstate(all="ignore"):
        source = same_bits(f, (x,), (-x,)).source(x)
    assert source.count("np.square(") == 2
    with np.errstate(all="ignore"):  # powers of floats are computed otherwise, and squares of whole numbers
        c = same_bits(lambda x, i: (x + 1.0) ** 2.0 * i**2.0 - i**2, (x, np.arange(len(x)) * 10**12))
    assert "np.square(" not in c.source(x, np.arange(len(x)) * 10**12)


def test_no_look_for_what_is_silent_anyway():
    """Bounds save nothing where the program ignores what NumPy would warn of."""
    f = lambda x: np.cos(np.sin(x) * x + 1.0) * x  # noqa: E731 - as users write them
    assert "is_within" in compiled(f).source(X)
    with np.errstate(all="ignore"):
        assert "is_within" not in compiled(f).source(X)
        assert head_of(f, X) is not None


def compared_before(x):
    """A comparison is computed before a chain, which writes into the array that it reads."""
    y = np.concatenate((x[:1], x[1:]))
    with np.errstate(all="ignore"):
        z = (y * -2.0 - 1.0) * x
    return z * 3.0 if np.greater(y[:1], 0.3) else z


def compared_in_a_block_of_its_own(x):
    """So is this one, whose block has nothing else in it."""
    total = np.sum(x)
    with np.errstate(all="ignore"):
        y = (x * -2.0 - 1.0) * x
    with np.errstate(divide="ignore"):
        return y if total > 0.3 else -y


@pytest.mark.parametrize("f", [compared_before, compared_in_a_block_of_its_own])
def test_comparisons_before_a_chain(f, monkeypatch):
    """What is compared before a chain is not compared behind it, where the decision is."""
    monkeypatch.setattr(reuse, "LARGE", 1)
    x = np.abs(X) + 1.0
    assert "parts_of" in same_bits(f, (x,), (-x,), (2.0 * x,)).source(x)


def test_rows_and_columns():
    """They are read as wholes, or part by part, by the loop over the rows of a matrix."""
    x, row, column = X[:66_000].reshape(660, 100), X[:100], X[:660, None]

    def f(x, row, column):
        y = np.sin(x * row) + column
        return np.where(y > 0.5, y, np.exp(y) * column) * row - 1.0

    with np.errstate(all="ignore"):
        same_bits(f, (x, row, column), (x + 1.0, -row, 2.0 * column))
        head = head_of(f, x, row, column)
    assert head.startswith("for x_part, column_part, ")


def test_what_warns_stays_whole():
    """It would warn once for each part."""
    f = lambda x: np.sqrt(x) * np.log(x) + x / (x - x)  # noqa: E731 - as users write them
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiled(f, strict=True)(X)
        assert head_of(f, X) is None
    assert len({str(w.message) for w in caught}) == 3
    with np.errstate(all="ignore"):
        assert head_of(f, X) is not None
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        compiled(f, strict=True)(X)


def test_a_look_at_bounds_lets_a_chain_begin_earlier():
    """Nothing within the bounds warns; beyond them the same is computed at once."""
    c = compiled(value_and_grad(loss), strict=True)
    c(X)
    source = c.source(X)
    assert "    if not is_within(x, " in source
    assert "np.sin(x_part, out=" in source
    far = X.copy()
    far[3] = 1e200
    with np.errstate(over="ignore"):
        for y, plain in zip(c(far), value_and_grad(loss)(far), strict=True):
            np.testing.assert_array_equal(y, plain)


def test_an_error_in_the_middle():
    """What was written by then is nobody's, and the function itself says what is wrong."""
    with np.errstate(divide="raise", over="ignore", invalid="ignore"):
        c = compiled(lambda x: np.sin(1.0 / x) * np.cos(x) * x, strict=True)
        x = np.abs(X) + 1.0
        c(x)
        x[-1] = 0.0
        kept = x.copy()
        with pytest.raises(FloatingPointError, match="divide by zero"):
            c(x)
        np.testing.assert_array_equal(x, kept)


def test_decisions_stand_between_loops():
    """A program that decides otherwise goes on where another one was."""

    def f(x):
        y = np.cos(np.sin(x) * x) + 1.0
        if y[0] > 1.5:
            return y * np.exp(-y) * x
        return (y - x) * np.tanh(y) * 2.0

    c = same_bits(f, (X,), (X * 0.0 + 2.0,), (X + 1.0,), (-X,))
    assert len(c.variants) == 2


def test_reductions_stand_outside():
    """The sum of parts would be another one in the last digit."""
    f = value_and_grad(loss)
    c = compiled(f, strict=True)
    with np.errstate(all="ignore"):
        for x in (X, 2.0 * X, X):
            (y, slope), (plain_y, plain_slope) = c(x), f(x)
            assert y == plain_y
            np.testing.assert_array_equal(slope, plain_slope)
        source = c.source(X)
    assert source.count("parts_of") == 1
    assert source.index("np.add.reduce") > source.index("parts_of")


def test_threads():
    """Each call has memory of its own."""
    c, points = compiled(grad(loss), strict=True), [X * k for k in range(1, 9)]
    c(X), c(2.0 * X)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(c, points * 3))
    for x, y in zip(points * 3, results, strict=True):
        np.testing.assert_array_equal(y, grad(loss)(x))


def test_results_are_new():
    """Neither arguments nor results of other calls."""
    c = compiled(lambda x, y: (x * 2.0 + y * y, x), strict=True)
    (a, b), (other, _) = c(X, X), c(X, X)
    assert not np.may_share_memory(a, X)
    assert not np.may_share_memory(b, X)
    assert not np.may_share_memory(a, other)


@pytest.mark.parametrize("of", ["one", "both"])
def test_donated_arguments(of, monkeypatch):
    """A result goes into one part by part, but not if its first elements are read for later parts."""
    monkeypatch.setattr(reuse, "LARGE", 1)

    def step(w, y):
        return w - 0.1 * np.sin(w - y) * w

    def scaled(w, y):
        return (w * w[:1] + y) * 0.5 - w[:1]

    def shifted(w, y):
        return (w[1:] * w[:-1] + y[1:]) * w[1:]

    for f in (step, scaled, shifted):
        c = compiled(f, donate=(0,) if of == "one" else True, strict=True)
        with np.errstate(all="ignore"):
            for k in (1.0, -2.0, 3.0):
                w, y = k * X, X[::-1].copy()
                plain = f(w.copy(), y.copy())
                np.testing.assert_array_equal(c(w.copy(), y.copy()), plain)
    with np.errstate(all="ignore"):
        source = compiled(step, donate=(0,)).source(X.copy(), X.copy())
    assert "with no_way_back:" in source
    assert "parts_of(" in source


def test_debug_mode_and_numba():
    """The first runs the function itself, and numba compiles programs of numbers alone."""
    with debugging():
        np.testing.assert_array_equal(compiled(grad(loss), strict=True)(X), grad(loss)(X))
    pytest.importorskip("numba")
    np.testing.assert_array_equal(compiled(grad(loss), numba=True)(X), grad(loss)(X))


def test_saved_programs(tmp_path):
    """They need NumPy and nothing of ours."""
    gradient = grad(lambda x: np.sum(np.cos(x * x) * x))
    with np.errstate(all="ignore"):
        compiled(gradient).save(tmp_path / "slope.py", X)
    assert "parts_of(" in (tmp_path / "slope.py").read_text()
    np.save(tmp_path / "x.npy", X)
    text = (
        "import sys, numpy as np; from slope import slope; np.save('y.npy', slope(np.load('x.npy')));"
        "assert not any(name.startswith('chainrules') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", text], cwd=tmp_path, check=True, env={})
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), gradient(X))
