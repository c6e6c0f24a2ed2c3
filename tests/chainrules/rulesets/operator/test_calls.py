"""The rules of `call` and of getters and callers, against finite differences."""

import math
import operator
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import ADConfig, grad
from chainrules_core import RuleNotFoundError, primitive, rrule
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.rule_checks import normal


@dataclass
class Line:
    """A line."""

    slope: float
    name: str = "line"

    def at(self, x, scale=1.0):
        """Its height."""
        return self.slope * x * scale


@dataclass
class Drawing:
    """What holds a line."""

    line: Line


def scaled(w):
    """A closure."""
    return lambda x: w * x * x


def test_call():
    """Of a function that has a rule, and of a closure, which gets a cotangent."""
    check_both_modes(operator.call, math.atan2, 1.5, 2.5)
    check_calling_back(operator.call, scaled(2.5), 1.5)
    check_calling_back(operator.call, scaled(2.5), normal(3))


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (operator.itemgetter(1), [1.5, 2.5]),
        (operator.itemgetter(1, 0, 1), (1.5, normal(2))),
        (operator.itemgetter(slice(0, 2)), normal(3)),
        (operator.itemgetter("a"), {"a": 1.5, "b": 2.5}),
        (operator.attrgetter("slope"), Line(1.5)),
        (operator.attrgetter("line.slope"), Drawing(Line(1.5))),
        (operator.attrgetter("real", "imag"), 1.5 + 2.5j),
        (operator.attrgetter("T"), normal(2, 3)),
    ],
)
def test_getters(f, x):
    """Items and attributes, attributes of attributes, several at once."""
    check_both_modes(f, x)


def test_a_getter_of_what_has_no_rule():
    """A property is computed by code that no rule knows."""
    with pytest.raises(RuleNotFoundError):
        rrule(operator.attrgetter("flat"), normal(3))


def test_methodcaller():
    """Methods of arrays and of objects, with options."""
    check_calling_back(operator.methodcaller("sum", axis=0), normal(2, 3))
    check_calling_back(operator.methodcaller("at", 1.5, scale=2.0), Line(2.5))
    config = ADConfig()
    assert rrule(config, operator.methodcaller("prod"), np.array([2.0, 3.0]))[1](1.0)[1].tolist() == [
        3.0,
        2.0,
    ]


def test_traced():
    """The rules are used by AD."""
    assert grad(lambda x: primitive(operator.call)(math.sin, x))(0.0) == 1.0
    assert grad(lambda x: primitive(operator.itemgetter(1))([x, 3 * x]))(2.0) == 3.0
