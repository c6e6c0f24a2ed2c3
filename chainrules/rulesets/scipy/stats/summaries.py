"""Rules for summaries of samples: means, standard scores, moments, transformations, entropies.

Each is the composition of NumPy's functions that its definition is, whose rules serve it: D. Zwillinger
and S. Kokoska, "CRC Standard Probability and Statistics Tables and Formulae" (2000), 2.2. Weights
are left to SciPy's code. Scores and standardized moments of numbers that are all equal are NaN, and their
derivatives too.
"""

import math

import numpy as np
from scipy import optimize, spatial, special, stats

from chainrules.formulas.probabilities.likeliest_powers import (
    by_likeliest_power,
    halves,
    of_box_cox,
    of_yeo_johnson,
    signed_logarithm,
)
from chainrules.makers.composed_rules import Computed, composed_rule


def _size(a, axis):
    """How many numbers a summary is of; none where there is no such axis, which SciPy refuses."""
    shape, axes = np.shape(a), range(np.ndim(a)) if axis is None else np.atleast_1d(axis)
    return math.prod(shape[k] for k in axes) if all(-len(shape) <= k < len(shape) for k in axes) else 0


def _varies(a, axis):
    return _size(a, axis) > 0 and not np.any(np.ptp(a, axis=axis) == 0)


def _is_positive(a, axis):
    return _size(a, axis) > 0 and not np.any(a <= 0)


# --- Means -------------------------------------------------------------------------------------------------


def _geometric_mean(a, axis=0, dtype=None, weights=None, *, keepdims=False):
    if dtype is not None or weights is not None or not _is_positive(a, axis):
        return None
    return lambda a: np.exp(np.mean(np.log(a), axis=axis, keepdims=keepdims))


def _harmonic_mean(a, axis=0, dtype=None, *, weights=None, keepdims=False):
    if dtype is not None or weights is not None or not _is_positive(a, axis):
        return None
    return lambda a: 1.0 / np.mean(1.0 / a, axis=axis, keepdims=keepdims)


def _power_mean(a, p, *, axis=0, dtype=None, weights=None, keepdims=False):  # noqa: PLR0913 - those of SciPy
    if dtype is not None or weights is not None or np.ndim(p) or p == 0 or not _is_positive(a, axis):
        return None
    return lambda a, p: np.mean(a ** (1.0 * p), axis=axis, keepdims=keepdims) ** (1.0 / p)


composed_rule(stats.gmean, _geometric_mean)
composed_rule(stats.hmean, _harmonic_mean)
composed_rule(stats.pmean, _power_mean, 2)


# --- Scores and deviations ---------------------------------------------------------------------------------


def _scores(a, axis=0, ddof=0, nan_policy="propagate"):
    def composition(a):
        return (a - np.mean(a, axis=axis, keepdims=True)) / _spread(a, axis, ddof)

    return composition if _size(a, axis) else None


def _spread(a, axis, ddof=0):
    """The standard deviation; 1 where it is 0, since quotients by it are not defined there."""
    deviation = np.std(a, axis=axis, ddof=ddof, keepdims=True)
    return deviation + (deviation == 0)


def _scores_of_logarithms(a, axis=0, ddof=0, nan_policy="propagate"):
    if not _is_positive(a, axis):
        return None
    composition = _scores(np.log(a), axis, ddof)
    return lambda a: composition(np.log(a))


def _scores_of_others(scores, compare, axis=0, ddof=0, nan_policy="propagate"):
    def composition(scores, compare):
        mean = np.mean(compare, axis=axis, keepdims=True)
        return (scores - mean) / np.std(compare, axis=axis, ddof=ddof, keepdims=True)

    return composition if _varies(compare, axis) else None


def _error_of_mean(a, axis=0, ddof=1, nan_policy="propagate", *, keepdims=False):
    root = np.sqrt(_size(a, axis))
    composition = _deviation(axis, ddof, keepdims)
    return (lambda a: composition(a) / root) if _varies(a, axis) else None


def _deviation(axis, ddof, keepdims):
    return lambda a: np.std(a, axis=axis, ddof=ddof, keepdims=keepdims)


def _geometric_deviation(a, axis=0, ddof=1, *, keepdims=False):
    if not _is_positive(a, axis) or not _varies(a, axis):
        return None
    return lambda a: np.exp(np.std(np.log(a), axis=axis, ddof=ddof, keepdims=keepdims))


def _variation(a, axis=0, nan_policy="propagate", ddof=0, *, keepdims=False):
    if not _varies(a, axis):
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


def _moment(a, order=1, axis=0, nan_policy="propagate", *, center=None, keepdims=False):  # noqa: PLR0913 - those of SciPy
    if np.ndim(order) or order < 2 or order != int(order) or np.ndim(center) or not _size(a, axis):
        return None

    def composition(a):
        middle = np.mean(a, axis=axis, keepdims=True) if center is None else center
        return np.mean((a - middle) ** int(order), axis=axis, keepdims=keepdims)

    return composition


def _standardized(order, factor, axis, keepdims):
    """A factor times the moment of an order of the standard scores."""

    def moment(a):
        scores = (a - np.mean(a, axis=axis, keepdims=True)) / _spread(a, axis)
        return factor * np.mean(scores**order, axis=axis, keepdims=keepdims)

    return moment


def _skewness(a, axis=0, bias=True, nan_policy="propagate", *, keepdims=False):
    n = _size(a, axis)
    factor = 1.0 if bias or n < 3 else np.sqrt(n * (n - 1.0)) / (n - 2.0)
    return _standardized(3, factor, axis, keepdims) if n else None


def _kurtosis(a, axis=0, fisher=True, bias=True, nan_policy="propagate", *, keepdims=False):  # noqa: PLR0913 - those of SciPy
    n = _size(a, axis)
    factor = 1.0 if bias or n < 4 else (n * n - 1.0) / ((n - 2.0) * (n - 3.0))
    return _standardized(4, factor, axis, keepdims) if n else None


composed_rule(stats.moment, _moment)
composed_rule(stats.skew, _skewness)
composed_rule(stats.kurtosis, _kurtosis)


# --- Order statistics --------------------------------------------------------------------------------------


def _trimmed_mean(a, proportiontocut, axis=0):
    n = _size(a, axis)
    left_out = int(proportiontocut * n)
    if np.ndim(axis) or left_out >= n - left_out:
        return None

    def composition(a):
        lines = np.reshape(a, -1) if axis is None else np.moveaxis(a, axis, -1)
        return np.mean(np.sort(lines, axis=-1)[..., left_out : n - left_out], axis=-1)

    return composition


def _range_of_quantiles(  # noqa: PLR0913, PLR0917 - those of SciPy
    x, axis=None, rng=(25, 75), scale=1.0, nan_policy="propagate", interpolation="linear", keepdims=False
):
    if rng != (25, 75) or scale != 1.0 or interpolation != "linear" or not _size(x, axis):
        return None

    def composition(x):
        low, high = (np.percentile(x, q, axis=axis, keepdims=keepdims) for q in rng)
        return high - low

    return composition


def _distance(power):
    """The integral of a power of the difference of two distribution functions, as a sum over values."""

    def read(u_values, v_values, u_weights=None, v_weights=None):
        is_weighted = u_weights is not None or v_weights is not None
        if is_weighted or np.ndim(u_values) != 1 or np.ndim(v_values) != 1:
            return None
        both = np.append(u_values, v_values)
        order = np.argsort(both, kind="stable")
        of_u, of_v = (_shares(values, both[order][:-1]) for values in (u_values, v_values))
        slopes = np.empty(len(both))
        slopes[order] = -np.diff(np.abs(of_u - of_v) ** power, prepend=0.0, append=0.0)
        by_u, by_v = np.split(slopes, [len(u_values)])

        def composition(u_values, v_values):
            integral = np.sum(by_u * u_values) + np.sum(by_v * v_values)
            return integral if power == 1 else np.sqrt(2.0 * integral)

        return composition

    return read


def _shares(values, points):
    """The distribution function of values, at some points."""
    return np.searchsorted(np.sort(values), points, side="right") / len(values)


def _transport(u_values, v_values, u_weights=None, v_weights=None):
    """The least cost of moving equal parts of all points of one sample to those of the other.

    What is moved to where stays the same, almost everywhere: it is a corner of the plans that there are.
    """
    if not (u_weights is v_weights is None and np.ndim(u_values) == np.ndim(v_values) == 2):
        return None
    m, n, costs = len(u_values), len(v_values), spatial.distance.cdist(u_values, v_values)
    if not (m and n and np.all(np.isfinite(costs))):
        return None
    parts = np.concatenate([np.full(m, 1.0 / m), np.full(n, 1.0 / n)])
    sums = np.concatenate([np.repeat(np.eye(m), n, axis=1), np.tile(np.eye(n), m)])
    plan = optimize.linprog(np.ravel(costs) / (np.max(costs) or 1.0), A_eq=sums, b_eq=parts).x
    moved = np.flatnonzero(plan)
    i, j = np.divmod(moved, n)

    def composition(u, v):
        steps = np.take(u, i, axis=0) - np.take(v, j, axis=0)
        return np.sum(plan[moved] * np.linalg.norm(steps, axis=1))

    return composition


composed_rule(stats.trim_mean, _trimmed_mean)
composed_rule(stats.iqr, _range_of_quantiles)
composed_rule(stats.wasserstein_distance, _distance(1), 2)
composed_rule(stats.energy_distance, _distance(2), 2)
composed_rule(stats.wasserstein_distance_nd, _transport, 2)


# --- Transformations with a given power, or the likeliest --------------------------------------------------


def _box_cox(x, lmbda=None, alpha=None, optimizer=None):
    if alpha is not None or optimizer is not None or np.any(x <= 0):
        return None
    return special.boxcox if lmbda is not None else _with_likeliest(stats.boxcox, of_box_cox, x)


def _yeo_johnson_of(x, lmbda):
    """Box and Cox's of ``1 + x``, or of the reflected number; each where it holds."""
    above, below = halves(x)
    return special.boxcox1p(above, lmbda) - special.boxcox1p(-below, 2.0 - lmbda)


def _yeo_johnson(x, lmbda=None):
    return _yeo_johnson_of if lmbda is not None else _with_likeliest(stats.yeojohnson, of_yeo_johnson, x)


def _with_likeliest(transform, parts, x):
    if np.ndim(x) != 1 or x.dtype != float or not _varies(x, 0):
        return None
    y, power = transform(x)
    composition = by_likeliest_power(parts, x, power)
    return composition and Computed(composition, (y, power))


def _likelihood(transformed, jacobian):
    """The logarithm of a likelihood whose variance is estimated: G. E. P. Box and D. R. Cox (1964)."""

    def read(lmb, data, *, axis=0, keepdims=False):
        if np.ndim(lmb) or not _size(data, axis):
            return None
        n, options = _size(data, axis), {"axis": axis, "keepdims": keepdims}

        def composition(lmb, data):
            variance = np.var(transformed(data, lmb), **options)
            return (lmb - 1.0) * np.sum(jacobian(data), **options) - 0.5 * n * np.log(variance)

        return composition

    return read


composed_rule(stats.boxcox_llf, _likelihood(special.boxcox, np.log), 2)
composed_rule(stats.yeojohnson_llf, _likelihood(_yeo_johnson_of, signed_logarithm), 2)
composed_rule(stats.boxcox, _box_cox, 2)
composed_rule(stats.yeojohnson, _yeo_johnson, 2)


# --- Entropies ---------------------------------------------------------------------------------------------


def _entropy(pk, qk=None, base=None, axis=0, *, keepdims=False):
    if qk is not None or not _is_positive(pk, axis):
        return None
    unit = 1.0 if base is None else 1.0 / np.log(base)

    def composition(p):
        p = p / np.sum(p, axis=axis, keepdims=True)
        return unit * np.sum(special.entr(p), axis=axis, keepdims=keepdims)

    return composition


composed_rule(stats.entropy, _entropy)
