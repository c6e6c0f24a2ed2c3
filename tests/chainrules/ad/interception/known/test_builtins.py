"""What functions hand on are the very objects that they were given."""

import math
import operator
import zlib

import numpy as np
import pytest

from chainrules.ad import grad, profile
from chainrules_core import RuleNotFoundError
from tests.chainrules.ad.interception.programs_that_hand_objects_on import PROGRAMS_THAT_HAND_OBJECTS_ON
from tests.chainrules.ad.writing.programs import check_program


@pytest.mark.parametrize("program", PROGRAMS_THAT_HAND_OBJECTS_ON, ids=lambda f: f.__name__)
def test_programs(program):
    """Assigned to, they change for all who hold them."""
    check_program(lambda x, _: program(x), np.array([0.7, 1.3, 2.1]))


@pytest.mark.parametrize("f", [max, min])
@pytest.mark.parametrize("pack", [lambda *xs: list(xs), lambda *xs: xs, lambda *xs: iter(xs)])
def test_extrema_of_equal_numbers(f, pack):
    """They share the derivative in a container as they do one by one."""
    assert grad(lambda a, b: f(pack(a, b)), (0, 1))(2.0, 2.0) == (0.5, 0.5)
    assert grad(lambda a, b: f(a, b), (0, 1))(2.0, 2.0) == (0.5, 0.5)
    assert grad(lambda a: f(pack(a, True)))(1.0) == grad(lambda a: f(pack(a, 1.0)))(1.0) == 0.5


@pytest.mark.parametrize("pack", [list, tuple])
def test_sums_of_numbers(pack):
    """By one rule; where one item has methods of its own, item by item."""

    class Doubled:
        def __radd__(self, other):
            return 2.0 * other

    def calls(f):
        return {row.function: row.calls for row in profile(f, 2.0).rows}

    assert calls(lambda x: sum(pack([x, 1.0, x]))) == {"sum": 1}
    assert "sum" not in calls(lambda x: sum(pack([x, Doubled()])))


def test_sums_of_what_an_object_of_the_users_yields():
    """Its own functions are entered, also where the start is an array."""

    class Sines:
        def __init__(self, x):
            self.x = x

        def __iter__(self):
            return iter([math.sin(self.x), math.sin(2.0 * self.x)])

    slope = math.cos(0.7) + 2.0 * math.cos(1.4)
    assert grad(lambda x: sum(Sines(x)))(0.7) == pytest.approx(slope)
    assert grad(lambda x: np.sum(sum(Sines(x), np.ones(2))))(0.7) == pytest.approx(2.0 * slope)

    class Lists(Sines):
        def __iter__(self):
            return iter([[y] for y in super().__iter__()])

    lists = grad(lambda x: sum(Lists(x), [])[1])(0.7)  # noqa: RUF017 - two lists, to see what `sum` does
    assert lists == pytest.approx(2.0 * math.cos(1.4))


def test_calls_without_arguments():
    """The errors are Python's."""
    for wrong in (operator.add, sum, max, operator.call):
        with pytest.raises(TypeError, match="argument"):
            grad(lambda x, wrong=wrong: x * wrong())(1.0)


@pytest.mark.parametrize(
    "read",
    [lambda b: np.frombuffer(bytes(b)), lambda b: np.asarray(memoryview(b)), lambda b: zlib.crc32(b) / 1e9],
)
def test_memory(read):
    """That of an array which depends on nothing is read as always; else its derivative would be lost."""

    def program(x):
        b = np.zeros(3)
        b[0] = 2.0
        return np.sum(read(b)) * x

    assert grad(program)(3.0) == pytest.approx(program(1.0))
    with pytest.raises((TypeError, RuleNotFoundError), match=r"bytes|lose its derivative"):
        grad(lambda x: np.sum(read(x)))(np.ones(2))
