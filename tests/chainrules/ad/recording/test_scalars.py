"""Elements of arrays that are read one by one, as Python's numbers."""

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules.ad.recording.compiled import compiled
from tests.chainrules.ad.recording.agreement import agrees

TARGET = np.linspace(-1.0, 1.0, 12)
RNG = np.random.default_rng(0)


def distances(x):
    """Squares of differences from an array of the module."""
    total = 0.0
    for i in range(12):
        difference = x[i] - TARGET[i]
        total = total + difference * difference
    return total / 12


def twice(x):
    """Elements from both ends: of some there are two numbers."""
    total = 0.0
    for i in range(12):
        total = total + x[i] * x[-1 - i] * 0.5
    return total


def with_functions(x):
    """Functions of NumPy's, a division and a power are given some of them."""
    total = 0.0
    for i in range(12):
        total = total + np.sin(x[i]) * x[i] - x[i] / 3.0 + x[i] ** 2 * x[0]
    return total


def decides(x):
    """Numbers that decide, and one that is returned."""
    total = x[0] * 1.0
    for i in range(1, 12):
        total = total + x[i] * (2.0 if x[i] > 0.0 else 3.0)
    return total


def one_of_them(x):
    """A number as it is, behind a decision by the others."""
    total = x[0] - x[1]
    for i in range(2, 12):
        total = total + x[i] * x[i]
    return x[3] if total > 4.0 else total * x[2]


def written(x):
    """Numbers that are written into an array, which is read."""
    y = np.zeros(12)
    for i in range(12):
        y[i] = x[i] * 2.0
    return np.sum(y * y) + y[3] * x[3]


POINTS = [RNG.normal(size=12) * scale for scale in (1.0, 2.0, 0.1, 1e200)]
EDGES = [np.where(np.arange(12) == 3, value, POINTS[0]) for value in (0.0, -0.0, np.inf, np.nan, 1e308)]
PROGRAMS = [distances, twice, with_functions, decides, one_of_them, written]


@pytest.mark.parametrize("f", PROGRAMS)
def test_values_and_gradients(f):
    """To the bit, of the same classes, with the same warnings, where numbers are zero or not finite, too."""
    for g in (f, grad(f), value_and_grad(f)):
        points = POINTS[:3] if f is with_functions else POINTS + EDGES
        c = agrees(g, [(x,) for x in points])
        for x in POINTS[:3] + EDGES[:2]:
            y, plain = c(x), g(x)
            pairs = [(y, plain)] if type(plain) is not tuple else zip(y, plain, strict=True)
            for y, plain in pairs:
                assert type(y) is type(plain)
                assert np.asarray(y).tobytes() == np.asarray(plain).tobytes()


def test_other_dtypes():
    """Numbers of single precision are NumPy's, also where the same program was generated for double ones."""
    c = compiled(grad(distances), strict=True)
    for dtype in (np.float64, np.float32, np.float64):
        x = POINTS[0].astype(dtype)
        assert np.array_equal(c(x), grad(distances)(x))
        assert c(x).dtype == grad(distances)(x).dtype


def test_source():
    """A list is made where it saves time, and first sums are no sums."""
    source = compiled(grad(distances)).source(POINTS[0])
    assert "x_numbers = x.tolist()" in source
    assert "x_numbers[3] - TARGET_numbers[3]" in source
    assert "+= " not in source
    few, single, doubled = (lambda x: x[0] * x[1]), POINTS[0].astype(np.float32), compiled(grad(twice))
    for text in (compiled(grad(few)).source(POINTS[0]), compiled(grad(distances)).source(single)):
        assert "tolist" not in text
    assert "+= " in doubled.source(POINTS[0])


def test_variants():
    """Another decision goes on with NumPy's numbers."""
    c = agrees(one_of_them, [(0.1 * POINTS[0],), (3.0 * POINTS[0],), (POINTS[1],)])
    assert len(c.variants) == 2
    for x in (0.1 * POINTS[0], 3.0 * POINTS[0]):
        assert type(c(x)) is np.float64
