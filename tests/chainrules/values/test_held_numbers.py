"""The numbers that closures, objects and containers hold, as vectors."""

import numpy as np

from chainrules.values.held_numbers import as_vector, cotangent_with, from_vector, part_at, places_in
from chainrules_core import NotImplementedTangent, Tangent, ZeroTangent, not_implemented


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
