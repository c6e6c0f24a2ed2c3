"""The short way of magnitudes."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, cotangents, variants


def calls():
    """Of arrays and numbers, with undefined elements and cotangents of all kinds."""
    found = []
    for x in [*variants(), np.array([np.nan, 1.0, -2.0]), 0.25, np.float64(-2.0)]:
        with np.errstate(all="ignore"):
            y = np.absolute(x)
        found += [Call((x, y, y_bar)) for y_bar in cotangents(y)[:-4]]
    return found


CALLS = {"chainrules.shortcuts.numpy.magnitudes.cotangent_by_sign": calls}
