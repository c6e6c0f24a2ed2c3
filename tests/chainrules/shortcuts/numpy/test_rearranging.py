"""Calls of the shortcut of flips."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def flips():
    """Along all axes, along one or several; and along one that there is not."""
    return [
        *(Call((np.flip, x)) for x in arrays()),
        *(Call((np.flip, x, axis)) for x in arrays((3, 4)) for axis in (0, -1, (0, 1), None, 5)),
        Call((np.flip, np.ones(3)), {"axis": 0}),
    ]


CALLS = {"chainrules.shortcuts.numpy.rearranging.flip_of_array": flips}
