"""Rules for tests of hypotheses: statistics and p-values, as the compositions that their definitions are.

J. H. Zar, "Biostatistical Analysis" (2010). Where a result has more parts, such as degrees of freedom or an
interval of confidence, a rule has tangents for the items of the tuple alone. For derivatives of the others, a
system has to follow SciPy's code, as `chainrules.ad` does.
"""

from typing import Any

import numpy as np
from scipy import special, stats

from chainrules.makers.composed_rules import composed_rule
from chainrules_core import non_differentiable


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


def _equal_spreads(*samples, center="median", axis=0):
    """Of Levene, and of Brown and Forsythe: an analysis of the variance of the distances from the middle."""
    middles: dict[str, Any] = {"median": np.median, "mean": np.mean}
    if center not in middles or not _are_samples(samples, axis, 2):
        return None

    def distances(x):
        return np.abs(x - middles[center](x, axis=0, keepdims=True))

    composition = _analysis_of_variance(*map(distances, samples))
    return composition and (lambda *samples: composition(*map(distances, samples)))


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


# --- Student's ---------------------------------------------------------------------------------------------


def _student(t, df, alternative):
    """The statistic, and its p-value."""
    if alternative == "two-sided":
        return t, 2.0 * special.stdtr(df, -np.abs(t))
    return t, special.stdtr(df, t if alternative == "less" else -t)


def _one_mean(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided"):
    ndim = np.ndim(a)
    if np.ndim(popmean) or np.ndim(axis or 0) or not (axis is None or -ndim <= axis < ndim):
        return None
    n = np.size(a) if axis is None else np.shape(a)[axis]

    def composition(a, popmean):
        error = np.std(a, axis=axis, ddof=1) / np.sqrt(n)
        return _student((np.mean(a, axis=axis) - popmean) / error, n - 1.0, alternative)

    return composition if n > 1 else None


def _mean_of_pairs(a, b, axis=0, nan_policy="propagate", alternative="two-sided"):
    composition = _one_mean(a, 0.0, axis, nan_policy, alternative) if np.shape(a) == np.shape(b) else None
    return composition and (lambda a, b: composition(a - b, 0.0))


def _two_means(  # noqa: PLR0913 - those of SciPy
    a, b, *, axis=0, equal_var=True, alternative="two-sided", trim=0, method=None
):
    if trim or method is not None or np.ndim(a) != np.ndim(b) or not _are_samples((a, b), axis, 2):
        return None
    (m, n), freedoms = _sizes((a, b)), [size - 1.0 for size in _sizes((a, b))]

    def composition(a, b):
        of_a, of_b = (_squares(x) / df for x, df in zip((a, b), freedoms, strict=True))
        return _difference_of_means(_mean(a), _mean(b), of_a, of_b, m, n, equal_var, alternative)

    return composition


def _difference_of_means(  # noqa: PLR0913, PLR0917 - two samples
    mean1, mean2, variance1, variance2, n1, n2, equal_var, alternative
):
    """Of equal variances, or of any: B. L. Welch, Biometrika 34 (1947)."""
    if equal_var:
        df = n1 + n2 - 2.0
        pooled = ((n1 - 1.0) * variance1 + (n2 - 1.0) * variance2) / df
        square = pooled * (1.0 / n1 + 1.0 / n2)
    else:
        square1, square2 = variance1 / n1, variance2 / n2
        square = square1 + square2
        df = square**2 / (square1**2 / (n1 - 1.0) + square2**2 / (n2 - 1.0))
    return _student((mean1 - mean2) / np.sqrt(square), df, alternative)


def _summarized_means(  # noqa: PLR0913, PLR0917 - those of SciPy
    mean1, std1, nobs1, mean2, std2, nobs2, equal_var=True, alternative="two-sided"
):
    def composition(*given):
        mean1, std1, n1, mean2, std2, n2 = given
        return _difference_of_means(mean1, mean2, std1**2, std2**2, n1, n2, equal_var, alternative)

    return composition


# --- Correlation and regression ----------------------------------------------------------------------------


def _moments(x, y):
    """The sums of squares and of products of the distances from the means, along the first axis."""
    return _squares(x), _squares(y), np.sum((x - np.mean(x, axis=0, keepdims=True)) * y, axis=0)


def _are_pairs(x, y):
    """Whether there are more than two pairs, along the first axes, in which something varies."""
    return np.shape(x) == np.shape(y) and np.size(x) and _are_samples((x, y), 0, 3)


def _correlation(x, y, *, alternative="two-sided", method=None, axis=0):
    """Of Pearson; the distribution of ``(1 + r)/2`` is a beta distribution where there is none."""
    if method is not None or axis != 0 or not _are_pairs(x, y):
        return None
    shape = 0.5 * np.shape(x)[0] - 1.0

    def composition(x, y):
        of_x, of_y, of_both = _moments(x, y)
        r = of_both / np.sqrt(of_x * of_y)
        if alternative == "two-sided":
            return r, 2.0 * special.betainc(shape, shape, np.clip(0.5 - 0.5 * np.abs(r), 0.0, 0.5))
        tail = 0.5 + 0.5 * r if alternative == "less" else 0.5 - 0.5 * r
        return r, special.betainc(shape, shape, np.clip(tail, 0.0, 1.0))

    return composition


def _correlation_with_halves(x, y):
    """Of numbers with truth values, which count as 0 and 1."""
    return _correlation(1.0 * x, y)


def _line(x, y, alternative="two-sided"):
    """Through pairs of numbers, by least squares."""
    if np.ndim(x) != 1 or not _are_pairs(x, y):
        return None
    df = np.size(x) - 2.0

    def composition(x, y):
        of_x, of_y, of_both = _moments(x, y)
        slope = of_both / of_x
        error = np.sqrt((of_y / of_x - slope**2) / df)
        _, p = _student(slope / error, df, alternative)
        return slope, _mean(y) - slope * _mean(x), of_both / np.sqrt(of_x * of_y), p, error

    return composition


composed_rule(stats.f_oneway, _analysis_of_variance, None)
composed_rule(stats.bartlett, _equal_variances, None)
composed_rule(stats.jarque_bera, _normality)
composed_rule(stats.chisquare, _chi_square, 2)
composed_rule(stats.levene, _equal_spreads, None)
composed_rule(stats.ttest_1samp, _one_mean, 2)
composed_rule(stats.ttest_rel, _mean_of_pairs, 2)
composed_rule(stats.ttest_ind, _two_means, 2)
composed_rule(stats.ttest_ind_from_stats, _summarized_means, 6)
composed_rule(stats.pearsonr, _correlation, 2)
composed_rule(stats.pointbiserialr, _correlation_with_halves, 2)
composed_rule(stats.linregress, _line, 2)

# It depends on the order of the numbers alone.
non_differentiable(stats.weightedtau)
