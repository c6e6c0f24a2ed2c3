"""The short way of clipping."""

import itertools
from math import inf, nan

import numpy as np

from tests.chainrules.shortcut_checks import Call, cotangents, variants

BOUNDS = [(-0.5, 0.5), (None, 0.5), (0, None), (0.5, -0.5), (0.5, 0.5), (nan, 1.0), (-inf, inf), (None, None)]
BOUNDS += [(np.float64(-0.5), 1), (np.zeros(4), 1.0), (np.float32(0.0), 1.0)]


def calls():
    """Bounds in order and not, NaN, infinite, of other precision, and arrays of them."""
    found = []
    for x, (low, high) in itertools.product([*variants(), 0.25, np.float64(2.0)], BOUNDS):
        if low is high is None or np.iscomplexobj(x):
            y = x
        else:
            with np.errstate(all="ignore"):
                y = np.clip(x, low, high)
        found += [Call((y_bar, (y, x, low, high))) for y_bar in cotangents(y)[:-4]]
    return found


CALLS = {"chainrules.shortcuts.numpy.clipping.cotangent_within_numbers": calls}
