"""Values with parts: taking them apart and putting them together."""

import sys
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from chainrules.ad.structures import has_parts, parts_of, tangent_from_parts, with_parts, within
from chainrules_core import NoTangent, StructuralTangent, Tangent


class Named(NamedTuple):
    """A tuple with names."""

    a: float
    b: float


@dataclass
class Data:
    """A dataclass."""

    a: float
    b: float


@pytest.mark.parametrize("x", [(1.0, 2.0), [1.0, 2.0], {"a": 1.0, "b": 2.0}, Named(1.0, 2.0), Data(1.0, 2.0)])
def test_parts_make_the_value_again(x):
    """A value with other parts is of the same kind, and the parts are found in it."""
    doubled = with_parts(x, {key: 2 * part for key, part in parts_of(x).items()})

    assert has_parts(x)
    assert type(doubled) is type(x)
    assert list(parts_of(doubled).values()) == [2.0, 4.0]
    assert with_parts(x, parts_of(x)) == x


def test_closures_have_their_variables_as_parts():
    """A closure with other variables is the same code."""
    a = 1.0

    def f(x):
        return a * x

    assert parts_of(f) == {"a": 1.0}
    assert with_parts(f, {"a": 3.0})(2.0) == 6.0


@pytest.mark.parametrize(
    "x", [Tangent[tuple](1.0, 2.0), Tangent[Named](a=1.0, b=2.0), StructuralTangent[Data](a=1.0, b=2.0)]
)
def test_tangents_have_the_parts_of_their_primals(x):
    """The tangent of a tangent has the tangent's class, since tangents form a vector space."""
    doubled = with_parts(x, {key: 2 * part for key, part in parts_of(x).items()})

    assert has_parts(x)
    assert doubled == x + x
    assert tangent_from_parts(type(x), 2, parts_of(x)) == x


@pytest.mark.parametrize("x", [1.0, "text", None, np.ones(2), {1.0}, frozenset({1.0}), len])
def test_values_without_parts(x):
    """Numbers, arrays, strings and sets, which cannot be rebuilt, have no parts."""
    assert not has_parts(x)


def test_structural_tangents():
    """They have the form of the value; positions that are not given cannot be perturbed."""
    assert tangent_from_parts(tuple, 2, {1: 3.0}) == Tangent[tuple](NoTangent(), 3.0)
    assert tangent_from_parts(list, 2, {0: 3.0}) == Tangent[list](3.0, NoTangent())
    assert tangent_from_parts(dict, 2, {"a": 3.0}) == Tangent[dict]({"a": 3.0})
    assert tangent_from_parts(Named, 2, {"a": 3.0}) == Tangent[Named](a=3.0)
    assert tangent_from_parts(Data, 2, {"b": 3.0}) == StructuralTangent[Data](b=3.0)


def test_too_deep():
    """A value in too many others is refused by name, after Python's own limit."""
    holders = tuple(range(-sys.getrecursionlimit() // 5, 0))

    assert within([], holders[1:])[:-1] == holders[1:]
    with pytest.raises(RecursionError, match="A list is nested in more than 200 others"):
        within([], holders)
