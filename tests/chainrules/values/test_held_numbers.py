"""The numbers that closures, objects and containers hold, as vectors."""

import math

import numpy as np
import pytest

from chainrules.values.held_numbers import (
    as_vector,
    check_of_changes,
    cotangent_with,
    from_vector,
    part_at,
    places_in,
)
from chainrules_core import NoDerivativeError, NotImplementedTangent, Tangent, ZeroTangent, not_implemented


def closure(p, q, count):
    """A function that holds its arguments."""
    return lambda t: p * t + q[0] + count


F = closure(np.array([1.0, 2.0]), (1.0 + 2.0j, "text"), 3)


def test_places():
    """Floating point and complex numbers have places; whole numbers and text have none."""
    assert [(place.path, place.size) for place in places_in(F)] == [(("p",), 2), (("q", 0), 2)]
    assert places_in(np.sin) == []


def test_there_and_back():
    """A cotangent is a vector of real numbers, and is made of it again."""
    places = places_in(F)
    f_bar = Tangent[type(F)](q=Tangent[tuple](3.0 - 1.0j, ZeroTangent()))
    vector = as_vector(f_bar, places)
    np.testing.assert_array_equal(vector, [0.0, 0.0, 3.0, -1.0])
    parts = {
        places[0].path: from_vector(vector[:2], places[0]),
        places[1].path: from_vector(vector[2:], places[1]),
    }
    made = cotangent_with(F, f_bar, parts)
    np.testing.assert_array_equal(made.p, [0.0, 0.0])
    assert made.q[0] == 3.0 - 1.0j


def test_what_is_not_implemented():
    """It stays so where a sample says it; parts that a cotangent does not mention are zero."""
    sample = Tangent[type(F)](p=not_implemented("for this test"))
    assert isinstance(cotangent_with(F, sample, {("p",): 1.0}).p, NotImplementedTangent)
    assert part_at(sample, ("q", 0)) == ZeroTangent()
    assert cotangent_with(F, sample, {}).q == ZeroTangent()


@pytest.mark.parametrize("change", ["a", "b", "c", "d", "nothing"])
def test_changes_are_refused(change):
    """Items, attributes, arrays and variables; numbers that are NaN have not changed."""

    class Owner:
        k = 1

    owner, array, variable = Owner(), np.ones(3), 2.0
    owner.k, items = 1, {"x": [1, math.nan]}

    def f(t, default=array):
        return t * owner.k * items["x"][0] * default[0] * variable

    check = check_of_changes((f, 3.0), "foo")
    if change == "nothing":
        check()
        return
    if change == "a":
        owner.k = 2
    elif change == "b":
        items["x"][0] = 2
    elif change == "c":
        array[1] = 2.0
    else:
        variable = 3.0
    with pytest.raises(NoDerivativeError, match="foo: what its function holds was changed"):
        check()
