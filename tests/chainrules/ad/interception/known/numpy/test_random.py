"""A random generator shuffles a traced array as it would a plain one."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.writing.programs import check_program

WEIGHTS = np.arange(9.0).reshape(3, 3)


@pytest.mark.parametrize(
    "shuffle",
    [
        lambda y: np.random.default_rng(3).shuffle(y),
        lambda y: np.random.default_rng(3).shuffle(y, axis=1),
        lambda y: np.random.default_rng(3).shuffle(y[1]),
        lambda y: np.random.default_rng(3).shuffle(y[:, 1:]),
        lambda y: np.random.RandomState(3).shuffle(y),
        lambda y: np.random.RandomState(3).shuffle(y[0]),
    ],
)
def test_shuffling(shuffle):
    """Rows, columns, parts; the order is that of NumPy."""

    def program(x, fill):
        y = np.outer(x, x**2)
        shuffle(y)
        z = fill(np.zeros((3, 3)))
        z[0] = x
        shuffle(z)
        return np.sum(y * WEIGHTS) + np.sum(z**2 * WEIGHTS)

    check_program(program)


def test_the_generator_goes_on():
    """What it draws afterwards is what it would; what is not traced is shuffled as it is."""

    def f(x):
        rng, other = np.random.default_rng(0), np.random.default_rng(0)
        y, plain, items = x * x, np.arange(3), [1, 2, 3]
        rng.shuffle(y)
        rng.shuffle(items)
        other.shuffle(plain)
        other.shuffle([1, 2, 3])
        assert rng.random() == other.random()
        return y[0]

    assert np.count_nonzero(grad(f)(np.array([1.0, 2.0, 3.0]))) == 1
