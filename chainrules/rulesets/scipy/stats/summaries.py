"""Rules for summaries of samples: means, standard scores, moments, transformations, entropies.

Each is the composition of NumPy's functions that its definition is, whose rules serve it: D. Zwillinger
and S. Kokoska, "CRC Standard Probability and Statistics Tables and Formulae" (2000), 2.2. Weights, and
samples in which nothing varies, are left to SciPy's code.
"""

import numpy as np
from scipy import special, stats

from chainrules.makers.composed_rules import composed_rule


def _size(a, axis):
    """How many numbers a summary is of."""
    return np.size(a) if axis is None else np.shape(a)[axis]


def _varies(a, axis):
    return _size(a, axis) > 0 and not np.any(np.ptp(a, axis=axis) == 0)


# --- Means -------------------------------------------------------------------------------------------------


def _geometric_mean(a, axis=0, dtype=None, weights=None, *, keepdims=False):
    if dtype is not None or weights is not None or np.any(a <= 0):
        return None
    return lambda a: np.exp(np.mean(np.log(a), axis=axis, keepdims=keepdims))


def _harmonic_mean(a, axis=0, dtype=None, *, weights=None, keepdims=False):
    if dtype is not None or weights is not None or np.any(a <= 0):
        return None
    return lambda a: 1.0 / np.mean(1.0 / a, axis=axis, keepdims=keepdims)


def _power_mean(a, p, *, axis=0, dtype=None, weights=None, keepdims=False):  # noqa: PLR0913 - those of SciPy
    if dtype is not None or weights is not None or np.ndim(p) or p == 0 or np.any(a <= 0):
        return None
    return lambda a, p: np.mean(a ** (1.0 * p), axis=axis, keepdims=keepdims) ** (1.0 / p)


composed_rule(stats.gmean, _geometric_mean)
composed_rule(stats.hmean, _harmonic_mean)
composed_rule(stats.pmean, _power_mean, 2)


# --- Scores and deviations ---------------------------------------------------------------------------------


def _scores(a, axis=0, ddof=0):
    def composition(a):
        mean, deviation = (
            np.mean(a, axis=axis, keepdims=True),
            np.std(a, axis=axis, ddof=ddof, keepdims=True),
        )
        return (a - mean) / deviation

    return composition if _varies(a, axis) else None


def _scores_of_logarithms(a, axis=0, ddof=0):
    if np.any(a <= 0):
        return None
    composition = _scores(np.log(a), axis, ddof)
    return composition and (lambda a: composition(np.log(a)))


def _scores_of_others(scores, compare, axis=0, ddof=0):
    def composition(scores, compare):
        mean = np.mean(compare, axis=axis, keepdims=True)
        return (scores - mean) / np.std(compare, axis=axis, ddof=ddof, keepdims=True)

    return composition if _varies(compare, axis) else None


def _error_of_mean(a, axis=0, ddof=1, *, keepdims=False):
    root = np.sqrt(_size(a, axis))
    composition = _deviation(axis, ddof, keepdims)
    return (lambda a: composition(a) / root) if _varies(a, axis) else None


def _deviation(axis, ddof, keepdims):
    return lambda a: np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)


def _geometric_deviation(a, axis=0, ddof=1, *, keepdims=False):
    if np.any(a <= 0) or not _varies(a, axis):
        return None
    return lambda a: np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


def _variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    if nan_policy != "propagate" or not _varies(a, axis):
        return None
    deviation = _deviation(axis, ddof, keepdims)
    return lambda a: deviation(a) / np.mean(a, axis=axis, keepdims=keepdims)


composed_rule(stats.zscore, _scores)
composed_rule(stats.gzscore, _scores_of_logarithms)
composed_rule(stats.zmap, _scores_of_others, 2)
composed_rule(stats.sem, _error_of_mean)
composed_rule(stats.gstd, _geometric_deviation)
composed_rule(stats.variation, _variation)


# --- Moments -----------------------------------------------------------------------------------------------


def _central(order, axis, keepdims):
    """The central moment of an order."""

    def moment(a):
        return np.mean((a - np.mean(a, axis=axis, keepdims=True)) ** order, axis=axis, keepdims=keepdims)

    return moment


def _moment(a, order=1, axis=0, *, center=None, keepdims=False):
    if np.ndim(order) or order < 2 or order != int(order) or np.ndim(center):
        return None
    if center is None:
        return _central(int(order), axis, keepdims)
    return lambda a: np.mean((a - center) ** int(order), axis=axis, keepdims=keepdims)


def _skewness(a, axis=0, bias=True, *, keepdims=False):
    n = _size(a, axis)
    if not _varies(a, axis):
        return None
    factor = 1.0 if bias or n < 3 else np.sqrt(n * (n - 1.0)) / (n - 2.0)
    second, third = _central(2, axis, keepdims), _central(3, axis, keepdims)
    return lambda a: factor * third(a) / second(a) ** 1.5


def _kurtosis(a, axis=0, fisher=True, bias=True, *, keepdims=False):
    n = _size(a, axis)
    if not _varies(a, axis):
        return None
    factor = 1.0 if bias or n < 4 else (n * n - 1.0) / ((n - 2.0) * (n - 3.0))
    second, fourth = _central(2, axis, keepdims), _central(4, axis, keepdims)
    return lambda a: factor * fourth(a) / second(a) ** 2


composed_rule(stats.moment, _moment)
composed_rule(stats.skew, _skewness)
composed_rule(stats.kurtosis, _kurtosis)


# --- Transformations of a given parameter ------------------------------------------------------------------


def _box_cox(x, lmbda=None, alpha=None, optimizer=None):
    if lmbda is None or alpha is not None or optimizer is not None or np.any(x <= 0):
        return None
    return special.boxcox


def _yeo_johnson_of(x, lmbda):
    """Box and Cox's of ``1 + x``, or of the reflected number; each where it holds."""
    above, below = np.where(x >= 0, x, 0.0), np.where(x >= 0, 0.0, x)
    return special.boxcox1p(above, lmbda) - special.boxcox1p(-below, 2.0 - lmbda)


def _yeo_johnson(x, lmbda=None):
    return None if lmbda is None else _yeo_johnson_of


composed_rule(stats.boxcox, _box_cox, 2)
composed_rule(stats.yeojohnson, _yeo_johnson, 2)


# --- Entropies ---------------------------------------------------------------------------------------------


def _entropy(pk, qk=None, base=None, axis=0, *, keepdims=False):
    if qk is not None or np.any(pk <= 0):
        return None
    unit = 1.0 if base is None else 1.0 / np.log(base)

    def composition(p):
        p = p / np.sum(p, axis=axis, keepdims=True)
        return unit * np.sum(special.entr(p), axis=axis, keepdims=keepdims)

    return composition


composed_rule(stats.entropy, _entropy)
