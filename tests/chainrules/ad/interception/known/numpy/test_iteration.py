"""`np.nditer` over a traced array, beside NumPy's own over a plain one."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.writing.programs import check_program


def in_the_order_of_memory(x, fill):
    """A program."""
    matrix = np.outer(x, x**2)
    return sum(k * v for k, v in enumerate(np.nditer(matrix.T))) + sum(
        k * v for k, v in enumerate(np.nditer(matrix, order="F"))
    )


def written(x, fill):
    """A program."""
    y, z = np.outer(x, x), fill(np.zeros((2, 2)))
    with np.nditer(y, op_flags=["readwrite"]) as items:
        for item in items:
            item[...] = 2.0 * item + x[0]
    with np.nditer(z, ["multi_index"], [["writeonly"]]) as items:
        for item in items:
            i, j = items.multi_index
            item[...] = x[i] * x[j + 1]
    return np.sum(y**2) + np.sum(z**2)


def by_hand(x, fill):
    """A program."""
    y, total = np.outer(x, x), 0.0
    items = np.nditer(y, flags=["multi_index"], op_flags=["readwrite"])
    while not items.finished:
        total = total + items[0] * items.multi_index[0] + items.value
        items[0] = items[0] * x[0]
        items.iternext()
    return total + np.sum(y**2)


@pytest.mark.parametrize("program", [in_the_order_of_memory, written, by_hand])
def test_programs(program):
    """Items, places, writes."""
    check_program(program)


def test_plain_arrays():
    """They are NumPy's."""
    plain = np.ones(2)

    def f(x):
        with np.nditer(plain, op_flags=["readwrite"]) as items:
            for item in items:
                item[...] = 3.0
        assert plain.tolist() == [3.0, 3.0]
        one, other = np.arange(3), np.ones(3, dtype=int)
        total = sum(int(a) * int(b) for a, b in np.nditer([one, other], ["refs_ok"], [["readonly"]] * 2))
        return x * total + sum(np.nditer(x * np.ones(())))

    assert grad(f)(1.0) == 4.0


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.nditer([x, x]),
        lambda x: np.nditer((x, np.ones(3))),
        lambda x: np.nditer(x, flags=["external_loop"]),
        lambda x: np.nditer(x, op_dtypes=[int]),
    ],
)
def test_refused(f):
    """What has several items at once."""
    with pytest.raises(TypeError, match=r"x\.flat"):
        grad(lambda x: sum(v for v in f(x)))(np.ones(3))


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
def test_programs_of_broadcasts(program):
    """Shapes, places and items."""
    check_program(program)


def test_broadcasts_of_plain_arrays():
    """They are NumPy's."""

    def f(x):
        pairs = np.broadcast(np.arange(3), 2)
        assert type(pairs) is np.broadcast
        return x * sum(int(a) * int(b) for a, b in pairs)

    assert grad(f)(1.0) == 6.0
