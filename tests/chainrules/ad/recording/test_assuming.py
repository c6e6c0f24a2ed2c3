"""Values are looked at where that saves time, and what this makes needless is left out."""

import warnings

import numpy as np
import pytest

from chainrules.ad import compiled, grad, hvp, value_and_grad
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

X, Y = np.array([0.5, -2.0, 3.0, 1.0]), np.array([1.0, 0.0, 2.0, -1.0])
SCALES = [1.0, 100.0, 499.0, 501.0, 1e6, 1e29, 1e31, 1e154, 1e160, 1e300, np.inf, np.nan, 1e-300, 0.0]


def mean_square(x):
    """A loss."""
    return np.mean((x - Y) ** 2)


def source(f, *args):
    """The program for these arguments."""
    return make_variant(f, args, {}).source


def test_a_value_that_nobody_needs():
    """The loss is not computed, since its operands are too small for a warning; nor are there other looks."""
    text = source(grad(mean_square), X)
    assert "reduce" not in text
    assert "with " not in text
    assert text.count("return MISS") == 1
    assert "reduce" in source(value_and_grad(mean_square), X)


FUNCTIONS = {
    "a mean square": grad(mean_square),
    "exponentials": grad(lambda x: np.sum(np.log(np.sum(np.exp(x))) - x * Y)),
    "a bell": grad(lambda x: np.sum(np.sin(x) * np.exp(-x * x))),
    "logarithms": grad(lambda x: np.sum(np.logaddexp(0.0, x) - Y * np.log1p(x * x))),
    "a product with a Hessian": lambda x: hvp(lambda x: np.sum((x * x - Y) ** 2), x, Y),
    "items": grad(lambda x: sum((x[i] - 1.0) ** 2 for i in range(4))),
    "a filled array": grad(lambda x: np.sum(filled(x) ** 2)),
    "an inverse": grad(lambda x: np.sum(1.0 / (1.0 + x**2))),
    "a division": grad(lambda x: np.sum(x[:2] / x[2:])),
}


def filled(x):
    """An array that is written into."""
    y = np.zeros(5)
    y[1:] = x * x
    y[0] += x[1]
    np.add(y, 1.0, out=y)
    return y


@pytest.mark.every_case
@pytest.mark.parametrize("name", FUNCTIONS)
def test_at_all_sizes(name):
    """What is recorded for small numbers gives nothing else for large ones, nor other warnings."""
    agrees(FUNCTIONS[name], [(X,), *((X * scale,) for scale in SCALES), (-X,)], strict=False)


@pytest.mark.parametrize("scale", [1e3, 1e40])
def test_larger_numbers(scale):
    """They are recorded anew, once: for numbers up to 1e30, or of any size."""
    c = compiled(grad(mean_square))
    for x in (X, X, X * scale, X, X * scale * 2, X):
        np.testing.assert_array_equal(c(x), grad(mean_square)(x))
    assert len(c.variants) == 2
    assert ("1e+30" in c.source(X * scale)) == (scale == 1e3)


def test_captured_arrays():
    """They are looked at in each call, since anybody may write into them."""
    data = np.ones(4)
    c = compiled(grad(lambda x: np.sum(np.exp(data) * x * x)), compare=False)
    c(X)
    data[0] = 1000.0
    with pytest.warns(RuntimeWarning, match="overflow"):
        assert c(X)[0] == np.inf


def test_a_float():
    """One comparison is enough for it."""
    text = source(grad(lambda x: x * x * x + 2.0 * x), 1.5)
    assert text.count("if not -500.0 < x < 500.0:") == 1
    assert "!=" not in text


IN_SINGLE = {
    "exponentials": grad(lambda x: np.log(np.sum(np.exp(x)))),
    "a bell": grad(lambda x: np.sum(np.sin(x) * np.exp(-x * x))),
    "logarithms": grad(lambda x: np.sum(np.logaddexp(0.0, x) - np.log1p(x * x))),
    "a product with a Hessian": lambda x: hvp(lambda x: np.sum((x * x - 1.0) ** 2), x, x),
    "an inverse": grad(lambda x: np.mean(1.0 / (1.0 + x**2))),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", IN_SINGLE)
def test_single_precision_at_all_sizes(name):
    """Numbers in single precision are assumed to be smaller, and overflow earlier."""
    x = X.astype(np.float32)
    points = [
        (x * np.float32(scale),) for scale in (1.0, 2.6, 79.0, 81.0, 300.0, 9e3, 1.1e4, 1e10, 1e15, 1e19)
    ]
    points += [(x * np.float32(scale),) for scale in (1e37, np.inf, np.nan, 1e-20, 1e-38, 0.0)]
    agrees(IN_SINGLE[name], [*points, (-x,)], strict=False)
    assert "is_within(x, 80.0)" in source(IN_SINGLE[name], x)
    if name in ("a bell", "an inverse"):
        assert "is_within(x, 10000.0)" in source(IN_SINGLE[name], x * np.float32(50.0))


def test_complex_numbers():
    """Nothing is assumed about them."""
    x = X.astype(complex)
    agrees(grad(lambda x: np.sum(np.real(x * x))), [(x,), (x * 1e15,), (x * 1e30,)], strict=False)


def test_where_underflow_warns():
    """Nothing is left out then, since small numbers warn, too."""
    with np.errstate(under="warn"):
        assert "is_within" not in source(grad(mean_square), X)
        with warnings.catch_warnings(record=True):
            assert compiled(grad(mean_square))(X).shape == (4,)


def test_written_memory():
    """Sums of gradients in one array, element by element and as a whole, are bounded as their parts are."""

    def f(x):
        y = x[0] * x[1] + x[0] * x[2] + x[0]
        return y * np.sum(x * x)

    text = source(grad(f), X)
    assert "+= " in text
    assert "has_nan" not in text
    agrees(grad(f), [(X,), (X * 400.0,), (X * 1e160,)], strict=False)


def test_long_programs():
    """Bounds that grow from step to step are no bounds, and what is written down is as before."""

    def f(x):
        for _ in range(30):
            x = x * np.sum(x * x)
        return np.sum(x)

    agrees(grad(f), [(X * 0.2,), (X * 0.1,), (X * 1e3,)], strict=False)
