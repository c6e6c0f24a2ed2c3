"""`np.broadcast` of traced arrays, beside NumPy's own of plain ones."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.writing.programs import check_program


def items(x, fill):
    """A program."""
    pairs = np.broadcast(x, x[:2, np.newaxis] ** 2, 2.5)
    assert (pairs.shape, pairs.ndim, pairs.nd, pairs.size, pairs.numiter) == ((2, 3), 2, 2, 6, 3)
    total = sum(k * a * b * c for k, (a, b, c) in enumerate(pairs, 1))
    assert pairs.index == 6
    pairs.reset()
    return total + next(pairs)[1] ** 2


def iterators(x, fill):
    """A program."""
    left, right = np.broadcast(x, [x[0], x[1] ** 2, 3.0]).iters
    return sum(a * b for a, b in zip(left, right, strict=True))


def filled(x, fill):
    """A program."""
    other = np.ones((2, 1))
    y = np.empty(np.broadcast(x, other).shape)
    y.flat = [a * b for a, b in np.broadcast(x, other)]
    return np.sum(y**3)


@pytest.mark.parametrize("program", [items, iterators, filled])
def test_programs(program):
    """Shapes, places and items."""
    check_program(program)


def test_plain_arrays():
    """They are NumPy's."""

    def f(x):
        pairs = np.broadcast(np.arange(3), 2)
        assert type(pairs) is np.broadcast
        return x * sum(int(a) * int(b) for a, b in pairs)

    assert grad(f)(1.0) == 6.0
