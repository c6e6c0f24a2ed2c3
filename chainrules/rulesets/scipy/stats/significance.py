"""Rules for tests of hypotheses: statistics and p-values, as the compositions that their definitions are.

J. H. Zar, "Biostatistical Analysis" (2010). Tests whose results have more than these two parts, as those of
Student, are left to SciPy's code, which is differentiated.
"""

import numpy as np
from scipy import special, stats

from chainrules.makers.composed_rules import composed_rule


def _sizes(samples):
    return [np.shape(x)[0] for x in samples]


def _mean(x):
    return np.mean(x, axis=0)


def _squares(x):
    """The sum of the squares of the distances from the mean."""
    return np.sum((x - np.mean(x, axis=0, keepdims=True)) ** 2, axis=0)


def _are_samples(samples, axis, least):
    """Whether there are several, along their first axes, in each of which something varies."""
    if axis != 0 or len(samples) < 2 or not all(np.ndim(x) and len(x) >= least for x in samples):
        return False
    return len({np.shape(x)[1:] for x in samples}) == 1 and all(
        np.all(np.ptp(x, axis=0) > 0) for x in samples
    )


def _analysis_of_variance(*samples, axis=0, equal_var=True):
    if not equal_var or not _are_samples(samples, axis, 2):
        return None
    sizes, k = _sizes(samples), len(samples)
    n = sum(sizes)

    def composition(*samples):
        means = [_mean(x) for x in samples]
        centre = sum(size * mean for size, mean in zip(sizes, means, strict=True)) / n
        between = sum(size * (mean - centre) ** 2 for size, mean in zip(sizes, means, strict=True))
        within = sum(map(_squares, samples))
        statistic = (between / (k - 1.0)) / (within / (n - k))
        return statistic, special.fdtrc(k - 1.0, 1.0 * (n - k), statistic)

    return composition


def _equal_variances(*samples, axis=0):
    """Of Bartlett."""
    if not _are_samples(samples, axis, 2):
        return None
    freedoms, k = [size - 1.0 for size in _sizes(samples)], len(samples)
    total = sum(freedoms)
    correction = 1.0 + (sum(1.0 / df for df in freedoms) - 1.0 / total) / (3.0 * (k - 1.0))

    def composition(*samples):
        variances = [_squares(x) / df for x, df in zip(samples, freedoms, strict=True)]
        pooled = sum(df * variance for df, variance in zip(freedoms, variances, strict=True)) / total
        logs = sum(df * np.log(variance) for df, variance in zip(freedoms, variances, strict=True))
        statistic = (total * np.log(pooled) - logs) / correction
        return statistic, special.chdtrc(k - 1.0, statistic)

    return composition


def _normality(x, *, axis=None):
    """Of Jarque and Bera."""
    n = np.size(x) if axis is None else np.shape(x)[axis]
    if n == 0 or np.any(np.ptp(x, axis=axis) == 0):
        return None

    def composition(x):
        d = x - np.mean(x, axis=axis, keepdims=True)
        second, third, fourth = (np.mean(d**order, axis=axis) for order in (2, 3, 4))
        statistic = n / 6.0 * (third**2 / second**3 + 0.25 * (fourth / second**2 - 3.0) ** 2)
        return statistic, np.exp(-0.5 * statistic)

    return composition


def _chi_square(f_obs, f_exp, ddof=0, axis=0):
    """Of Pearson."""
    if axis != 0 or np.ndim(ddof) or np.shape(f_obs) != np.shape(f_exp) or not np.ndim(f_obs):
        return None
    df = np.shape(f_obs)[0] - 1.0 - ddof

    def composition(f_obs, f_exp):
        statistic = np.sum((f_obs - f_exp) ** 2 / f_exp, axis=0)
        return statistic, special.chdtrc(df, statistic)

    return composition


composed_rule(stats.f_oneway, _analysis_of_variance, None)
composed_rule(stats.bartlett, _equal_variances, None)
composed_rule(stats.jarque_bera, _normality)
composed_rule(stats.chisquare, _chi_square, 2)
