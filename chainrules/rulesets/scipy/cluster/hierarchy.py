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


composed_rule(hierarchy.linkage, _linked)
composed_rule(hierarchy.cophenet, _cophenetic)

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
