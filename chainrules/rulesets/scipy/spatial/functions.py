"""Rules for the distances of points that broadcast, and of all pairs of points, by the metric of Minkowski.

See `chainrules.numerics.distances`, which says what is taken in kinks.
"""

import numpy as np
import scipy.spatial

from chainrules.makers.composed_rules import composed_rule
from chainrules.makers.versions import present
from chainrules.numerics import distances


def _distance(x, y, p=2.0):
    return lambda x, y, p=p: distances.minkowski(_in_double(x), _in_double(y), p)


def _power(x, y, p=2.0):
    return lambda x, y, p=p: distances.minkowski_powers(_in_double(x), _in_double(y), p)


def _of_all_pairs(x, y, p=2.0, threshold=1_000_000):
    return lambda x, y, p=p: distances.minkowski(_in_double(x)[:, np.newaxis], _in_double(y)[np.newaxis], p)


def _in_double(x):
    return x * np.float64(1.0)


# SciPy 1.20 is to be without them.
_READINGS = {
    "minkowski_distance": _distance,
    "minkowski_distance_p": _power,
    "distance_matrix": _of_all_pairs,
}
for _name, _read in _READINGS.items():
    for _function in present(scipy.spatial, _name):
        composed_rule(_function, _read, 3)
