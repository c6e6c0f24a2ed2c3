"""Calls of the shortcuts of transposes."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def transposes():
    """Without axes, with positive and negative ones, as a tuple or a list; and wrong ones."""
    plain = [Call((np.transpose, x)) for x in arrays()]
    orders = (None, (1, 0), (-1, 0), (0, 1), [1, 0], (0, 0), (0,))
    return [
        *plain,
        *(Call((np.transpose, x, order)) for x in arrays((3, 4)) for order in orders),
        *(Call((np.transpose, x, (1, 2, 0))) for x in arrays((3, 4, 2), (0, 1, 2))),
        Call((np.transpose, np.ones((2, 3))), {"axes": (1, 0)}),
        Call((np.transpose, np.ones((2, 3)), (1, 0), None)),
    ]


def exchanges():
    """Of two axes, counted from either end; and of axes that there are not."""
    return [
        *(
            Call((np.swapaxes, x, *axes))
            for x in arrays((3, 4), (2, 3, 4), (2, 0))
            for axes in ((0, 1), (-1, 0), (1, 1), (0, 5))
        ),
        Call((np.swapaxes, np.ones((2, 3))), {"axis1": 0, "axis2": 1}),
        Call((np.swapaxes, np.ones((2, 3)), 0)),
    ]


CALLS = {
    "chainrules.shortcuts.numpy.transposes.transpose_of_array": transposes,
    "chainrules.shortcuts.numpy.transposes.swapaxes_of_array": exchanges,
}
