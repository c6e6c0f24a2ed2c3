"""Calls of the shortcuts of other shapes."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def reshapes():
    """By numbers, tuples and lists of them, in other orders; and shapes that do not fit."""
    shapes = (-1, 12, (3, 4), [4, 3], (2, -1), (0,), np.int64(4), (5,))
    return [
        *(Call((np.reshape, x, shape)) for x in arrays((12,), (3, 4), (0,)) for shape in shapes),
        *(Call((np.reshape, x, ())) for x in arrays((), (1,))),
        *(Call((np.reshape, x, (6, 2), order)) for x in arrays((3, 4)) for order in "CFA"),
        Call((np.reshape, np.ones(4), (2, 2)), {"order": "F"}),
    ]


def ravels():
    """As elements follow each other row by row, and in other orders."""
    return [
        *(Call((np.ravel, x)) for x in arrays((4,), (3, 4), (2, 3, 2), (), (2, 0))),
        *(Call((np.ravel, x, order)) for x in arrays((3, 4)) for order in "CFK"),
        Call((np.ravel, np.ones((2, 2))), {"order": "F"}),
    ]


CALLS = {
    "chainrules.shortcuts.numpy.shapes.reshape_of_array": reshapes,
    "chainrules.shortcuts.numpy.shapes.ravel_of_array": ravels,
}
