"""Calls of the shortcut of sums by place."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def sums():
    """Of numbers at places that some share, and that some do not have."""
    return [
        *(Call((np.array([2, 0, 2, 1]), y_bar, (5,))) for y_bar in arrays((4,))),
        *(Call((np.array([[2, 0, 2, 1]] * 3), y_bar, (5,))) for y_bar in arrays((3, 4))),
        Call((np.array([], dtype=int), np.ones(0), (3,))),
    ]


CALLS = {"chainrules.shortcuts.numpy.interpolation.sums_of_vector": sums}
