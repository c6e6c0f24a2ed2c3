"""Variants that part late run once what they have in common, and return what the function returns."""

import importlib.util
import linecache
import random
import warnings

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording import branching
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.running import MISS, difference_between
from tests.chainrules.ad.recording.agreement import agrees

RNG = np.random.default_rng(0)
W = RNG.normal(size=(8, 8)) / 3.0
X = RNG.normal(size=8)
LONG = RNG.normal(size=300)
settings = {"scale": 2.0}


def deep(x, limit):
    """The values before the decision are needed behind it, by a derivative too."""
    y = np.tanh(W @ x)
    y = np.tanh(W @ y)
    y = np.tanh(W @ y)
    return np.sum(y * y) if limit > np.sum(y) else 3.0 * np.sum(y)


def clipped_step(x, limit):
    """A gradient is computed before the decision."""
    g = grad(lambda x: np.sum(np.tanh(W @ np.tanh(W @ x)) ** 2))(x)
    norm = np.sqrt(np.sum(g * g))
    if norm > limit:
        g = g * (limit / norm)
    return x - 0.1 * g


def several_ways(x, count):
    """There are as many ways as rounds."""
    y = np.tanh(W @ np.sin(W @ np.cos(x)))
    k = 0.0
    while k < count:
        k = k + 1.0
        y = y * 0.5
    return y, k


def of_whole_numbers(x, number):
    """All ways part at one decision."""
    y = np.sin(x) * np.cos(x) + np.tanh(x)
    z = y * y - x
    k = int(number)
    return z * k + y


def in_place(x, limit):
    """Large results go into memory that is read no more, in either variant."""
    y = np.sin(x)
    z = y * 2.0
    view = z[::-1]
    z = z + 1.0
    u = np.cos(x) * z
    u = u - 3.0
    if np.sum(u) > limit:
        return u * 2.0 + view, z
    return view + y, u - z, view


def written(x, limit):
    """One variant writes into what the other one only reads."""
    kept = np.tanh(np.cos(x) * np.cos(x) + 1.0)
    other = kept * kept - x
    y = np.sin(x)
    z = y.copy()
    part = y[2:5]
    u = np.cos(x) * 2.0
    u[0] = 7.0
    w = u * y
    if limit > 0.0:
        z[1:3] = 5.0
        y *= 2.0
        u[1] = part[0]
    return y, z, part.copy(), u, w, kept + other


def within_silence(x, limit):
    """The decision stands where pullbacks are silent."""
    slope = grad(lambda x: np.sum(x / (x - x[0] + 1.0) ** 2))(x)
    norm = np.sqrt(np.sum(slope * slope)) + np.sum(np.log(x))
    if norm > limit:
        return np.log(x - 2.0) + slope
    return np.log(x - 3.0) - slope


WAYS = (-1e6, -1.0, 0.0, 1.0, 3.0, 1e6)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "x"),
    [(deep, X), (clipped_step, X), (in_place, X), (in_place, LONG), (written, X), (written, LONG)],
)
def test_alternating_ways(f, x):
    """Results are those of the function, whichever way was taken before."""
    points = [(scale * x, limit) for scale in (1.0, -0.5) for limit in WAYS]
    c = agrees(f, points)
    assert len(c.variants) == 2
    assert sum(row.calls for row in c.variants) == 2 * len(points) - 2
    assert len([variant for variant in c._all_variants() if variant.branch]) == 1


@pytest.mark.parametrize("f", [deep, lambda x, limit: deep(np.sin(x), limit)])
def test_gradients(f):
    """Those of both ways share the values that were computed before they part."""
    agrees(value_and_grad(f), [(scale * X, limit) for scale in (1.0, -0.5) for limit in (-1e6, 1e6)])


@pytest.mark.parametrize("f", [several_ways, of_whole_numbers])
def test_several_ways(f):
    """Variants go on behind variants, and behind the same decision."""
    c = agrees(f, [(scale * X, float(way)) for scale in (1.0, 2.0) for way in (3, 1, 5, 2, 4)])
    branches = [variant.branch for variant in c._all_variants() if variant.branch]
    assert len(branches) == 4
    assert [branch.parent in (variant for variant in c._all_variants()) for branch in branches] == 4 * [True]


def text_of(program):
    """The text of a program, as tracebacks find it."""
    return "".join(linecache.cache[program.__code__.co_filename][2])


def test_what_is_shared():
    """The program of the second way has the rest alone."""
    c = agrees(deep, [(scale * X, limit) for scale in (1.0, 2.0) for limit in (-1e6, 1e6)])
    (joined,) = (variant for variant in c._all_variants() if variant.branch)
    assert "W @ " in joined.source
    assert "W @ " not in text_of(joined.branch.program)
    first = joined.branch.parent
    assert "otherwise_" in text_of(first.enter.__globals__["program"])
    assert "otherwise_" not in first.source


def test_an_early_decision():
    """Where there is next to nothing to share, a variant runs by itself."""
    c = agrees(lambda x: np.sum(x**2) if x[0] > 0.0 else np.sum(np.sin(x)), [(X,), (-X,), (2.0 * X,)])
    assert len(c.variants) == 2
    assert not any(variant.branch for variant in c._all_variants())


def test_warnings():
    """They come as from the function, once each, with NumPy's state as it is outside of silenced blocks."""
    positive = np.abs(X) + 1.0
    c = compiled(within_silence, strict=True, compare=False)
    for _ in range(3):
        for point in ((positive, -1e6), (positive, 1e6), (2.0 * positive, 1e6)):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                y = c(*point)
            with warnings.catch_warnings(record=True) as plain:
                warnings.simplefilter("always")
                assert difference_between(y, within_silence(*point)) is None
            assert [str(w.message) for w in caught] == [str(w.message) for w in plain]
    assert any(variant.branch for variant in c._all_variants())


def test_what_one_way_reads_from_outside():
    """It is compared before that way is taken."""

    def f(x, limit):
        y = np.tanh(W @ np.tanh(W @ np.tanh(W @ x)))
        return y * settings["scale"] if np.sum(y) > limit else y + OUTSIDE

    c = compiled(f, strict=True)
    points = [(scale * X, limit) for scale in (1.0, 2.0) for limit in (1e6, -1e6)]
    try:
        for scale in (2.0, 3.0, 2.0, 3.0):
            settings["scale"] = scale
            for point in (*points, *points, *points):
                np.testing.assert_array_equal(c(*point), f(*point))
            np.testing.assert_array_equal(c(OUTSIDE, 1e6), f(OUTSIDE, 1e6))
    finally:
        settings["scale"] = 2.0


OUTSIDE = RNG.normal(size=8)


def test_a_way_that_is_taken_again_and_again():
    """It is asked by itself then, and no more once another one is taken."""
    c = agrees(deep, [(scale * X, limit) for scale in (1.0, 2.0) for limit in (-1e6, 1e6)])
    (joined,) = (variant for variant in c._all_variants() if variant.branch)
    first = joined.branch.parent
    for _ in range(30):
        c(X, 1e6)
        c(X, -1e6)
    assert c._latest[0] is first
    way = -1e6 if joined.program(X, 1e6) is MISS else 1e6
    calls = joined.calls
    for _ in range(30):
        c(X, way)
    assert c._latest[0] is joined
    assert joined.calls == calls + 30
    c(X, -way)
    assert c._latest[0] is first


def test_what_goes_on_wrongly_is_noticed(monkeypatch):
    """Its first result is compared with that of the whole program; if they differ, that runs."""
    monkeypatch.setattr(branching, "difference_between", lambda *_: "other numbers")
    c = agrees(deep, [(scale * X, limit) for scale in (1.0, 2.0) for limit in (-1e6, 1e6)])
    (joined,) = (variant for variant in c._all_variants() if variant.branch)
    assert joined.branch.program(X, 1e6) is MISS


def some_operations(rng, names, number):
    """Lines of operations of some of the names, and more names."""
    lines, made = [], [*names]
    for _ in range(number):
        a, b = rng.choice(made), rng.choice(made)
        new = f"v{rng.randrange(10**6)}"
        operation = rng.choice(
            [f"{a} + {b}", f"{a} * {b}", f"np.sin({a})", f"{a}[::-1]", f"{a}.copy()", f"{a} - {b} * {b}",
             f"{a}.reshape(-1, 2).T.reshape(-1)", f"np.where({a} > 0.0, {a}, {b})", "", " "]
        )  # fmt: skip
        if operation.strip():
            lines.append(f"{new} = {operation}")
            made.append(new)
        else:
            lines.append(f"{a}[{len(lines)}:9] = {b}[0]" if operation else f"{a} += {b}")
    return lines, made


def random_program(seed, path):
    """A function of an array and a number, with two decisions in a row."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    lines, names = some_operations(rng, ["x0", "x1"], 8)
    for _ in range(2):
        condition = rng.choice(["limit > 0.0", f"np.sum({rng.choice(names)}) > limit", "int(limit) % 2 == 1"])
        for head in (f"if {condition}:", "else:"):
            inner, _ = some_operations(rng, names, 4)
            lines += [head, *(f"    {line}" for line in inner)]
        more, names = some_operations(rng, names, 4)
        lines += more
    result = f"{', '.join(rng.choices(names, k=3))}, np.sum({rng.choice(names)})"
    lines = ["x0 = x * 1.5", "x1 = np.cos(x)", *lines, f"return {result}"]
    text = "\n".join(["import numpy as np", "def f(x, limit):", *(f"    {line}" for line in lines)])
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


def test_random_programs(tmp_path):
    """With views, writes, and arrays of a size that is computed in place; results share no memory."""
    shared = 0
    for seed in range(16):
        f = random_program(seed, tmp_path / f"random_program_{seed}.py")
        x = np.random.default_rng(seed).normal(size=(10, 300)[seed % 2])
        points = [(scale * x, limit) for scale in (0.5, -0.3) for limit in (-2.0, -1.0, 1.0, 2.0, 5.0)]
        c = agrees(f, [*points, *points[::-1]])
        shared += any(variant.branch for variant in c._all_variants())
        arrays = [y for y in c(*points[0]) if isinstance(y, np.ndarray)]
        pairs = ((a, b) for i, a in enumerate(arrays) for b in arrays[:i] if a is not b)
        assert not any(np.shares_memory(a, b) for a, b in pairs)
    assert shared >= 8


def test_no_shorter_way_with_donated_memory():
    """What was written into is lost to the other way."""
    c = compiled(lambda x, limit: deep(np.sin(x), limit), donate=True)
    for limit in (-1e6, 1e6, -1e6, 1e6):
        c(X.copy(), limit)
    assert len(c.variants) == 2
    assert not any(variant.branch for variant in c._all_variants())
