"""Probabilities of Student's distribution of vectors below points: how they change with points and matrix.

With the point `b` from the location, the derivative by ``b_i`` is the density of the ``i``-th number at
``b_i``, times the probability of the rest given that number: with one degree of freedom more. By a number
``M_ij`` of the shape matrix it is the expectation of the normal one, ``∂²Φ/∂b_i∂b_j``, over the common scale:
``(1 + q/ν)^(-ν/2) / (2π √det)`` of both numbers, times the probability of the rest, whose scale that power
changes. The diagonal follows from ``P(D b, D M D) = P(b, M)``. A. Genz, F. Bretz, "Computation of
Multivariate Normal and t Probabilities", 2009, chapter 2; R. L. Plackett, Biometrika 41 (1954). All values
may be traced.
"""

from typing import Any

import numpy as np
from scipy import stats

from chainrules_core import primal_of, primitive

_DENSITY, _PROBABILITY = primitive(stats.rv_continuous.pdf), primitive(stats.rv_continuous.cdf)
_PROBABILITY_OF_VECTORS = primitive(type(stats.multivariate_t).cdf)


def slopes(b: Any, M: Any, df: Any) -> Any:
    """The derivatives by the points: an array of shape ``(k, n)`` like them.

    Parameters
    ----------
    b
        The points, of shape ``(k, n)``, from the location.
    M
        The shape matrix, of shape ``(n, n)``.
    df
        The degrees of freedom.
    """
    return np.stack([_slope(i, b, M, df) for i in range(len(M))], axis=-1)


def by_matrix(b: Any, M: Any, df: Any) -> Any:
    """The derivatives by the lower triangle, in which each pair stands once: of shape ``(k, n, n)``."""
    n, moved = len(M), np.where(np.isinf(primal_of(b)), 0.0, b) * slopes(b, M, df)
    pairs = {(i, j): _by_pair([i, j], b, M, df) for i in range(n) for j in range(i)}

    def row(i: int) -> Any:
        others = [(j, pairs[max(i, j), min(i, j)]) for j in range(n) if j != i]
        own = -(moved[:, i] + sum(M[i, j] * pair for j, pair in others)) / (2.0 * M[i, i])
        return np.stack([pairs[i, j] if j < i else own if j == i else 0.0 * own for j in range(n)], axis=-1)

    return np.stack([row(i) for i in range(n)], axis=-2)


def _slope(i: int, b: Any, M: Any, df: Any) -> Any:
    is_infinite, rest = np.isinf(primal_of(b[:, i])), [j for j in range(len(M)) if j != i]
    at, scale = np.where(is_infinite, 0.0, b[:, i]), np.sqrt(M[i, i])
    density = _DENSITY(stats.t, at / scale, df) / scale
    spread = np.sqrt((df + at**2 / M[i, i]) / (df + 1.0))
    weights = M[rest, i] / M[i, i]
    inner = (b[:, rest] - np.outer(at, weights)) / spread[:, None]
    below = _below(inner, M[np.ix_(rest, rest)] - np.outer(weights, M[rest, i]), df + 1.0)
    return np.where(is_infinite, 0.0, density * below)


def _by_pair(pair: list[int], b: Any, M: Any, df: Any) -> Any:
    is_infinite, rest = np.isinf(primal_of(b[:, pair])), [j for j in range(len(M)) if j not in pair]
    at, own, across = np.where(is_infinite, 0.0, b[:, pair]), M[np.ix_(pair, pair)], M[np.ix_(rest, pair)]
    spread = 1.0 + np.sum(at * np.linalg.solve(own, at.T).T, axis=-1) / df
    density = spread ** (-0.5 * df) / (2.0 * np.pi * np.sqrt(np.linalg.det(own)))
    weights = np.linalg.solve(own, across.T).T
    inner = (b[:, rest] - at @ weights.T) / np.sqrt(spread)[:, None]
    below = _below(inner, M[np.ix_(rest, rest)] - weights @ across.T, df)
    return np.where(np.any(is_infinite, axis=-1), 0.0, density * below)


def _below(b: Any, M: Any, df: Any) -> Any:
    """The probabilities below points; the random points of SciPy are the same each time."""
    n = len(M)
    if n == 0:
        return 1.0
    if n == 1:
        return _PROBABILITY(stats.t, b[:, 0] / np.sqrt(M[0, 0]), df)
    y = _PROBABILITY_OF_VECTORS(stats.multivariate_t, b, None, M, df, random_state=0)
    return np.reshape(y, (len(b),))
