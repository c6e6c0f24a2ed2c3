"""Which arrays are the same memory, and where their elements stand."""

import numpy as np

from chainrules.ad.traced.places_in_memory import is_same_memory, places_in_memory

MATRIX = np.arange(6.0).reshape(2, 3) + 0.5


def test_the_same_memory():
    """The same elements in the same order, of the same dtype."""
    x = MATRIX.copy()
    assert is_same_memory(x, x)
    assert is_same_memory(x, x[:])
    for other in (x.copy(), x[:1], x[1:], x.ravel(), x[::-1], x.view(np.int64), x.tolist(), 1.0):
        assert not is_same_memory(x, other)
        assert not is_same_memory(other, x)


def test_places():
    """Eight bytes apart in a row of an array, and in the order of the elements of a view."""
    places = places_in_memory(MATRIX)
    np.testing.assert_array_equal(np.diff(places.ravel()), 8)
    np.testing.assert_array_equal(places_in_memory(MATRIX.T[::-1]), places.T[::-1])
