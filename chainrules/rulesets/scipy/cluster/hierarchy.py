"""Rules for hierarchical clustering: the distances of the clusters that are merged, one after the other.

Which clusters are merged stays the same where points move a little. Then the distance of two of them is that
of two points, a mean, or the root of a quadratic form of distances: F. Murtagh and P. Contreras, "Algorithms
for hierarchical clustering: an overview", WIREs Data Mining and Knowledge Discovery 2 (2012). Several pairs
of points that are as near, or as far, share a minimum or a maximum.
"""

import operator

import numpy as np
import scipy.sparse
from scipy.cluster import hierarchy
from scipy.spatial.distance import num_obs_y, pdist

from chainrules.formulas.calls.compositions import Part
from chainrules.makers.composed_rules import Computed, composed_rule
from chainrules.numerics import distances
from chainrules_core import non_differentiable


def _linked(y, method="single", metric="euclidean", optimal_ordering=False):
    name = distances.name_of(metric)
    if np.ndim(y) == 2 and name is None:
        return None
    Z = hierarchy.linkage(y, method, metric, optimal_ordering)
    given = y if np.ndim(y) == 1 else pdist(y, name)
    of_squares = method in {"ward", "centroid", "median"}
    shares = _shares(Z, given, method)

    def composition(y):
        d = y * np.float64(1.0) if len(y.shape) == 1 else distances.among(y, str(name))
        heights = distances.root(_product(shares, d * d)) if of_squares else _product(shares, d)
        return heights[:, np.newaxis] * np.array([0.0, 0.0, 1.0, 0.0])

    return Computed(composition, Z)


def _product(A, x):
    """The product of a sparse matrix and a part of a composition."""
    return x.run(operator.matmul, (A, x), {}) if isinstance(x, Part) else A @ x


def _shares(Z, given, method):
    """The sparse matrix from the distances of points, or their squares, to those of clusters, or theirs.

    A cluster is a vector of the shares that points have in its centre.
    """
    n = num_obs_y(given)
    clusters = list(np.eye(n))
    rows = []
    first, second = np.triu_indices(n, 1)
    for a, b, _, _ in Z:
        u, v = clusters[int(a)], clusters[int(b)]
        sizes = np.count_nonzero(u), np.count_nonzero(v)
        is_between = (u[first] * v[second] + v[first] * u[second]) > 0
        if method in {"single", "complete"}:
            extreme = (np.min if method == "single" else np.max)(given[is_between])
            chosen = is_between & (given == extreme)
            row = chosen / np.sum(chosen)
        elif method in {"average", "weighted"}:
            row = u[first] * v[second] + v[first] * u[second]
        else:
            row = -(u - v)[first] * (u - v)[second]
            row = row * (2.0 * sizes[0] * sizes[1] / sum(sizes) if method == "ward" else 1.0)
        rows.append(scipy.sparse.csr_array(row[np.newaxis]))
        share = 0.5 if method in {"weighted", "median"} else sizes[0] / sum(sizes)
        clusters.append(share * u + (1.0 - share) * v)
    return scipy.sparse.vstack(rows, format="csr")


def _cophenetic(Z, Y=None):
    if Y is not None:
        return None
    by_number = np.column_stack([Z[:, :2], np.arange(len(Z)), Z[:, 3]])
    places = hierarchy.cophenet(by_number).astype(int)
    return lambda Z: Z[:, 2][places]


def _below(Z, depth):
    """For each merger a row with ones for itself and those that made its clusters, so many steps down."""
    n = len(Z) + 1
    steps = np.zeros((n - 1, n - 1))
    for i, pair in enumerate(Z[:, :2].astype(int)):
        for below in pair[pair >= n] - n:
            steps[i] = np.maximum(steps[i], steps[below] - 1.0)
        steps[i, i] = depth
    return np.where(steps > 0.0, 1.0, 0.0)


def _inconsistent(Z, d=2):
    R, members = hierarchy.inconsistent(Z, d), _below(Z, max(d, 1))
    counts = np.sum(members, axis=1, keepdims=True)
    columns = np.eye(4)

    def composition(Z):
        h = Z[:, 2:3]
        mean = members @ h / np.maximum(counts, 1.0)
        apart = members * (h[:, 0] - mean)
        squares = np.sum(apart * apart, axis=1, keepdims=True) / np.maximum(counts - 1.0, 1.0)
        deviation = np.where(R[:, 1:2] > 0.0, distances.root(squares), 0.0)
        coefficient = np.where(R[:, 1:2] > 0.0, (h - mean) / np.where(R[:, 1:2] > 0.0, deviation, 1.0), 0.0)
        return mean * columns[0] + deviation * columns[1] + coefficient * columns[3]

    return Computed(composition, R)


def _shares_of_largest(Z, x):
    """The matrix that takes the largest of the numbers of all mergers below; equal ones share it."""
    members = _below(Z, len(Z) + 1)
    is_largest = (members > 0.0) & (x == np.max(np.where(members > 0.0, x, -np.inf), axis=1, keepdims=True))
    return is_largest / np.sum(is_largest, axis=1, keepdims=True)


def _largest_distances(Z):
    shares = _shares_of_largest(Z, Z[:, 2])
    return lambda Z: shares @ Z[:, 2]


def _largest_statistic(Z, R, i=3):
    shares = _shares_of_largest(Z, R[:, i])
    return lambda Z, R: shares @ R[:, i]


def _largest_coefficient(Z, R):
    return _largest_statistic(Z, R)


def _ordered(Z, y, metric="euclidean"):
    # Clusters change their sides, and not their distances.
    return lambda Z, y: Z[:, 2:3] * np.array([0.0, 0.0, 1.0, 0.0])


def _from_mlab(Z):
    return (lambda Z: Z * np.float64(1.0) @ np.eye(3, 4)) if np.ndim(Z) == 2 and len(Z) else None


composed_rule(hierarchy.linkage, _linked)
composed_rule(hierarchy.cophenet, _cophenetic)
composed_rule(hierarchy.inconsistent, _inconsistent)
composed_rule(hierarchy.maxdists, _largest_distances)
composed_rule(hierarchy.maxinconsts, _largest_coefficient, 2)
composed_rule(hierarchy.maxRstat, _largest_statistic, 2)
composed_rule(hierarchy.optimal_leaf_ordering, _ordered, 2)
composed_rule(hierarchy.from_mlab_linkage, _from_mlab)

non_differentiable(
    *(
        hierarchy.cut_tree,
        hierarchy.fcluster,
        hierarchy.fclusterdata,
        hierarchy.leaders,
        hierarchy.leaves_list,
    ),
    *(hierarchy.is_isomorphic, hierarchy.is_monotonic, hierarchy.is_valid_im, hierarchy.is_valid_linkage),
    *(hierarchy.num_obs_linkage, hierarchy.correspond),
)
