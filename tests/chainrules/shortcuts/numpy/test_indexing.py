"""Calls of the shortcut of taking elements."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def takes():
    """With indices that are arrays, numbers and lists, along an axis, from either end, and out of range."""
    indices = [np.array([2, 0, 2]), np.array([[-1, 1]]), np.array([], dtype=int), 1, [0, 1], np.array([9])]
    return [
        *(Call((x, (index,), {})) for x in arrays((4,), (3, 4)) for index in indices),
        *(Call((x, (index, axis), {})) for x in arrays((3, 4)) for index in indices for axis in (0, 1, -1)),
        Call((np.ones(4), (np.array([5]), None, None, "wrap"), {})),
        Call((np.ones(4), (np.array([5]),), {"mode": "clip"})),
    ]


CALLS = {"chainrules.shortcuts.numpy.indexing.take_from_array": takes}
