"""The readers of `operator` read what the program itself reads: arrays to fill, computed attributes."""

import math
import operator

import numpy as np
import pytest

from tests.chainrules.ad.writing.programs import check_program

X = np.array([1.0, 2.0, 3.0])


class Point:
    """An array, and what is computed of it."""

    def __init__(self, a):
        self.a = a
        self.buffer = np.zeros(2)

    @property
    def sine(self):
        """By Python's `math`."""
        return math.sin(self.a[0])

    @property
    def inner(self):
        """Another point."""
        return Point(self.a * 2)

    def scaled(self, factor, *, shift=0.0):
        """With an option."""
        return math.exp(self.a[1]) * factor + shift

    def __getitem__(self, k):
        return math.cos(self.a[k])


def attribute(x):
    """The array itself is read."""
    point = Point(x * 2)
    getattr(point, "buffer")[0] = x[0]  # noqa: B009 - the function is tried
    operator.attrgetter("buffer")(point)[1] = x[1] ** 2
    return np.sum(point.buffer**2)


def computed_attributes(x):
    """Properties, nested ones too."""
    sine, nested = operator.attrgetter("sine", "inner.sine")(Point(x))
    return sine * nested + getattr(Point(x), "missing", 1.0)


def items(x):
    """Of tuples and dicts."""
    held = (x * 2, np.zeros(3), {"a": x**2})
    operator.getitem(held, 1)[0] = x[0]
    operator.itemgetter(1)(held)[1] = x[2]
    first, last = operator.itemgetter(0, 2)(held)
    return np.sum(held[1] ** 2) + np.sum(first * operator.itemgetter("a")(last))


def computed_items(x):
    """By a method in Python."""
    return operator.itemgetter(1)(Point(x)) * operator.getitem(Point(x), 2)


def methods(x):
    """With arguments of both kinds."""
    point = Point(x)
    scaled = operator.methodcaller("scaled", 2.0)(point)
    shifted = operator.methodcaller("scaled", 3.0, shift=x[2])(point)
    return scaled * shifted + sum(map(operator.methodcaller("sum"), [x, x**2]))


def sorted_by_an_item(x):
    """As keys, and given to `map`."""
    pairs = sorted(enumerate(x), key=operator.itemgetter(1), reverse=True)
    return sum(v * (i + 1) for i, v in map(operator.itemgetter(0, 1), pairs))


@pytest.mark.parametrize(
    "program", [attribute, computed_attributes, items, computed_items, methods, sorted_by_an_item]
)
def test_programs(program):
    """Values, both modes and second derivatives."""
    check_program(lambda x, fill: program(x), X)
