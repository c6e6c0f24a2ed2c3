"""Rules for the distances of points that broadcast, and of all pairs of points, by the metric of Minkowski.

See `chainrules.numerics.distances`, which says what is taken in kinks.
"""

import numpy as np
from scipy.spatial import distance_matrix, minkowski_distance, minkowski_distance_p

from chainrules.makers.composed_rules import composed_rule
from chainrules.numerics import distances


def _distance(x, y, p=2.0):
    return lambda x, y, p=p: distances.minkowski(*_in_double(x, y), p)


def _power(x, y, p=2.0):
    return lambda x, y, p=p: distances.minkowski_powers(*_in_double(x, y), p)


def _of_all_pairs(x, y, p=2.0, threshold=1_000_000):
    def composition(x, y, p=p):
        x, y = _in_double(x, y)
        return distances.minkowski(x[:, np.newaxis], y[np.newaxis], p)

    return composition


def _in_double(x, y):
    return x * np.float64(1.0), y * np.float64(1.0)


composed_rule(minkowski_distance, _distance, 3)
composed_rule(minkowski_distance_p, _power, 3)
composed_rule(distance_matrix, _of_all_pairs, 3)
