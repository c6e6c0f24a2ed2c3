"""Places of elements, and the way back to them."""

import numpy as np

from chainrules.formulas.arrays.places import (
    places_in,
    places_in_several,
    returned,
    returned_to_several,
    zeros_like,
)
from chainrules.values.several_arrays import shapes_of
from chainrules_core import ZeroTangent


def test_places():
    """Elements that are picked several times add cotangents; those never picked get zero."""
    places = places_in((2, 2))
    assert places.tolist() == [[0, 1], [2, 3]]
    y_bar = np.array([1.0, 2.0, 4.0], dtype=np.float32)
    x_bar = returned(y_bar, (2, 2), places[[0, 0, 1], [1, 1, 0]])
    np.testing.assert_array_equal(x_bar, [[0, 3], [4, 0]])
    assert x_bar.dtype == np.float32
    assert returned(np.ones(2), (0, 2), np.zeros(2, dtype=int)).shape == (0, 2)
    assert zeros_like(y_bar, (2, 3)).dtype == np.float32


def test_places_in_several():
    """Each element of each array has a place of its own."""
    shapes = shapes_of([1.5, np.ones((2, 1)), np.ones(0), np.ones(2)])
    places = places_in_several(shapes)

    assert [place.tolist() for place in places] == [0, [[1], [2]], [], [3, 4]]
    bars = returned_to_several(np.array([5.0, 7.0]), shapes, np.array([4, 1]))
    np.testing.assert_array_equal(bars[0], 0.0)
    np.testing.assert_array_equal(bars[1], [[7.0], [0.0]])
    np.testing.assert_array_equal(bars[2], [])
    np.testing.assert_array_equal(bars[3], [0.0, 5.0])


def test_zeros_stay_zeros():
    """A cotangent that is zero is zero in every place, whatever the shape."""
    zero = ZeroTangent()

    assert returned(zero, (2, 2), places_in((2, 2))) is zero
    assert returned_to_several(zero, [(2,), (3,)], np.arange(5)) == [zero, zero]
