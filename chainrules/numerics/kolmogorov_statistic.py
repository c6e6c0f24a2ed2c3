"""The probability of a smaller statistic of Kolmogorov of `n` observations, as a series about any `x`.

The probability ``F(x)`` is a polynomial in `x` between any two knots ``k/(2n)``. With ``t = n x``::

    n!/nⁿ (2t - 1)ⁿ                                          for t <= 1
    1 - 2 Σ C(n, v) x (x + v/n)^(v-1) (1 - x - v/n)^(n-v)     for x >= 1/2, over v < n - t
    n!/nⁿ (Hⁿ)ₖₖ  with  k - t = h                             elsewhere

where ``H`` is a matrix of polynomials in `h`: G. Marsaglia, W. W. Tsang and J. Wang, "Evaluating Kolmogorov's
distribution", Journal of Statistical Software 8 (2003). Of both `H` and its derivative by `x` all terms
have the same sign, so that the density has all digits however small it is.

The second line, of a statistic of one side, holds for large ``n x²`` too, but for ``exp(-6 n x²)`` of the
whole. `H` has ``2k - 1`` rows; where these are too many, the series is extrapolated from those of fewer
observations with the same ``√n x + 1/(6 √n)``, as a polynomial in ``1/√n``. W. Pelz and I. J. Good,
"Approximating the lower tail-areas of the Kolmogorov-Smirnov one-sample statistic", Journal of the Royal
Statistical Society B 38 (1976), give the first terms of such a series, of which this sum removes the second.

Derivatives have twelve digits up to 680 observations, and in the tail up to 200000. What is extrapolated has
nine; of more than 200000, where the probability of larger ones is less than 1e-70, only four.
"""

from math import ceil, exp, floor, pi, sqrt
from typing import Any

import numpy as np
from scipy import special

from chainrules.numerics.bernoulli import of_log_gamma, polynomial

# From this ``n x²`` on the other side adds less than rounding does.
_ONE_SIDED = 6.0
# The most that `k` may be, and the observations in a sum of one side.
_MOST_ROWS, _MOST_TERMS = 64, 200_000
# From how many observations a series is extrapolated: given by their `t`, or by themselves.
_PLACES, _NUMBERS = np.linspace(18.0, 42.0, 9), _MOST_TERMS / np.linspace(1.0, 2.5, 7) ** 2
_STIRLING = of_log_gamma(8)


def kolmogorov_series(n: int, x: float, order: int) -> Any:
    """The coefficients of ``1, ε, ε², ...`` in ``F(x + ε)``, without the 1 of ``F`` where it is near to 1.

    At a knot they are those from the right, but at ``1/n`` those from the left, as SciPy's density is.

    Parameters
    ----------
    n
        The number of observations.
    x
        A point of the support, ``1/(2n) <= x <= 1``.
    order
        The highest power.
    """
    if n * x <= 1.0:
        return _of_smallest(n, x, order)
    if x >= 0.5 or n * x * x >= _ONE_SIDED:
        return _of_largest(n, x, order) if n <= _MOST_TERMS else _extrapolated(n, x, order, _NUMBERS)
    if n * x < _MOST_ROWS:
        return _of_middle(n, x, order)
    return _extrapolated(n, x, order, (_PLACES / (sqrt(n) * x)) ** 2)


def _log_factor(n: Any) -> Any:
    """``log (n! eⁿ/nⁿ)``, with all digits."""
    small, large = np.clip(n, 1.0, 16.0), np.maximum(n, 16.0)
    of_small = special.gammaln(small + 1.0) - small * np.log(small) + small
    of_large = 0.5 * np.log(2.0 * pi * large) + polynomial(_STIRLING, 1.0 / large**2) / large
    return np.where(n > 0.0, np.where(n < 16.0, of_small, of_large), 0.0)


def _of_smallest(n: int, x: float, order: int) -> Any:
    j = np.arange(order + 1.0)
    choices = special.binom(n, j) * (2.0 * n) ** j
    return exp(_log_factor(n) - n) * choices * (2.0 * n * x - 1.0) ** np.maximum(n - j, 0.0)


def _of_largest(n: int, x: float, order: int) -> Any:
    """``(a high - b low) g = low high g'`` for ``g = low^a high^b`` with ``low + high = 1``, term by term."""
    t = n * x
    v = np.arange(max(ceil(n - t), 0) + 0.0)
    low, high, a, b = (t + v) / n, (n - t - v) / n, v - 1.0, n - v
    v, low, high, a, b = (part[high > 0.0] for part in (v, low, high, a, b))
    log_choices = _log_factor(n) - _log_factor(v) - _log_factor(b)
    powers = v * np.log1p(t / np.maximum(v, 1.0)) + b * np.log1p(-t / b)
    last, g = np.zeros_like(v), np.exp(log_choices + powers) / low
    series = [np.sum(x * g)]
    for j in range(order):
        slope = (a * high - b * low - j * (high - low)) * g - (a + b + 1.0 - j) * last
        last, g = g, slope / (low * high * (j + 1.0))
        series.append(np.sum(x * g + last))
    return -2.0 * np.array(series)


def _of_middle(n: int, x: float, order: int) -> Any:
    """The `k`th row of ``Hⁿ`` is found for half of `n`; turned around, it is the `k`th column."""
    k = floor(n * x) + 1
    H = _matrices(k, k - n * x, order)
    row, first, rest = np.zeros((order + 1, 2 * k - 1)), H, n // 2
    row[0, k - 1] = 1.0
    # A square costs as much as many rows: beyond some power it is quicker to multiply the row by it.
    while 50 * rest > k * k:
        row = _product(row, H) if rest % 2 else row
        H, rest = _square(H), rest // 2
    for _ in range(rest):
        row = _product(row, H)
    other = _product(row, first) if n % 2 else row
    series = [sum(row[i] @ other[j - i, ::-1] for i in range(j + 1)) for j in range(order + 1)]
    return exp(_log_factor(n)) * np.array(series) * float(n) ** np.arange(order + 1)


def _square(H: Any) -> Any:
    """The square of a series of matrices."""
    return np.array([sum(H[i] @ H[j - i] for i in range(j + 1)) for j in range(len(H))])


def _product(row: Any, H: Any) -> Any:
    """The product of a series of rows with one of matrices."""
    y = row @ H[0]
    for j in range(1, len(H)):
        y[j:] += row[:-j] @ H[j]
    return y


def _matrices(k: int, h: float, order: int) -> Any:
    """The series of ``H/e`` by `t`, whose powers have elements of at most 1."""
    m = 2 * k - 1
    i = np.arange(1.0, m + 1.0)
    powers, inverse = i[:, np.newaxis] - i + 1.0, np.exp(-1.0 - special.gammaln(i + 1.0))
    H = np.zeros((order + 1, m, m))
    H[0] = np.where(powers >= 0.0, np.exp(-1.0 - special.gammaln(np.maximum(powers, 0.0) + 1.0)), 0.0)
    for j in range(order + 1):
        fall = special.binom(i, j) * (-1.0) ** j * h ** np.maximum(i - j, 0.0)
        both = special.binom(m, j) * (-2.0) ** j * max(2.0 * h - 1.0, 0.0) ** max(m - j, 0)
        column = ((j == 0) - fall) * inverse
        H[j, :, 0], H[j, -1] = column, column[::-1]
        H[j, -1, 0] = ((j == 0) - 2.0 * fall[-1] + (both if h > 0.5 else 0.0)) * inverse[-1]
    return H


def _extrapolated(n: int, x: float, order: int, numbers: Any) -> Any:
    """Lagrange's polynomial, in ``s = 1/√n``."""
    fewer, exponents = np.round(numbers), np.arange(order + 1)
    s, nodes = 1.0 / sqrt(n), 1.0 / np.sqrt(fewer)
    places = (sqrt(n) * x + (s - nodes) / 6.0) * nodes
    each = zip(map(int, fewer), map(float, places), strict=True)
    series = np.array([kolmogorov_series(*pair, order) for pair in each]) * nodes[:, np.newaxis] ** exponents
    is_same = np.eye(len(nodes), dtype=bool)
    factors = np.where(is_same, 1.0, (s - nodes) / np.where(is_same, 1.0, nodes[:, np.newaxis] - nodes))
    return np.prod(factors, axis=1) @ series / s**exponents
