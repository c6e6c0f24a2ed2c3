"""Calls of the shortcuts of functions that add and remove axes."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def expansions():
    """One axis, or several; and an axis that there would not be."""
    return [
        *(Call((np.expand_dims, x, axis)) for x in arrays() for axis in (0, -1, (0, 1), 7)),
        Call((np.expand_dims, np.ones(3)), {"axis": 0}),
    ]


def squeezes():
    """All axes of length 1, or some; and an axis that is longer."""
    shapes = ((1, 4), (3, 1, 2), (), (4,), (1, 0))
    return [
        *(Call((np.squeeze, x)) for x in arrays(*shapes)),
        *(Call((np.squeeze, x, axis)) for x in arrays((1, 4), (3, 1, 2)) for axis in (0, 1, (0,))),
        Call((np.squeeze, np.ones((1, 3))), {"axis": 0}),
    ]


CALLS = {
    "chainrules.shortcuts.numpy.dimensions.expand_dims_of_array": expansions,
    "chainrules.shortcuts.numpy.dimensions.squeeze_of_array": squeezes,
}
