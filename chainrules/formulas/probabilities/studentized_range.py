"""The range of `k` normal numbers, divided by an estimate of their deviation with `df` degrees of freedom.

With the density ``f`` of the estimate ``s``, which is that of ``χ/√df``, ``Q = 1 - Φ`` and ``G = Q(y) - Q(y
+ z s)``, its density and the probabilities of smaller and of larger ones are

    k (k - 1) ∫ s f(s) ∫ φ(y) φ(y + z s) G^(k-2) dy ds,   k ∫ f(s) ∫ φ(y) G^(k-1) dy ds
    k ∫ f(s) ∫ φ(y) (Q(y)^(k-1) - G^(k-1)) dy ds

R. E. Lund and J. R. Lund, "Algorithm AS 190: probabilities and upper quantiles for the studentized range",
Applied Statistics 32 (1983). In both directions of ``y`` and of ``log s`` the integrands fall so fast that
sums at equal distances have all digits. The places of the sums are constants.
"""

from collections.abc import Callable
from functools import reduce
from math import log, pi, prod, sqrt
from typing import Any

import numpy as np
from scipy import special

from chainrules.formulas.calls.compositions import value_of
from chainrules_core import without_warnings

# Terms are left out that are smaller than the largest by this much in the exponent.
_DEPTH = 42.0
_REACH = sqrt(2.0 * _DEPTH)
# The distances of places, at most, and in deviations of the peak.
_STEP, _STEP_IN_DEVIATIONS = 0.1, 0.5
_ZOOMS, _COARSE, _MOST_NODES = 12, 33, 1500
# So many integrals are computed at once: each has some ten thousand terms.
_AT_ONCE = 8
# Below this half width the difference of probabilities is a series.
_SMALL = 1e-3

Term = Callable[..., Any]


def log_density(z: Any, k: Any, df: Any) -> Any:
    """``log f``; `df` may be infinite: the deviation is known then."""

    def term(k: Any, h: Any, t: Any, y: Any) -> Any:
        normal = -0.5 * y * y - 0.5 * (y + 2.0 * h) ** 2 - log(2.0 * pi)
        return np.log(k) + np.log(k - 1.0) + t + normal + (k - 2.0) * _log_between(y, h)

    return _log_integral(term, z, k, df, lambda h: (-h, -h))


def log_below(z: Any, k: Any, df: Any) -> Any:
    """``log F``."""

    def term(k: Any, h: Any, t: Any, y: Any) -> Any:
        return np.log(k) - 0.5 * y * y - 0.5 * log(2.0 * pi) + (k - 1.0) * _log_between(y, h)

    return _log_integral(term, z, k, df, lambda h: (0.0 * h, 0.0 * h))


def log_above(z: Any, k: Any, df: Any) -> Any:
    """``log (1 - F)``."""

    def term(k: Any, h: Any, t: Any, y: Any) -> Any:
        above = special.log_ndtr(-y)
        rest = special.log_ndtr(-y - 2.0 * h) - above
        is_far = value_of(rest) < -0.5
        small = np.log1p(-np.exp(np.where(is_far, rest, -1.0)))
        beyond = np.where(is_far, small, _log_between(y, np.where(is_far, 1.0, h)) - above)
        normal = -0.5 * y * y - 0.5 * log(2.0 * pi)
        return np.log(k) + normal + (k - 1.0) * above + np.log(-np.expm1((k - 1.0) * beyond))

    return _log_integral(term, z, k, df, lambda h: (-h, 0.0 * h))


@without_warnings
def _log_integral(term: Term, z: Any, k: Any, df: Any, peaks: Term) -> Any:
    """The logarithm of the integral of a term; its peaks by ``y`` are between two functions of ``h``."""
    shape = np.broadcast_shapes(*(np.shape(value_of(x)) for x in (z, k, df)))
    if prod(shape) > _AT_ONCE:
        z, k, df = (np.reshape(np.broadcast_to(x, shape), -1) for x in (z, k, df))
        chosen = [slice(i, i + _AT_ONCE) for i in range(0, prod(shape), _AT_ONCE)]
        parts = [_log_integral(term, z[i], k[i], df[i], peaks) for i in chosen]
        return np.reshape(reduce(np.append, parts), shape)
    z, k, df = (np.expand_dims(x, (-2, -1)) for x in (z, k, df))
    t, y, log_size = _places(term, peaks, *(np.asarray(value_of(x), dtype=float) for x in (z, k, df)))
    terms = term(k, 0.5 * z * np.exp(t), t, y) + _of_estimate(df, t) + log_size
    largest = np.max(value_of(terms), axis=(-2, -1), keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    return np.log(np.sum(np.exp(terms - shift), axis=(-2, -1))) + shift[..., 0, 0]


def _of_estimate(df: Any, t: Any) -> Any:
    """``log f(s) + t`` at ``t = log s``."""
    is_known = np.isinf(value_of(df))
    half = 0.5 * np.where(is_known, 1.0, df)
    normed = log(2.0) + half * np.log(half) - special.gammaln(half)
    return np.where(is_known, 0.0, normed + 2.0 * half * t - half * np.exp(2.0 * t))


def _log_between(y: Any, h: Any) -> Any:
    """``log(Φ(y + 2h) - Φ(y))``."""
    u = y + h
    u = u * np.where(value_of(u) < 0.0, -1.0, 1.0)
    is_small = value_of(h) < _SMALL
    small, large = np.where(is_small, h, _SMALL), np.where(is_small, 1.0, h)
    square, q = small * small, u * u
    change = square * (q - 1.0) / 6.0 + square * square * (q * q - 6.0 * q + 3.0) / 120.0
    series = np.log(2.0 * small) - 0.5 * q - 0.5 * log(2.0 * pi) + np.log1p(change)
    above, below = special.log_ndtr(large - u), special.log_ndtr(-large - u)
    return np.where(is_small, series, above + np.log(-np.expm1(below - above)))


def _places(term: Term, peaks: Term, z: Any, k: Any, df: Any) -> tuple[Any, Any, Any]:
    """Where ``t`` and ``y`` are taken, along the last two axes, and the logarithms of the weights."""
    is_known = np.isinf(df)
    low = -70.0 / np.clip(df, 0.1, 70.0) - np.log1p(z + k) - 1.0
    high = np.full_like(low, 8.0)
    for _ in range(_ZOOMS):  # in on the peak
        t = _fractions(low, high, _COARSE)
        h = 0.5 * z * np.exp(t)
        first, last = peaks(h)
        y = _fractions(first - 1.0, last + 1.0, _COARSE, -1)
        terms = np.max(term(k, h, t, y), axis=-1, keepdims=True) + _of_estimate(df, t)
        is_high = terms > np.max(terms, axis=-2, keepdims=True) - _DEPTH
        first = np.argmax(is_high, axis=-2, keepdims=True)
        last = _COARSE - 1 - np.argmax(is_high[..., ::-1, :], axis=-2, keepdims=True)
        cell = (high - low) / (_COARSE - 1)
        high = low + cell * np.minimum(last + 1, _COARSE - 1)
        low = low + cell * np.maximum(first - 1, 0)
    t = _fractions(
        low, high, _count(low, high, np.minimum(_STEP, _STEP_IN_DEVIATIONS / np.sqrt(2.0 * (df + k))))
    )
    step = t[..., 1:2, :] - t[..., :1, :]
    t = np.where(is_known, 0.0, t)
    log_step = np.where(is_known, -np.log(t.shape[-2]), np.log(step))
    h = 0.5 * z * np.exp(t)
    width = np.minimum(3.0 * _STEP, _STEP_IN_DEVIATIONS / np.sqrt(np.maximum(k, 2.0)))
    first, last = peaks(h)
    first, last = first - _REACH, last + _REACH
    y = _fractions(first, last, _count(first, last, width), -1)
    return t, y, log_step + np.log(y[..., 1:2] - y[..., :1])


def _count(low: Any, high: Any, step: Any) -> int:
    """How many numbers reach over the widest range, in steps that are short enough; not without end."""
    counts = np.ceil((high - low) / np.where(step > 0.0, step, 1.0))
    return int(np.max(counts, initial=1.0, where=counts < _MOST_NODES)) + 1


def _fractions(low: Any, high: Any, count: int, axis: int = -2) -> Any:
    """Numbers at equal distances, along one of the last two axes."""
    fractions = np.linspace(0.0, 1.0, count)
    return low + (high - low) * (fractions if axis == -1 else fractions[:, np.newaxis])
