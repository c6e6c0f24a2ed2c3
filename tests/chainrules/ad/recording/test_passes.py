"""Dead and repeated operations are left out; writes, warnings and errors are not."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.variant import make_variant
from tests.chainrules.ad.recording.agreement import agrees

X = np.array([0.5, 2.0])


def lines(f, *args):
    """The lines of a generated program, without comments."""
    return [line.strip() for line in make_variant(f, args, {}).source.splitlines() if "#" not in line]


def test_dead_operations():
    """Those that nobody sees are left out; one that may warn or fail is not."""

    def f(x):
        np.transpose(x)
        np.log(x)
        np.linalg.inv(np.diag(x))
        return x + 1.0

    text = "\n".join(lines(f, X))
    assert "transpose" not in text
    assert "np.log" in text
    assert "np.linalg.inv" in text


def test_repeated_operations():
    """They are computed once, unless somebody wrote in between."""

    def f(x):
        y = np.sin(x) * np.sin(x)
        z = x * 1.0
        a = z * 2.0
        z[0] = 9.0
        b = z * 2.0
        return y, a, b

    text = "\n".join(lines(f, X))
    assert text.count("np.sin") == 1
    variant = make_variant(f, (X,), {})
    for got, plain in zip(variant.run([2 * X]), f(2 * X), strict=True):
        np.testing.assert_array_equal(got, plain)


def writes_nowhere(x):
    """There is no such position, in an array that nobody reads."""
    y, k = x * 1.0, np.sum(x > 0.6)
    try:
        y[k] = 1.0
    except IndexError:
        return np.sum(x * x)
    return np.sum(x)


def writes_for_nothing(x):
    """What is written is not read, but it raises."""
    y, z = x * 1.0, np.zeros(3, np.float32)
    with np.errstate(all="raise"):
        try:
            z[:] = x
            y *= x * 1e200
            np.add.at(y, [0, 0], 1e300)
        except FloatingPointError:
            return np.sum(x * x * x)
    return np.sum(x)


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("f", [writes_nowhere, writes_for_nothing])
def test_writes_that_raise(f, first):
    """They run, though nobody reads what is written."""
    points = [(np.array(x),) for x in ([0.5, 2.0, 1.0], [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [2.0, 1e200, -3.0])]
    for g in (f, grad(f)):
        agrees(g, points[first:] + points[:first], most_variants=8, strict=False, compare=False)


def test_writes_that_warn():
    """As above."""

    def f(x):
        y = x * 1.0
        y[1:] *= x[1:]
        return x * 2.0

    agrees(f, [(np.ones(3),), (np.full(3, 2.0),), (np.full(3, 1e200),)])
    assert any("*=" in line or "multiply" in line for line in lines(f, np.full(3, 1e100)))
