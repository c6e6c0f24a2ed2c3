"""Calls of the shortcuts of functions that join arrays."""

import functools

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays

FUNCTIONS = (np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack)
WITH_AXES = (np.concatenate, np.stack)


def joins(function):
    """Lists and tuples of arrays of one dtype or of several, in one shape or in several; along axes."""
    pairs = [[x, x] for x in arrays((4,), (3, 4), (), (0,), (2, 2, 3))]
    mixed = [[np.ones(4), x, np.ones(4)] for x in arrays((4,), (3,))]
    calls = [
        Call((function, xs)) for xs in (*pairs, *mixed, [], [np.ones(3)], [np.ones((2, 3)), np.ones((1, 3))])
    ]
    calls += [Call((function, tuple(xs))) for xs in pairs]
    calls += [Call((function, np.ones((2, 3)))), Call((function, [1.0, 2.0]))]
    if function in WITH_AXES:
        axes = (0, 1, -1, None, 7, np.int64(0))
        calls += [Call((function, [x, x], axis)) for x in arrays((3, 4)) for axis in axes]
        calls += [Call((function, [np.ones((3, 4))] * 2), {"axis": axis}) for axis in axes]
        calls += [
            Call((function, [np.ones(4)] * 2, 0), {"dtype": np.float32}),
            Call((function, [np.ones(4)] * 2), {"axis": 0, "out": np.empty(8)}),
        ]
    return calls


CALLS = {
    f"chainrules.shortcuts.numpy.joining.joining_of_arrays.{function.__name__}": functools.partial(
        joins, function
    )
    for function in FUNCTIONS
}
