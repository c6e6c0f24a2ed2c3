"""Calls of reductions, for tests of their shortcuts."""

import numpy as np

from chainrules_core import NoTangent
from tests.chainrules.shortcut_checks import Call, arrays


def reduction_calls(*functions):
    """Each function of every kind of array: all elements, along axes, and with options."""
    calls = [Call((f, x)) for f in functions for x in arrays()]
    for x in arrays((3, 4), (0, 2)):
        if np.ndim(x) == 2:
            for f in functions:
                calls += [
                    Call((f, x, 0)),
                    Call((f, x, -1)),
                    Call((f, x, (0, 1))),
                    Call((f, x, None)),
                    Call((f, x), {"axis": 1, "keepdims": True}),
                    Call((f, x), {"axis": (1,)}),
                    Call((f, x), {"keepdims": True}),
                    Call((f, x, 1), {"keepdims": False}),
                    Call((f, x), {"axis": np.int64(1)}),
                    Call((f, x), {"axis": 2}),
                    Call((f, x, 0), {"axis": 0}),
                    Call((f, x), {"where": np.ones_like(x, dtype=bool), "initial": 1.0}),
                ]
    return calls


def whole_calls(f):
    """A function of every kind of array, without options, and a few with them."""
    return [Call((f, x)) for x in arrays()] + [Call((f, x), {"axis": 0}) for x in arrays((2, 3))]


def pushed(calls):
    """Calls of the forward rules of reductions, with tangents of every precision; options have none."""
    return [
        Call(((None, dot, *(NoTangent(),) * len(options)), f, x, *options), call.kwargs)
        for call in calls
        for f, x, *options in [call.args]
        if isinstance(x, np.ndarray)
        for dot in (np.ones_like(x), np.ones(x.shape, np.float32))
    ]
