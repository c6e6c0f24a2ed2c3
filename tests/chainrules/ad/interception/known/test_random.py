"""Python's generators shuffle lists and arrays of a differentiated program as they do elsewhere."""

import random

import numpy as np

from chainrules.ad import grad
from tests.chainrules.ad.writing.programs import check_program

WEIGHTS = np.arange(1.0, 4.0)


def test_shuffling_an_array():
    """A vector, traced or made by the program; the order is that of the generator."""

    def program(x, fill):
        y, z = x * x, fill(np.zeros(3))
        z[1] = x[0]
        for array in (y, z):
            random.Random(3).shuffle(array)  # noqa: S311 - no secret
        return np.sum(y * WEIGHTS) + np.sum(z**2 * WEIGHTS)

    check_program(program)


def test_shuffling_a_list():
    """Of traced numbers: each keeps its derivative."""

    def f(x):
        items = [x[0], 2 * x[1], 3.0]
        random.Random(5).shuffle(items)  # noqa: S311 - no secret
        return sum(weight * item for weight, item in zip((1.0, 10.0, 100.0), items, strict=True))

    order = [0, 1, 2]
    random.Random(5).shuffle(order)  # noqa: S311 - no secret
    weights = {place: weight for weight, place in zip((1.0, 10.0, 100.0), order, strict=True)}
    np.testing.assert_array_equal(grad(f)(np.ones(2)), [weights[0], 2 * weights[1]])
