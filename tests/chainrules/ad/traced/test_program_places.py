"""The lines of the program, found among the frames of those that it called."""

import sys

import numpy as np

from chainrules.ad.traced.program_places import place_in_program

X = np.array([1.0, 2.0])


def test_places():
    """The nearest frame that is the program's, of a library's frame too; without a frame nothing is known."""
    assert place_in_program(None) == ""
    assert "test_program_places.py:" in place_in_program(sys._getframe())
    seen = []
    np.apply_along_axis(lambda row: seen.append(place_in_program(sys._getframe(1))) or 0.0, 0, X)
    assert "test_program_places.py:" in seen[0]
    assert "np.apply_along_axis" in seen[0]
