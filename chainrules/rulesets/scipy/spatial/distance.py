"""Rules for distances of vectors, and of all pairs of points: the compositions that their definitions are.

See `chainrules.numerics.distances`, which says what is taken in kinks. Calls with metrics of the user, or
with numbers that have derivatives by keyword, are left to SciPy's code. A cosine is not clipped: rounding
would decide whether it had a derivative.
"""

import functools

import numpy as np
from scipy.spatial import distance

from chainrules.makers.composed_rules import composed_rule
from chainrules.makers.versions import present
from chainrules.numerics import distances

# --- Of two vectors --------------------------------------------------------------------------------------


def _weighted(metric):
    return lambda u, v, w=None: metric


def _minkowski(u, v, p=2, w=None):
    return lambda u, v, p=p, w=w: distances.minkowski(u, v, p, w)


def _correlation(u, v, w=None, centered=True):
    return functools.partial(distances.correlation, centered=centered)


def _by_variances(u, v, V):
    return distances.seuclidean


def _by_inverse_covariance(u, v, VI):
    return distances.mahalanobis if np.ndim(VI) == 2 else None


def _divergence(p, q, base=None, *, axis=0, keepdims=False):
    return lambda p, q, base=base: distances.jensenshannon(p, q, base, axis, keepdims)


_WITH_PARAMETERS = {"minkowski", "correlation", "seuclidean", "mahalanobis", "jensenshannon"}
for _name, _metric in (distances.BY_NAME | distances.OF_TRUTH_VALUES).items():
    if _name not in _WITH_PARAMETERS:
        for _function in present(distance, _name):
            composed_rule(_function, _weighted(_metric), 3)
composed_rule(distance.minkowski, _minkowski, 4)
composed_rule(distance.correlation, _correlation, 3)
composed_rule(distance.seuclidean, _by_variances, 3)
composed_rule(distance.mahalanobis, _by_inverse_covariance, 3)
composed_rule(distance.jensenshannon, _divergence, 3)

# --- Of all pairs ----------------------------------------------------------------------------------------


def _between(XA, XB, metric="euclidean", *, out=None, p=None, w=None, V=None, VI=None):  # noqa: PLR0913 - as many as the metrics have
    name = distances.name_of(metric)
    if name is None or out is not None:
        return None
    return functools.partial(distances.between, name=name, p=p, w=w, V=V, VI=VI)


def _among(X, metric="euclidean", *, out=None, p=None, w=None, V=None, VI=None):  # noqa: PLR0913 - as many as the metrics have
    name = distances.name_of(metric)
    if name is None or out is not None:
        return None
    return functools.partial(distances.among, name=name, p=p, w=w, V=V, VI=VI)


composed_rule(distance.cdist, _between, 2)
composed_rule(distance.pdist, _among)


def _rearranged(X, force="no", checks=True):
    if np.ndim(X) == 2:
        above = np.triu_indices(np.shape(X)[0], 1)
        return lambda X: X[above]
    if np.size(X) == 0:
        return None
    order = round((1.0 + np.sqrt(1.0 + 8.0 * np.size(X))) / 2.0)
    places = np.zeros((order, order), int)
    places[np.triu_indices(order, 1)] = np.arange(np.size(X))
    places += places.T
    return lambda X: np.where(np.eye(order, dtype=bool), 0.0, X[places])


def _farthest(u, v, rng=0, seed=0):
    _, i, j = distance.directed_hausdorff(u, v)
    return lambda u, v: (distances.euclidean(u[i], v[j]), i, j)


composed_rule(distance.squareform, _rearranged)
composed_rule(distance.directed_hausdorff, _farthest, 2)
