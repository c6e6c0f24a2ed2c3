"""Derivatives of means over distributions, by their shapes: of moments and entropies.

With the density ``f`` and the probability ``F`` of a distribution, and a statistic `g` that is held fixed::

    ∂E[g]/∂θ = E[g s] = -∫ g' ∂F/∂θ dz,    s = ∂ log f/∂θ

The first form is for distributions on all numbers. The second one holds where an end of the support moves,
and is exact where the density is infinite at one: M. Figurnov, S. Mohamed and A. Mnih, "Implicit
reparameterization gradients", 2018, (4). The entropy is the mean of ``g = -log f``, whose own derivative adds
``-E[s]``. Over a discrete distribution ``E[g s]`` is a sum.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import stats

from chainrules.formulas.probabilities.integrals_of_scores import integral_to_end
from chainrules.makers.distribution_methods import Evaluation, each
from chainrules_core import NoDerivativeError, primal_of, primitive

_log_density = primitive(stats.rv_continuous.logpdf)
_log_mass, _mass = primitive(stats.rv_discrete.logpmf), primitive(stats.rv_discrete.pmf)
_quantile = primitive(stats.rv_continuous.ppf)
_probability, _complement = primitive(stats.rv_continuous.cdf), primitive(stats.rv_continuous.sf)

# Where the density is less, nothing of an integral is left.
_LOG_LEAST = -700.0
# The part of a mean that places of integration may miss, as SciPy's own integrals do.
_MISSED = 1e-7

# The probability beyond each of the quantiles at which integrals are cut into pieces.
_TAIL = 0.02

# Points in the support at which the density is not smooth, as functions of the shapes.
_KINKS: dict[type, Callable[..., tuple[Any, ...]]] = {
    **{
        type(instance): lambda *shapes: (0.0,)
        for instance in (
            stats.dgamma,
            stats.dweibull,
            stats.gennorm,
            stats.laplace_asymmetric,
            stats.skewcauchy,
        )
    },
    type(stats.loglaplace): lambda c: (1.0,),
    type(stats.triang): lambda c: (c,),
    type(stats.trapezoid): lambda c, d: (c, d),
    type(stats.crystalball): lambda beta, m: (-beta, 0.0),
}


# The methods of SciPy with a formula without the shape, for shapes where the derivative by it is not 0.
# For lesser ones its code takes a constant as skewness or kurtosis, and the variance loses its digits.
_SMALL, _SKEWNESS = 1e-3, 3
WITHOUT_SHAPES: dict[type, tuple[str, Callable[..., Any]]] = {
    type(stats.genextreme): ("_stats", lambda c: np.abs(c) < _SMALL),
    type(stats.genpareto): ("_munp", lambda n, c: c == 0),
    type(stats.trapezoid): ("_munp", lambda n, c, d: (d == 0) | (d == 1)),
    type(stats.truncpareto): ("_munp", lambda n, b, c: n == b),
    type(stats.vonmises): ("_entropy", lambda kappa: kappa == 0),
}
# The classes whose formulas call compiled functions that have no rule: of moments, and of the entropy.
_COMPILED = (
    {type(x) for x in (stats.ncf, stats.nct, stats.nbinom, stats.zipfian, stats.nchypergeom_fisher)},
    {
        type(x)
        for x in (stats.gompertz, stats.invgauss, stats.skellam, stats.zipfian, stats.nchypergeom_fisher)
    },
)
# The most numbers that a sum goes over, and the probability beyond the first third of a tail.
_MOST, _LEAST = 1e6, 1e-14


def has_formula(distribution: Any, orders: Any, args: Any, named: Any) -> bool:
    """Whether SciPy has a formula in Python, with the shapes in it, for the moments of some orders.

    Parameters
    ----------
    distribution, args, named
        The distribution, and its parameters as they are given.
    orders
        Those of the moments; `None` for the entropy.
    """
    kind = type(distribution)
    if kind in _COMPILED[orders is None]:
        return False
    if isinstance(distribution, stats.rv_discrete):
        return True
    named = {name: x for name, x in named.items() if name != "moments"}
    shapes, _, _ = distribution._parse_args(*args, **named)  # noqa: SLF001 - nothing else orders them
    shapes = tuple(map(primal_of, shapes))
    name, is_special = WITHOUT_SHAPES.get(kind, ("", np.isnan))
    if orders is None:
        return kind._entropy is not stats.rv_continuous._entropy and not (  # noqa: SLF001 - whether SciPy has a formula
            name == "_entropy" and np.any(is_special(*shapes))
        )
    if name == "_stats" and max(orders, default=0) < _SKEWNESS and np.all(shapes[0] == 0):
        return False
    if kind._munp is not stats.rv_continuous._munp:  # noqa: SLF001 - as above
        return not (name == "_munp" and any(np.any(is_special(n, *shapes)) for n in orders))
    options = {"moments": "mvsk"} if distribution._stats_has_moments else {}  # noqa: SLF001 - as above
    with np.errstate(all="ignore"):
        known = distribution._stats(*shapes, **options)  # noqa: SLF001 - as above
    return all(n <= len(known) and known[n - 1] is not None for n in orders)


def slopes_of_mean(at: Evaluation, mean: Any, statistic: Any, change: Any) -> list[Any]:
    """By each shape, the function that gives the derivative of a mean, or the reason why there is none.

    Parameters
    ----------
    at
        The evaluation.
    mean
        The mean, as SciPy has it. The derivative is NaN where it is not finite.
    statistic, change
        ``g(z, *shapes)`` and its derivative by `z`.

    Raises
    ------
    NoDerivativeError
        Of the functions, where the integral that gives the mean, at the same places, does not.
    """
    if at.family.score is None:
        return _by_sums(at, mean, statistic)

    def form(place: int, points: list[Any]) -> Any:
        slope: Any = at.family.slopes[place]
        score: Any = at.family.scores[place]
        start = np.expand_dims(primal_of(points[1]), -1)

        def mean_beyond_start(z: Any, density: Any, *shapes: Any) -> Any:
            """``E[g] = g(c) + ∫ g' (1 - F) dz`` from `c` on, and ``-∫ g' F dz`` up to it."""
            below, above = (f(at.distribution, z, *shapes) for f in (_probability, _complement))
            return change(z, *shapes) * np.where(z < start, -below, above)

        if np.isinf(primal_of(points[0])).all() and np.isinf(primal_of(points[-1])).all():

            def integrand(z: Any, density: Any, *shapes: Any) -> Any:
                return statistic(z, *shapes) * score(z, *shapes) * density

        else:

            def integrand(z: Any, density: Any, *shapes: Any) -> Any:
                return -change(z, *shapes) * slope(z, *shapes)

        return integrand, mean_beyond_start, statistic(start)[..., 0]

    return _by_each(at, mean, form)


def slopes_of_entropy(at: Evaluation, entropy: Any) -> list[Any]:
    """By each shape, the function that gives the derivative of the entropy at the scale 1."""
    family = at.family

    if family.score is None:
        return _by_sums(at, entropy, lambda k, *shapes: -_log_mass(at.distribution, k, *shapes))

    def surprise(z: Any, *shapes: Any) -> Any:
        return -_log_density(at.distribution, z, *shapes)

    def form(place: int, points: list[Any]) -> Any:
        slope: Any = family.slopes[place]
        score: Any = family.scores[place]
        if family.ends:

            def integrand(z: Any, density: Any, *shapes: Any) -> Any:
                return family.score(z, *shapes) * slope(z, *shapes) - score(z, *shapes) * density

        else:

            def integrand(z: Any, density: Any, *shapes: Any) -> Any:
                return surprise(z, *shapes) * score(z, *shapes) * density

        return integrand, lambda z, density, *shapes: surprise(z, *shapes) * density, 0.0

    return _by_each(at, entropy, form)


def _check(at: Evaluation, value: Any, found: Any, size: Any) -> None:
    """Raise if a mean is not what SciPy has for it."""
    if np.any(np.isfinite(value) & ~(np.abs(found - value) <= _MISSED * size)):
        raise NoDerivativeError(
            f"scipy.stats.{at.distribution.name}: the integral or sum of the derivative by a shape is "
            f"not accurate: for the value, {value}, the same one gives {found}."
        )


def _by_each(at: Evaluation, mean: Any, form: Any) -> list[Any]:
    def slope(place: int) -> Any:
        points = _points(at)
        integrand, part, rest = form(place, points)
        value, rest = primal_of(mean), primal_of(rest)
        found, size = (
            g(rest) + primal_of(_integral(at, lambda *args, g=g: g(part(*args)), points, primal_of))
            for g in (np.positive, np.abs)
        )
        _check(at, value, found, size)
        return np.where(np.isfinite(value), _integral(at, integrand, points), np.nan)[()]

    return [
        (lambda place=place: slope(place)) if callable(known) else known
        for place, known in enumerate(at.family.slopes)
    ]


def _by_sums(at: Evaluation, mean: Any, statistic: Any) -> list[Any]:
    """Those of a discrete distribution."""

    def slope(score: Any) -> Any:
        values = tuple(map(primal_of, at.shapes))
        low, high = at.distribution.support(*values)
        middle, last = (at.distribution.isf(p, *values) for p in (0.5, _LEAST))
        high = np.where(np.isfinite(high), high, middle + 3.0 * (last - middle))
        low = np.where(np.isfinite(low), low, middle - 3.0 * (middle - at.distribution.ppf(_LEAST, *values)))
        low, high = np.nan_to_num(low), np.nan_to_num(high)
        first, last = np.min(low, initial=np.inf), np.max(high, initial=-np.inf)
        k = np.arange(first, min(last, first + _MOST) + 1.0) if np.size(low) else np.zeros(1)
        inside = (k >= np.expand_dims(low, -1)) & (k <= np.expand_dims(high, -1))
        k = np.where(inside, k, np.expand_dims(low, -1))
        shapes = [np.expand_dims(x, -1) for x in at.shapes]
        mass = _mass(at.distribution, k, *shapes)
        inside &= primal_of(mass) > 0
        k = np.where(inside, k, np.expand_dims(middle, -1))
        terms = np.where(inside, statistic(k, *shapes) * mass, 0.0)
        found = primal_of(np.sum(terms, -1))
        _check(at, primal_of(mean), found, np.sum(np.abs(primal_of(terms)), -1))
        return np.sum(terms * score(k, *shapes), -1)

    return each(at.family.scores, slope)


def _points(at: Evaluation) -> list[Any]:
    """The ends of the support; and between them quantiles, and points where the density is not smooth."""
    values = tuple(map(primal_of, at.shapes))
    first, median, last = (_quantile(at.distribution, p, *values) for p in (_TAIL, 0.5, 1.0 - _TAIL))
    if at.family.is_periodic:
        low, high = -np.pi, np.pi
    else:
        moving = at.shapes if at.family.ends else values
        low, high = (_quantile(at.distribution, p, *moving) for p in (0.0, 1.0))
    kinks = _KINKS.get(type(at.distribution))
    if kinks is None:
        return [low, first, median, last, high]
    at_kinks = kinks(*at.shapes)
    inner = [np.minimum(np.maximum(kink, first), last) for kink in at_kinks]
    return [low, np.minimum(first, at_kinks[0]), *inner, np.maximum(last, at_kinks[-1]), high]


def _integral(at: Evaluation, integrand: Any, points: list[Any], part: Any = lambda x: x) -> Any:
    """The integral over the support, in pieces; of all values that it takes, `part` is taken."""
    low, *inner, high = map(part, points)
    centre = np.expand_dims(primal_of(inner[0]), -1)

    def log_density(z: Any, *shapes: Any) -> Any:
        return _log_density(at.distribution, z, *shapes)

    def of_rest(z: Any, *shapes: Any) -> Any:
        is_left = primal_of(log_density(primal_of(z), *map(primal_of, shapes))) > _LOG_LEAST
        z = np.where(is_left, z, centre)
        return np.where(is_left, integrand(z, np.exp(log_density(z, *shapes)), *shapes), 0.0)

    pieces = [(inner[0], -1.0, low), (inner[-1], 1.0, high)]
    pieces += [(near, 1.0, far) for near, far in pairwise(inner)]
    shapes = tuple(map(part, at.shapes))
    return sum(integral_to_end(of_rest, log_density, *piece, *shapes) for piece in pieces)
