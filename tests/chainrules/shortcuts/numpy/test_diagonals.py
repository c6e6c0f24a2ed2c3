"""Calls of the shortcut of traces."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def traces():
    """Of matrices of all shapes, of stacks, and with options."""
    return [
        *(Call((np.trace, x)) for x in arrays((3, 3), (3, 4), (4, 3), (0, 0), (2, 0), (2, 3, 3), (4,))),
        Call((np.trace, np.ones((3, 3)), 1)),
        Call((np.trace, np.ones((3, 3))), {"dtype": float}),
    ]


CALLS = {"chainrules.shortcuts.numpy.diagonals.trace_of_matrix": traces}
