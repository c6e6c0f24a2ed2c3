"""Tests of `chainrules_core.structured.positions`."""

import numpy as np
import pytest

from chainrules_core.structured.positions import is_position, positions


@pytest.mark.parametrize(
    "key", [0, -1, np.int8(2), slice(None), slice(3, 0, -2), [0, 2], np.array([True] * 4)]
)
def test_positions_are_those_of_numpy(key):
    """A key selects the same positions as from an array of integers in NumPy."""
    assert is_position(key)
    np.testing.assert_array_equal(positions(key, 4), np.arange(4)[key])


@pytest.mark.parametrize("key", [None, ..., True, np.True_, [[0]], 1.0, "a", [0.5]])
def test_other_keys(key):
    """New axes, dots, masks of a whole matrix and arrays of more axes are no positions in one axis."""
    assert not is_position(key)


@pytest.mark.parametrize("key", [4, -5, np.int8(4)])
def test_out_of_bounds(key):
    """The error says how many there are."""
    with pytest.raises(IndexError, match=rf"^index {key} is out of bounds for an axis of length 4"):
        positions(key, 4)


def test_selections_out_of_bounds():
    """The error is NumPy's."""
    with pytest.raises(IndexError, match="out of bounds"):
        positions([4], 4)
