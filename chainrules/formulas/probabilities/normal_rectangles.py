"""Probabilities of rectangles under a normal distribution of vectors: how they change with limits and matrix.

With the limits ``a`` and ``b`` from the mean, the derivative by ``b_i`` is the density of the ``i``-th number
at ``b_i``, times the probability of the rest given that number: a rectangle of one dimension less. By the
matrix it is half of the second derivative by the mean, ``∂P/∂M = ∂²P/∂m∂mᵀ / 2``: R. L. Plackett, "A
reduction formula for normal multivariate integrals", Biometrika 41 (1954). All values may be traced.
"""

from typing import Any

import numpy as np
from scipy import special
from scipy.stats import multivariate_normal

from chainrules_core import primitive

_PROBABILITY = primitive(type(multivariate_normal).cdf)


def slopes(low: Any, high: Any, M: Any) -> tuple[Any, Any]:
    """The derivatives of the probability by the lower limits, with the opposite sign, and by the upper ones.

    Parameters
    ----------
    low, high
        Arrays of shape ``(k, n)``, for `k` rectangles; `low` is `None` where there are no lower limits.
    M
        The covariance matrix, of shape ``(n, n)``.
    """
    if low is None:
        return 0.0, np.stack([_on_face(i, high[:, i], low, high, M)[0] for i in range(len(M))], axis=-1)
    faces = [[_on_face(i, side[:, i], low, high, M)[0] for i in range(len(M))] for side in (low, high)]
    below, above = (np.stack(side, axis=-1) for side in faces)
    return below, above


def curvature(low: Any, high: Any, M: Any) -> Any:
    """The second derivatives of the probability by the mean: an array of shape ``(k, n, n)``."""
    sides = ((1.0, high),) if low is None else ((1.0, high), (-1.0, low))
    rows = [sum(sign * _row(i, limits[:, i], low, high, M) for sign, limits in sides) for i in range(len(M))]
    return np.stack(rows, axis=-2)


def _row(i: int, at: Any, low: Any, high: Any, M: Any) -> Any:
    """The derivative, by the mean, of the probability on the face where the `i`-th number is `at`."""
    probability, density, inner = _on_face(i, at, low, high, M)
    at = np.where(np.isinf(at), 0.0, at)
    if len(M) == 1:
        return (-at / M[0, 0] * probability)[:, None]
    below, above = slopes(*inner)
    moved = density[:, None] * (above - below)
    own = -(at * probability + moved @ np.delete(M[i], i)) / M[i, i]
    return np.insert(moved, i, own, axis=-1)


def _on_face(i: int, at: Any, low: Any, high: Any, M: Any) -> Any:
    """The density on a face, that of the `i`-th number alone, and the rectangle of the other numbers."""
    is_infinite = np.isinf(at)
    at = np.where(is_infinite, 0.0, at)
    density = np.exp(-0.5 * at**2 / M[i, i]) / np.sqrt(2.0 * np.pi * M[i, i])
    density = np.where(is_infinite, 0.0, density)
    column = np.delete(M[:, i], i)
    shift = at[:, None] * column / M[i, i]
    rest = np.delete(np.delete(M, i, axis=0), i, axis=1) - np.outer(column, column) / M[i, i]
    inner = (
        None if low is None else np.delete(low, i, axis=1) - shift,
        np.delete(high, i, axis=1) - shift,
        rest,
    )
    return density * _probability(*inner), density, inner


def _probability(low: Any, high: Any, M: Any) -> Any:
    if len(M) == 0:
        return 1.0
    if len(M) == 1:
        scale = np.sqrt(M[0, 0])
        below = 0.0 if low is None else special.ndtr(low[:, 0] / scale)
        return special.ndtr(high[:, 0] / scale) - below
    options = {} if low is None else {"lower_limit": low}
    return np.reshape(_PROBABILITY(multivariate_normal, high, np.zeros(len(M)), M, **options), -1)
