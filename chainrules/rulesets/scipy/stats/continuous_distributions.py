"""Rules for the methods of continuous distributions: densities, probabilities and quantiles.

They are made of what is known of each distribution at ``z = (x - loc) / scale``, in
`chainrules/makers/known_distributions.py`, by the equations in
`chainrules/makers/distribution_methods.py`. The methods of classes of others are differentiated as the
code that they are.
"""

import functools
from copy import copy

import numpy as np
from scipy import stats

from chainrules.makers.distribution_methods import distribution_rule, each
from chainrules.makers.known_distributions import FAMILIES, WITH_SLOPES
from chainrules_core import primal_of

CONTINUOUS = stats.rv_continuous

# --- The methods -------------------------------------------------------------------------------------------


def is_unbounded(at):
    """Whether the distribution is that of angles that go round, and not of those of one turn."""
    return not np.isfinite(at.distribution.b)


def _of_arguments(at, by_x, by_shapes, by_scale_alone=None):
    """The derivatives of a function of ``z`` and the shapes, by `x`, the shapes, `loc` and `scale`."""

    def by_scale():
        through_z = -at.z * once()
        return through_z if by_scale_alone is None else through_z - by_scale_alone()

    once = functools.cache(by_x)

    partials = once, *by_shapes, lambda: -once(), by_scale
    return tuple(
        (lambda partial=partial: at.only_inside(partial())) if callable(partial) else partial
        for partial in partials
    )


def _log_density(at):
    at.keep(np.isfinite(primal_of(at.y)))
    return _of_arguments(
        at,
        lambda: at.score / at.scale,
        each(at.family.scores, lambda score: score(at.z, *at.shapes)),
        lambda: np.divide(1.0, at.scale),
    )


def _density(at):
    at.keep(primal_of(at.y) > 0)
    return _of_arguments(
        at,
        lambda: at.y * at.score / at.scale,
        each(at.family.scores, lambda score: at.y * score(at.z, *at.shapes)),
        lambda: at.y / at.scale,
    )


def _probability(sign):
    """Of `cdf`, or with a negative sign of `sf`."""

    def partials(at):
        y = primal_of(at.y)
        at.keep(np.isfinite(y) if at.family.is_periodic and is_unbounded(at) else (y > 0) & (y < 1))
        return _of_arguments(
            at,
            lambda: sign * at.call(CONTINUOUS.pdf, at.x),
            each(at.family.slopes, lambda slope: sign * slope(at.z, *at.shapes)),
        )

    return partials


def _log_probability(sign):
    """Of `logcdf`, or with a negative sign of `logsf`."""

    def partials(at):
        y = primal_of(at.y)
        at.keep(np.isfinite(y) if at.family.is_periodic and is_unbounded(at) else (y < 0) & (y > -np.inf))
        slopes = at.family.log_below if sign > 0 else at.family.log_above
        if slopes:
            by_shapes = each(slopes, lambda slope: slope(at.z, *at.shapes))
        else:
            by_shapes = each(at.family.slopes, lambda slope: sign * slope(at.z, *at.shapes) * np.exp(-at.y))
        return _of_arguments(at, lambda: sign * np.exp(at.call(CONTINUOUS.logpdf, at.x) - at.y), by_shapes)

    return partials


def _quantile(sign):
    """Of `ppf`, or with a negative sign of `isf`: at 0 and 1 they are the ends of the support."""

    def partials(at):
        p = primal_of(at.x)
        ends = at.family.ends or (None,) * len(at.shapes)

        def by_p():
            return sign / at.call(CONTINUOUS.pdf, at.y)

        def by_shape(slope, end):
            if not callable(slope):
                return slope
            return lambda: quantile_slope(slope, end)

        def quantile_slope(slope, end):
            inside = (p > 0) & (p < 1)
            z = at.standardized(at.y)
            rest = 0.0 * p
            if end is not None and not np.all(inside):
                lower = p if sign > 0 else 1.0 - p
                rest = rest + at.scale * end(lower, z, *at.shapes)
            inner = np.where(inside, z, at.within)
            return np.where(inside, -slope(inner, *at.shapes) / at.call(CONTINUOUS.pdf, at.y), rest)

        return (
            by_p,
            *(by_shape(*pair) for pair in zip(at.family.slopes, ends, strict=True)),
            lambda: np.where(np.isnan(primal_of(at.y)), np.nan, 1.0),
            lambda: at.standardized(at.y),
        )

    return partials


# --- Quantiles of given probabilities ----------------------------------------------------------------------


def _quantile_of(at, p, y):
    """The derivatives of the quantile `y` of a probability."""
    moved = copy(at)
    moved.x, moved.y = p, y
    return _quantile(1.0)(moved)


def _median(at):
    return _quantile_of(at, 0.5, at.y)[1:]


def _interval(at):
    def moved(by_p, *others, sign):
        return lambda: 0.5 * sign * by_p(), *others

    signs = zip((-1.0, 1.0), at.y, strict=True)
    return [moved(*_quantile_of(at, 0.5 + 0.5 * sign * at.x, y), sign=sign) for sign, y in signs]


def _support(at):
    """The ends; an infinite one stays where it is."""

    def end(p, y):
        is_infinite = np.isinf(primal_of(y))
        return each(_quantile_of(at, p, y)[1:], lambda partial: np.where(is_infinite, 0.0, partial()))

    return [end(p, y) for p, y in zip((0.0, 1.0), at.y, strict=True)]


for _method, _families, _partials in (
    (CONTINUOUS.logpdf, FAMILIES, _log_density),
    (CONTINUOUS.pdf, FAMILIES, _density),
    (CONTINUOUS.cdf, WITH_SLOPES, _probability(1.0)),
    (CONTINUOUS.sf, WITH_SLOPES, _probability(-1.0)),
    (CONTINUOUS.logcdf, WITH_SLOPES, _log_probability(1.0)),
    (CONTINUOUS.logsf, WITH_SLOPES, _log_probability(-1.0)),
    (CONTINUOUS.ppf, WITH_SLOPES, _quantile(1.0)),
    (CONTINUOUS.isf, WITH_SLOPES, _quantile(-1.0)),
):
    distribution_rule(_method, CONTINUOUS, _families, _partials)
distribution_rule(CONTINUOUS.interval, CONTINUOUS, WITH_SLOPES, _interval)
for _method, _partials in ((CONTINUOUS.median, _median), (CONTINUOUS.support, _support)):
    distribution_rule(_method, CONTINUOUS, WITH_SLOPES, _partials, 0)
