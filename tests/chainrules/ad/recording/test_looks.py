"""One look at a result stands for those on the way, and never misses what they would have found."""

import warnings

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.running import MISS, difference_between
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

X = np.array([0.5, -2.0, 3.0, 1.0])
ZEROS = np.array([0.0, 1.0, -1.0, 2.0])
MATRIX = np.arange(16.0).reshape(4, 4) - 7.5


def guards(f, x=X):
    """The number of decisions in the gradient's program, where nothing is assumed about numbers."""
    return make_variant(grad(f), (x,), {}, target="alone").guards


FUNCTIONS = {
    "a chain": lambda x: np.sum(np.sin(np.exp(x * x))),
    "products with zeros": lambda x: np.sum(np.exp(x) * ZEROS * x),
    "items": lambda x: x[0] * x[1] + x[1] * x[2] * x[2],
    "the same item": lambda x: x[0] * x[0] + x[0] * x[1],
    "parts that overlap": lambda x: np.sum(x[:3] * x[1:]) * x[0],
    "a scalar": lambda x: np.sin(np.sin(np.exp(x[0] * x[1]))),
    "a part is lost": lambda x: np.sum((x * x * x)[:2]),
    "a maximum": lambda x: np.max(np.exp(x) * x),
    "a power of zero": lambda x: np.sum((x * x) ** 0.0 * x),
    "a matrix": lambda x: np.sum(np.tanh(MATRIX @ (x * x))),
    "an empty sum": lambda x: np.sum(x[:, None] * np.zeros((4, 0))) + np.sum(x * x),
    "a filled array": lambda x: np.sum(np.multiply(x, x, out=np.ones(4)) * x),
    "an overwritten array": lambda x: _overwritten(x),
}


def _overwritten(x):
    y = np.zeros(4)
    y[1:3] = x[:2] * x[1:3]
    y[1] = x[3] * 2.0
    return np.sum(y * y)


NUMBERS = [0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, 1e300, -1e200, 1e-310]
POINTS = [
    np.array([a, b, 1.0, c]) for a, b, c in zip(NUMBERS, NUMBERS[3:] + NUMBERS, NUMBERS[5:] * 3, strict=False)
]
POINTS += [np.full(4, a) for a in NUMBERS] + [X.astype(np.float32) * 1e30]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results(name):
    """Recorded at one point and run at others, with zeros, infinities and NaN."""
    f = FUNCTIONS[name]
    c = compiled(grad(f), compare=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for x in [X, *POINTS, -X] * 2:
            assert difference_between(c(x), grad(f)(x)) is None


def test_numbers_of_looks():
    """A chain has one, whatever its length; so have items that are added into one array."""
    assert guards(FUNCTIONS["a chain"]) == guards(lambda x: np.sum(np.sin(x) * x)) == 1
    assert guards(lambda x: sum(v * v * np.sin(v) for v in x)) <= 9
    assert guards(FUNCTIONS["a scalar"]) <= 5


def test_zeros_of_numbers_within_bounds():
    """The same where no NaN is looked for, since there can be none; a product may be too small, too."""

    def chain(x):
        return np.sin(np.sin(np.sin(np.sin(x * x) * 1e-160)) * 1e-160)

    def shifted(x):
        return np.sin(np.sin(np.sin((x - 1.0) * (x - 1.0)) - x) * x)

    for f in (chain, shifted):
        points = [(x,) for x in (0.3, 1.0, 0.0, -0.0, 1e-170, -2.0, 1e3, np.nan)]
        for first in points:
            agrees(grad(f), [first, *points])
    source = make_variant(grad(lambda x: np.sin(np.sin(np.sin(np.sin(x))))), (0.3,), {}).source
    assert source.count("== 0") == 1


def test_zeros_of_numbers():
    """One number that is not zero says so of all that it is a multiple of."""

    def f(x):
        for _ in range(5):
            x = np.sin(x) * 2.0
        return x

    source = make_variant(grad(f), (0.5,), {}, target="alone").source
    assert source.count(" == 0:") == 1
    agrees(grad(f), [(0.5,), (0.0,), (np.pi,), (-2.0,)], strict=False)


def test_where_there_is_a_nan_anyway():
    """Then nothing is merged with the look at that result."""
    x = np.array([np.nan, 1.0, 2.0, 3.0])
    f = grad(lambda x: np.sum(np.sin(x) * x))
    variant = make_variant(f, (x,), {})
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(variant.run([x]), f(x))
        assert variant.run([X]) is MISS or np.array_equal(variant.run([X]), f(X))


def test_silenced_together():
    """Operations of pullbacks that would warn stand in one block, if the result says whether they did."""

    def f(x):
        y = np.tanh(MATRIX @ x)
        for _ in range(3):
            y = np.tanh(MATRIX @ y)
        return np.sum(y)

    def source():
        return make_variant(grad(f), (X,), {}, target="alone").source

    assert source().count("with ") == 1
    with np.errstate(under="warn"):
        assert source().count("with ") > 1
    agrees(grad(f), [(X,), *((x,) for x in POINTS)], strict=False)
