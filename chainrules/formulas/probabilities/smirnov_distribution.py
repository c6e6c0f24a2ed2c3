"""The one-sided statistic of Smirnov of `n` observations.

The probability of a larger one than `d` is ``Σ C(n, v) d (d + v/n)^(v-1) (1 - d - v/n)^(n-v)`` over ``v <= n
(1 - d)``: Z. W. Birnbaum and F. H. Tingey, "One-sided confidence contours", Annals of Mathematical Statistics
22 (1951). Of each term but the first one the derivative is ``size change``, with ``low = d + v/n``::

    size = C(n, v) low^(v-2) (1 - low)^(n-v-1)
    change = low (1 - low) + d ((v - 1) (1 - low) - (n - v) low)
"""

from typing import Any

import numpy as np
from scipy import special

from chainrules_core import primal_of, without_warnings


def _terms(n: Any, d: Any) -> tuple[Any, ...]:
    n = np.floor(np.asarray(primal_of(n), float))
    ndim = len(np.broadcast_shapes(n.shape, np.shape(d)))
    v = np.reshape(np.arange(1, np.max(n, initial=0) + 1), (-1, *(1,) * ndim))
    low = d + v / n
    is_term = primal_of(low) < 1
    low, rest = np.where(is_term, low, 0.5), np.abs(n - v)
    high = 1.0 - low
    log_choices = special.gammaln(n + 1) - special.gammaln(v + 1) - special.gammaln(rest + 1)
    size = np.exp(log_choices + (v - 2.0) * np.log(low) + (rest - 1.0) * np.log(high))
    return n, v, low, high, rest, np.where(is_term, size, 0.0)


@without_warnings
def smirnov_slope(n: Any, d: Any) -> Any:
    """The derivative by ``d``, minus the density."""
    n, v, low, high, rest, size = _terms(n, d)
    change = low * high + d * ((v - 1.0) * high - rest * low)
    return np.sum(size * change, axis=0) - n * (1.0 - d) ** (n - 1.0)


@without_warnings
def score(z: Any, n: Any) -> Any:
    """``∂ log f/∂z`` of the density."""
    n, v, low, high, rest, size = _terms(n, z)
    lean = (v - 1.0) * high - rest * low
    change = low * high + z * lean
    moved = high - low + lean - z * (v - 1.0 + rest)
    terms = size * (change * ((v - 2.0) / low - (rest - 1.0) / high) + moved)
    curvature = np.sum(terms, axis=0) + n * (n - 1.0) * (1.0 - z) ** (n - 2.0)
    return curvature / smirnov_slope(n, z)
