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

from chainrules.formulas.probabilities.borders_of_supports import slope_at_end
from chainrules.formulas.probabilities.far_tails import FAR_BY_SHAPES, is_far, slope_of_log_probability
from chainrules.makers.distribution_methods import distribution_rule, each
from chainrules.makers.known_distributions import FAMILIES
from chainrules.operations.unknown_slopes import unknown_slope
from chainrules.values.iterables import item_tangents, iterable_cotangent
from chainrules.values.operands import ArrayOperand, OperandInLists
from chainrules_core import NO_TANGENT, AbstractZero, frule, primal_of, primitive, rrule, typeof_, unthunk

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


def _density_at(at, x):
    if at.family.density is None:
        return at.call(CONTINUOUS.pdf, x)
    return at.family.density(at.standardized_everywhere(x), *at.shapes) / at.scale


def _log_density(at):
    y = primal_of(at.y)
    at.keep(np.isfinite(y) if at.family.density is None else primal_of(_density_at(at, at.x)) > 0)
    return _of_arguments(
        at,
        lambda: at.score / at.scale,
        each(at.family.scores, lambda score: score(at.z, *at.shapes)),
        lambda: np.divide(1.0, at.scale),
    )


def _density(at):
    y = at.y if at.family.density is None else _density_at(at, at.x)
    at.keep(primal_of(y) > 0)
    partials = _of_arguments(
        at,
        lambda: y * at.score / at.scale,
        each(at.family.scores, lambda score: y * score(at.z, *at.shapes)),
        lambda: y / at.scale,
    )

    def slope():
        def density(z):
            return primitive(CONTINUOUS.pdf)(at.distribution, z, *at.shapes)

        z = at.standardized_everywhere(at.x)
        z = np.where(inwards == 0.0, at.within, z)
        found = slope_at_end(density, lambda z: at.family.score(z, *at.shapes), primal_of(z), inwards)
        return (found + unknown_slope(z)) / at.scale**2

    inwards = _inwards_from_end(at, primal_of(at.y) == 0.0)
    return _with_ends(at, partials, inwards, slope)


def _is_on_line(at):
    """Where the probability rises on and on; at infinity SciPy ends it with 0 or 1."""
    return np.isfinite(primal_of(at.y)) & np.isfinite(primal_of(at.standardized_everywhere(at.x)))


def _inwards_from_end(at, is_constant_beyond):
    """The sign of the way into the support at an end of it, and 0 elsewhere."""
    if at.inside is np.True_:
        return np.float64(0.0)
    z = primal_of(at.standardized_everywhere(at.x))
    lower, upper = at.distribution._get_support(*map(primal_of, at.shapes))  # noqa: SLF001 - of standard position
    is_end = is_constant_beyond & np.isfinite(z)
    return 1.0 * (is_end & (z == lower)) - 1.0 * (is_end & (z == upper))


def _is_end(at, z):
    """Whether a point is an end of the support."""
    lower, upper = at.distribution._get_support(*map(primal_of, at.shapes))  # noqa: SLF001 - of standard position
    return (primal_of(z) == lower) | (primal_of(z) == upper)


def _with_ends(at, partials, inwards, slope):
    """The derivatives, one-sided from within at the ends of the support, which may move.

    There the result is the same wherever the end is: its derivative by a parameter that moves the end is
    minus that by `x`, the `slope`, times how fast the end moves.
    """
    if np.all(inwards == 0.0):
        return partials
    slope = functools.cache(slope)
    z = np.where(inwards == 0.0, at.within, at.standardized_everywhere(at.x))
    ends = at.family.ends or (None,) * len(at.shapes)

    def by_end(end):
        return end and (lambda: -slope() * at.scale * end(0.5 - 0.5 * inwards, z, *at.shapes))

    def one_sided(partial, at_end):
        if not callable(partial) or at_end is None:
            return partial
        return lambda: np.where(inwards == 0.0, partial(), at_end())

    moved = *map(by_end, ends), lambda: -slope(), lambda: np.where(z == 0.0, 0.0, -z * slope())
    return tuple(map(one_sided, partials, (slope, *moved)))


def _probability(sign):
    """Of `cdf`, or with a negative sign of `sf`."""

    def partials(at):
        def by_x():
            return sign * _density_at(at, at.x)

        y = primal_of(at.y)
        at.keep(_is_on_line(at) if at.family.is_periodic and is_unbounded(at) else (y > 0) & (y < 1))
        by_shapes = each(at.family.slopes, lambda slope: sign * slope(at.z, *at.shapes))
        return _with_ends(at, _of_arguments(at, by_x, by_shapes), _inwards_from_end(at, np.isfinite(y)), by_x)

    return partials


def _log_probability(sign):
    """Of `logcdf`, or with a negative sign of `logsf`."""

    def partials(at):
        y = primal_of(at.y)
        far = is_far(y)
        is_near = not np.any(far)
        far_by_shapes = far if is_near else far & is_far(y, FAR_BY_SHAPES)

        def by_x():
            if at.family.density is not None:
                return sign * _density_at(at, at.x) * np.exp(-at.y)
            log_ratio = at.call(CONTINUOUS.logpdf, at.x) - at.y
            if is_near:
                return sign * np.exp(log_ratio)
            by_series = slope_of_log_probability(at.family.score, at.z, at.shapes, y, far) / at.scale
            return np.where(far, by_series, sign * np.exp(np.where(far, 0.0, log_ratio)))

        def by_shape(slope):
            return sign * slope(at.z, *at.shapes) * np.exp(-at.y)

        def far_by_shape(slope, score):
            if not (callable(slope) and callable(score)):
                return slope
            return lambda: np.where(far_by_shapes, score(at.z, *at.shapes), by_shape(slope))

        at.keep(_is_on_line(at) if at.family.is_periodic and is_unbounded(at) else (y < 0) & (y > -np.inf))
        slopes = at.family.log_below if sign > 0 else at.family.log_above
        if slopes:
            by_shapes = each(slopes, lambda slope: slope(at.z, *at.shapes))
        else:
            by_shapes = each(at.family.slopes, by_shape)
        if not (slopes or is_near):
            by_shapes = list(map(far_by_shape, at.family.slopes, at.family.scores))
        return _with_ends(at, _of_arguments(at, by_x, by_shapes), _inwards_from_end(at, np.isfinite(y)), by_x)

    return partials


def _quantile(sign, method=None):
    """Of `ppf`, or with a negative sign of `isf`: at 0 and 1 they are the ends of the support.

    A quantile next to an end may be rounded to it, where it is added to `loc`. Then the `method` finds it
    again without `loc`. One that underflows moves with the end.
    """

    def partials(at):
        p = primal_of(at.x)
        is_inner = (p > 0) & (p < 1)
        ends = at.family.ends or (None,) * len(at.shapes)

        @functools.cache
        def standard():
            z = at.standardized(at.y)
            is_lost = is_inner & _is_end(at, z)
            if method is None or not np.any(is_lost):
                return z, is_inner, lambda: _density_at(at, at.y)
            unmoved = copy(at)
            unmoved.loc, unmoved.scale = np.zeros_like(at.loc), np.ones_like(at.scale)
            z = np.where(is_lost, unmoved.call(method, at.x), z)
            return z, is_inner & ~_is_end(at, z), lambda: _density_at(unmoved, z) / at.scale

        def by_p():
            return sign / standard()[2]()

        def by_shape(slope, end):
            if not callable(slope):
                return slope
            return lambda: quantile_slope(slope, end)

        def quantile_slope(slope, end):
            z, inside, density = standard()
            rest = 0.0 * p
            if end is not None and not np.all(inside):
                lower = p if sign > 0 else 1.0 - p
                rest = rest + at.scale * end(lower, z, *at.shapes)
            inner = np.where(inside, z, at.within)
            return np.where(inside, -slope(inner, *at.shapes) / density(), rest)

        return (
            by_p,
            *(by_shape(*pair) for pair in zip(at.family.slopes, ends, strict=True)),
            lambda: np.where(np.isnan(primal_of(at.y)), np.nan, 1.0),
            lambda: standard()[0],
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


def _sample(at):
    """Of a drawn number, as the quantile of the probability that was drawn."""
    return _quantile_of(at, 0.5, at.y)[1:]


def _interval(at):
    def moved(by_p, *others, sign):
        return lambda: 0.5 * sign * by_p(), *others

    signs = zip((-1.0, 1.0), at.y, strict=True)
    return [moved(*_quantile_of(at, 0.5 + 0.5 * sign * at.x, y), sign=sign) for sign, y in signs]


def _support(at):
    """The ends; an infinite one stays where it is, and so does that of bad parameters."""
    ends = at.family.ends or (None,) * len(at.shapes)

    def end(p, y):
        def by(partial):
            return np.where(np.isfinite(primal_of(y)), partial(at.standardized(y)), 0.0)

        moved = (end and (lambda z, end=end: at.scale * end(p, z, *at.shapes)) for end in ends)
        return each((*moved, np.ones_like, lambda z: z), by)

    return [end(p, y) for p, y in zip((0.0, 1.0), at.y, strict=True)]


for _method, _families, _partials in (
    (CONTINUOUS.logpdf, FAMILIES, _log_density),
    (CONTINUOUS.pdf, FAMILIES, _density),
    (CONTINUOUS.cdf, FAMILIES, _probability(1.0)),
    (CONTINUOUS.sf, FAMILIES, _probability(-1.0)),
    (CONTINUOUS.logcdf, FAMILIES, _log_probability(1.0)),
    (CONTINUOUS.logsf, FAMILIES, _log_probability(-1.0)),
    (CONTINUOUS.ppf, FAMILIES, _quantile(1.0, CONTINUOUS.ppf)),
    (CONTINUOUS.isf, FAMILIES, _quantile(-1.0, CONTINUOUS.isf)),
):
    distribution_rule(_method, CONTINUOUS, _families, _partials)
distribution_rule(CONTINUOUS.interval, CONTINUOUS, FAMILIES, _interval)
for _method, _partials in (
    (CONTINUOUS.median, _median),
    (CONTINUOUS.support, _support),
    (CONTINUOUS.rvs, _sample),
):
    distribution_rule(_method, CONTINUOUS, FAMILIES, _partials, 0)


# --- The negative logarithm of a likelihood ----------------------------------------------------------------


_likelihood = primitive(CONTINUOUS.nnlf)


@frule.dispatch
def nnlf_frule(
    tangents, f: typeof_(CONTINUOUS.nnlf), self: CONTINUOUS, theta: OperandInLists, x: ArrayOperand
):
    """``y = -Σ log f(x)``, with the parameters in one sequence."""
    dots = NO_TANGENT, NO_TANGENT, tangents[3], *item_tangents(tangents[2], len(theta))
    answer = frule(dots, CONTINUOUS.logpdf, self, x, *theta)
    y = _likelihood(self, theta, x)
    if answer is None or isinstance(answer[1], AbstractZero):
        return answer and (y, NO_TANGENT)
    return y, -np.sum(answer[1], axis=0)


@rrule.dispatch
def nnlf_rrule(f: typeof_(CONTINUOUS.nnlf), self: CONTINUOUS, theta: OperandInLists, x: ArrayOperand):
    """Pull back by ``log f``; outside of the support the likelihood is 0, and stays so."""
    answer = rrule(CONTINUOUS.logpdf, self, x, *theta)
    if answer is None:
        return None
    log_densities, pullback = answer

    def nnlf_pullback(y_bar):
        _, _, x_bar, *bars = pullback(-y_bar * np.ones_like(primal_of(log_densities)))
        return NO_TANGENT, NO_TANGENT, iterable_cotangent(theta, list(theta), list(map(unthunk, bars))), x_bar

    return _likelihood(self, theta, x), nnlf_pullback
