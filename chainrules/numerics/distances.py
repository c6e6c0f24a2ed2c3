"""Distances of vectors, as compositions of NumPy's functions, over the last axes of arrays that broadcast.

M. M. Deza and E. Deza, "Encyclopedia of Distances" (2009), chapters 17 and 19. A metric has the arguments of
the function of `scipy.spatial.distance` that it is named after. In a kink zero is taken, as it is of norms:
at the distance 0, and of an absolute value in 0; the largest ones share a maximum.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.spatial import distance

from chainrules_core import primal_of

# --- Sums and roots --------------------------------------------------------------------------------------


def _total(x: Any, w: Any) -> Any:
    return np.sum(x if w is None else w * x, axis=-1)


def _where_positive(x: Any, f: Callable[[Any], Any]) -> Any:
    """``f(x)``, and zero where `x` is zero."""
    is_zero = x == 0
    return np.where(is_zero, 0.0, f(np.where(is_zero, 1.0, x)))


def root(x: Any) -> Any:
    """The square root, with the derivative zero in zero."""
    return _where_positive(x, np.sqrt)


# --- Metrics of numbers ----------------------------------------------------------------------------------


def euclidean(u: Any, v: Any, w: Any = None) -> Any:
    """``√(Σ w d²)``."""
    return np.linalg.norm(u - v, None, -1) if w is None else root(sqeuclidean(u, v, w))


def sqeuclidean(u: Any, v: Any, w: Any = None) -> Any:
    """``Σ w d²``."""
    return _total((u - v) ** 2, w)


def cityblock(u: Any, v: Any, w: Any = None) -> Any:
    """``Σ w |d|``."""
    return _total(np.abs(u - v), w)


def chebyshev(u: Any, v: Any, w: Any = None) -> Any:
    """The largest difference among those with weight."""
    d = np.abs(u - v)
    return np.max(d if w is None else d * (w > 0), axis=-1)


def minkowski(u: Any, v: Any, p: Any = 2, w: Any = None) -> Any:
    """``(Σ w |d|ᵖ)^(1/p)``, and the largest difference for an infinite order."""
    if w is None and primal_of(p) is p:  # NumPy does not look for traced values there
        return np.linalg.norm(u - v, p, -1)
    if p == np.inf:
        return chebyshev(u, v, w)
    return _where_positive(_total(_powers(u - v, p), w), lambda s: s ** (1.0 / p))


def minkowski_powers(u: Any, v: Any, p: Any = 2) -> Any:
    """The power `p` of that distance, as `scipy.spatial.minkowski_distance_p` has it."""
    return chebyshev(u, v) if p == np.inf else np.sum(_powers(u - v, p), axis=-1)


def _powers(d: Any, p: Any) -> Any:
    """``|d| ** p``, of which only the square is curved at zero without a kink."""
    if p == 2:
        return d * d * np.where(d == 0, 1.0, np.abs(d)) ** (p - 2.0)
    return _where_positive(np.abs(d), lambda d: d ** (1.0 * p))


def seuclidean(u: Any, v: Any, V: Any) -> Any:
    """``√(Σ d² / V)``."""
    return euclidean(u, v, 1.0 / V)


def mahalanobis(u: Any, v: Any, VI: Any) -> Any:
    """``√(dᵀ VI d)``."""
    d = u - v
    return root(np.sum((d @ VI) * d, axis=-1))


def cosine(u: Any, v: Any, w: Any = None) -> Any:
    """One minus the cosine of the angle; it is not clipped."""
    return 1.0 - _total(u * v, w) / np.sqrt(_total(u * u, w) * _total(v * v, w))


def correlation(u: Any, v: Any, w: Any = None, centered: bool = True) -> Any:
    """One minus the correlation."""
    return cosine(_centred(u, w), _centred(v, w), w) if centered else cosine(u, v, w)


def _centred(u: Any, w: Any) -> Any:
    weights = 1.0 * u.shape[-1] if w is None else np.sum(w)
    return u - (_total(u, w) / weights)[..., np.newaxis]


def braycurtis(u: Any, v: Any, w: Any = None) -> Any:
    """``Σ w |u - v| / Σ w |u + v|``."""
    return _total(np.abs(u - v), w) / _total(np.abs(u + v), w)


def canberra(u: Any, v: Any, w: Any = None) -> Any:
    """``Σ w |u - v| / (|u| + |v|)``, without terms in which both are zero."""
    size = np.abs(u) + np.abs(v)
    return _total(np.abs(u - v) / np.where(size == 0, 1.0, size), w)


def jensenshannon(p: Any, q: Any, base: Any = None, axis: int = -1, keepdims: bool = False) -> Any:
    """The root of the mean divergence of two distributions from the one between them."""
    p, q = (x / np.sum(x, axis=axis, keepdims=True) for x in (p, q))
    m = 0.5 * (p + q)
    divergence = np.sum(special.rel_entr(p, m) + special.rel_entr(q, m), axis=axis, keepdims=keepdims)
    return root(0.5 * divergence if base is None else 0.5 * divergence / np.log(base))


# --- Metrics of truth values, which are quotients of polynomials of numbers ------------------------------


def _unequal(u: Any, v: Any, w: Any) -> tuple[Any, Any]:
    """The weights of true and false, and of false and true."""
    return _total(u * (1.0 - v), w), _total((1.0 - u) * v, w)


def dice(u: Any, v: Any, w: Any = None) -> Any:
    """The share of what is different, where what is true of both counts twice."""
    different = sum(_unequal(u, v, w))
    return different / (2.0 * _total(u * v, w) + different)


def rogerstanimoto(u: Any, v: Any, w: Any = None) -> Any:
    """The share of what is different, which counts twice."""
    double = 2.0 * sum(_unequal(u, v, w))
    return double / (_total(u * v + (1.0 - u) * (1.0 - v), w) + double)


def russellrao(u: Any, v: Any, w: Any = None) -> Any:
    """The share of what is not true of both."""
    total = 1.0 * u.shape[-1] if w is None else np.sum(w)
    return (total - _total(u * v, w)) / total


def sokalsneath(u: Any, v: Any, w: Any = None) -> Any:
    """The share of what is different, which counts twice, among what is true of any."""
    double = 2.0 * sum(_unequal(u, v, w))
    return double / (_total(u * v, w) + double)


def kulczynski1(u: Any, v: Any, w: Any = None) -> Any:
    """What is true of both, by what is different."""
    return _total(u * v, w) / sum(_unequal(u, v, w))


def yule(u: Any, v: Any, w: Any = None) -> Any:
    """The share of the product of both kinds of differences; zero where that is zero."""
    first, second = _unequal(u, v, w)
    product = first * second
    equal = _total(u * v, w) * _total((1.0 - u) * (1.0 - v), w)
    return 2.0 * product / np.where(product == 0, 1.0, equal + product)


# --- Metrics of what is equal, whose derivatives are by the weights --------------------------------------


def hamming(u: Any, v: Any, w: Any = None) -> Any:
    """The share of what is unequal."""
    different = 1.0 * (u != v)
    return _total(different, w) / (1.0 * u.shape[-1] if w is None else np.sum(w))


def jaccard(u: Any, v: Any, w: Any = None) -> Any:
    """The share of what is unequal among what is not zero."""
    different, present = 1.0 * ((u != 0) ^ (v != 0)), 1.0 * ((u != 0) | (v != 0))
    total = _total(present, w)
    return _total(different, w) / np.where(total == 0, 1.0, total)


BY_NAME: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        *(euclidean, sqeuclidean, cityblock, chebyshev, minkowski, seuclidean, mahalanobis, cosine),
        *(correlation, braycurtis, canberra, jensenshannon, hamming, jaccard, dice),
    )
}
OF_TRUTH_VALUES: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (rogerstanimoto, russellrao, sokalsneath, kulczynski1, yule)
} | {"sokalmichener": rogerstanimoto}

# --- All pairs of rows -----------------------------------------------------------------------------------

# SciPy computes with numbers of double precision, whatever the points are of.
_ONE = np.float64(1.0)


def between(XA: Any, XB: Any, name: str, **options: Any) -> Any:
    """The table of the distances between the rows of two matrices.

    Parameters
    ----------
    XA, XB
        The points, a row for each.
    name
        The name of a metric, as `scipy.spatial.distance.cdist` calls it itself.
    **options
        The other arguments of the metric.
    """
    XA, XB = _numbers(XA, name), _numbers(XB, name)
    options = _with_spread(name, options, XA, XB)
    return _metric(name, options)(XA[:, np.newaxis], XB[np.newaxis], **options)


def among(X: Any, name: str, **options: Any) -> Any:
    """The distances of each row from those after it, in one vector; the arguments are those of `between`."""
    X = _numbers(X, name)
    first, second = np.triu_indices(X.shape[0], 1)
    options = _with_spread(name, options, X)
    return _metric(name, options)(X[first], X[second], **options)


def name_of(metric: Any) -> str | None:
    """The name of a metric of SciPy, which is given by it, by a shorter one, or as the function itself."""
    known = distance._METRIC_ALIAS  # noqa: SLF001 - nothing else says which short names there are
    if callable(metric):
        name = getattr(metric, "__name__", "")
        return name if name in known and getattr(distance, name, None) is metric else None
    in_python = distance._TEST_METRICS  # noqa: SLF001 - as above; ``test_euclidean`` is SciPy's code in Python
    found = {**in_python, **known}.get(metric.lower())
    return None if found is None else str(found.canonical_name)


def _metric(name: str, options: dict[str, Any]) -> Callable[..., Any]:
    if name == "dice" and "w" in options:
        return _weighted_dice
    return BY_NAME.get(name) or OF_TRUTH_VALUES[name]


def _weighted_dice(u: Any, v: Any, w: Any) -> Any:
    """As SciPy compares numbers with weights, unlike those without: by whether they are equal, or zero."""
    different = _total(1.0 * (u != v), w)
    return different / (2.0 * _total(1.0 * ((u != 0) & (v != 0)), w) + different)


def _numbers(X: Any, name: str) -> Any:
    return 1.0 * (X != 0) if name in OF_TRUTH_VALUES else X * _ONE


def _with_spread(name: str, options: dict[str, Any], *matrices: Any) -> dict[str, Any]:
    """The options, with the variances or the inverse covariance of all rows where the metric needs them."""
    given = {key: x for key, x in options.items() if x is not None}
    wanted = {"seuclidean": "V", "mahalanobis": "VI"}.get(name)
    if wanted is None or wanted in given:
        return given
    count = sum(X.shape[0] for X in matrices)
    mean = sum(np.sum(X, axis=0) for X in matrices) / count
    parts = [X - mean for X in matrices]
    if wanted == "V":
        return given | {wanted: sum(np.sum(X**2, axis=0) for X in parts) / (count - 1.0)}
    return given | {wanted: np.linalg.inv(sum(np.transpose(X) @ X for X in parts) / (count - 1.0))}
