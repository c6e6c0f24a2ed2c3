"""What is known of the discrete distributions of `scipy.stats`.

Most are given by their equations, in `chainrules/formulas/probabilities/discrete_distributions.py`. Those
here have formulas of their own: the ones of the mean μ and the probability p, with the probabilities
``f(k)``, are::

    poisson   ∂ log f/∂μ = k/μ - 1                ∂f/∂μ = f(k - 1) - f(k)                  ∂F/∂μ = -f(k)
    binom     ∂ log f/∂p = k/p - (n - k)/(1 - p)  ∂f/∂p = n (f(k - 1; n - 1) - f(k; n - 1))
                                                  ∂F/∂p = -n f(k; n - 1)
    skellam   the difference of two of `poisson`: ∂f/∂μ₁ = f(k - 1) - f(k)                 ∂F/∂μ₁ = -f(k)

Numbers of events and trials have no tangents: https://dlmf.nist.gov/8.17#iii.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

from chainrules.formulas.calls.partial_derivatives import partial_derivative
from chainrules.formulas.probabilities.discrete_distributions import STANDARDS
from chainrules.formulas.probabilities.standard_formulas import Standard
from chainrules.makers.distribution_methods import Family, Slope
from chainrules.makers.standard_families import family_of
from chainrules.operations.zeta import zeta_derivative
from chainrules_core import primal_of, primitive

Function = Callable[..., Any]

_mass = primitive(stats.rv_discrete.pmf)
_above = primitive(stats.rv_discrete.sf)

# --- Formulas of some --------------------------------------------------------------------------------------


def _quotient(k: Any, p: Any) -> Any:
    """``k / p``, also for an impossible event that did not happen."""
    return np.where(k == 0, 0.0, k / np.where(k == 0, 1.0, p))


def _binomial_score(k: Any, n: Any, p: Any) -> Any:
    return _quotient(k, p) - _quotient(n - k, 1.0 - p)


def _fewer(k: Any, n: Any, p: Any) -> Any:
    """``n f(k; n - 1, p)``."""
    n = primal_of(n)
    return n * _mass(stats.binom, k, np.maximum(n - 1, 0), p)


def _skellam_change(step: float) -> Function:
    """``f(k + step) - f(k)``."""
    return lambda k, a, b: _mass(stats.skellam, k + step, a, b) - _mass(stats.skellam, k, a, b)


def _of_mass(instance: Any, change: Function) -> Function:
    """A change of a mass as a part of it."""
    return lambda k, *shapes: change(k, *shapes) / _mass(instance, k, *shapes)


@cache
def _is_rounded(instance: Any) -> bool:
    """Whether a probability beside a whole number is that of the one below, as of most."""
    shapes = (0.5,) * instance.numargs
    return bool(np.isnan(instance.sf(1.5, *shapes)) or instance.sf(1.5, *shapes) == instance.sf(1.0, *shapes))


def _logarithmic_score(k: Any, p: Any) -> Any:
    return k / p + 1.0 / ((1.0 - p) * np.log1p(-p))


def _logarithmic_slope(k: Any, p: Any) -> Any:
    """``∂F/∂p``: the sum of all terms after k is an incomplete beta function."""
    log_rest = np.log1p(-p)
    return (p**k - _above(stats.logser, k, p)) / ((1.0 - p) * log_rest)


def _logarithmic_log_above(k: Any, p: Any) -> Any:
    """``∂ log(1 - F)/∂p``."""
    k = np.floor(k) if _is_rounded(stats.logser) else k
    return -_logarithmic_slope(k, p) / _above(stats.logser, k, p)


def _zeta_slope(a: Any, first: Any) -> Any:
    """The derivative of ``log Σ j^-a`` by `a`, over the numbers from the first on."""
    return zeta_derivative(1, a, first) / zeta_derivative(0, a, first)


def _zeta_score(k: Any, a: Any) -> Any:
    return -np.log(k) - _zeta_slope(a, 1.0)


def _zeta_log_above(k: Any, a: Any) -> Any:
    return _zeta_slope(a, np.floor(k) + 1.0) - _zeta_slope(a, 1.0)


# --- Sums over all numbers that may be ---------------------------------------------------------------------


def _support(instance: Any, shapes: Any) -> tuple[Any, Any]:
    low, high = instance._get_support(*map(primal_of, shapes))  # noqa: SLF001 - the public method is slow
    return low, high


def _numbers(low: Any, high: Any, *others: Any) -> Any:
    """The numbers of all sums, along a first axis, before those of all arguments; bad ones have none."""
    last = np.max(np.nan_to_num(high), initial=0.0)
    first = np.min(np.nan_to_num(low, nan=last), initial=last)
    ndim = len(np.broadcast_shapes(*(np.shape(primal_of(x)) for x in others)))
    return np.reshape(np.arange(first, last + 1.0), (-1, *(1,) * ndim))


def slope_by_sum(instance: Any, score: Function) -> Function:
    """The function ``∂F/∂θ`` of ``k, *shapes``, from ``∂ log f/∂θ``.

    The sum goes over the numbers up to k, or from there on if there is an end which is nearer.
    """

    def slope(k: Any, *shapes: Any) -> Any:
        low, high = _support(instance, shapes)
        k = np.floor(k)
        is_low = k <= np.where(np.isfinite(high), 0.5 * (low + high), np.inf)
        first, last = np.where(is_low, low, k + 1.0), np.where(is_low, k, high)
        j = _numbers(first, last, k, *shapes)
        inside = np.clip(j, low, high)
        terms = _mass(instance, inside, *shapes) * score(inside, *shapes)
        total = np.sum(np.where((j >= first) & (j <= last), terms, 0.0), axis=0)
        return np.where(is_low, total, -total)

    return slope


def _less_its_mean(instance: Any, statistic: Function, factor: Function) -> Function:
    """The score of a family of exponentials: a statistic, less its mean over a finite support."""

    def score(k: Any, *shapes: Any) -> Any:
        low, high = _support(instance, shapes)
        j = _numbers(low, high, k, *shapes)
        mean = np.sum(_mass(instance, j, *shapes) * statistic(j), axis=0)
        return (statistic(k) - mean) * factor(*shapes)

    return score


_odds_score = _less_its_mean(stats.nchypergeom_fisher, lambda k: k, lambda m, n, draws, odds: 1.0 / odds)
_power_score = _less_its_mean(stats.zipfian, np.log, lambda a, n: -1.0)

# --- The table ---------------------------------------------------------------------------------------------

_WHOLE = {"n", "N", "M", "r", "low", "high"}


def _is_whole(instance: Any) -> list[bool]:
    """Of each shape, whether it is a number of things; that of `nbinom` need not be one."""
    names = (instance.shapes or "").split(", ")
    return [name in _WHOLE and instance.name != "nbinom" for name in names if name]


def _family(instance: Any, standard: Standard) -> Family:
    """What the rules of a distribution need, from its equations."""
    whole = _is_whole(instance)

    def real(slopes: Any) -> tuple[Slope, ...]:
        return tuple(None if is_whole else slope for is_whole, slope in zip(whole, slopes, strict=True))

    def rounded(slope: Any) -> Function:
        return slope if not _is_rounded(instance) else lambda k, *shapes: slope(np.floor(k), *shapes)

    scores = [partial_derivative(standard.log_density, place) for place in range(1, len(whole) + 1)]
    if standard.probability or standard.log_above:
        known = family_of(standard, len(whole), (instance.a, instance.b))
        slopes, log_above = known.slopes, known.log_above
    else:
        slopes, log_above = tuple(slope_by_sum(instance, score) for score in scores), ()
    return Family(
        None,
        real(scores),
        real(map(rounded, slopes)),
        real(_density_slope(instance, score) for score in scores),
        within=standard.within,
        log_above=real(map(rounded, log_above)) if log_above else (),
        is_inside=True,
    )


def _density_slope(instance: Any, score: Function) -> Function:
    return lambda k, *shapes: _mass(instance, k, *shapes) * score(k, *shapes)


def _of_scores(instance: Any, score: Function) -> Family:
    """Of a distribution whose only real shape has this score."""
    whole = _is_whole(instance)

    def real(slope: Function) -> tuple[Slope, ...]:
        return tuple(None if is_whole else slope for is_whole in whole)

    densities = real(_density_slope(instance, score))
    return Family(
        None, real(score), real(slope_by_sum(instance, score)), densities, within=1.0, is_inside=True
    )


def _of_numbers(instance: Any) -> Family:
    """Of a distribution whose shapes are numbers of things."""
    nothing = (None,) * instance.numargs
    return Family(None, nothing, nothing, nothing)


FAMILIES: dict[type, Family] = {
    type(stats.poisson): Family(
        None,
        (lambda k, mu: _quotient(k, mu) - 1.0,),
        (lambda k, mu: -_mass(stats.poisson, np.floor(k), mu),),
        (lambda k, mu: _mass(stats.poisson, k - 1.0, mu) - _mass(stats.poisson, k, mu),),
    ),
    type(stats.binom): Family(
        None,
        (None, _binomial_score),
        (None, lambda k, n, p: -_fewer(np.floor(k), n, p)),
        (None, lambda k, n, p: _fewer(k - 1.0, n, p) - _fewer(k, n, p)),
    ),
    type(stats.skellam): Family(
        None,
        tuple(_of_mass(stats.skellam, _skellam_change(step)) for step in (-1.0, 1.0)),
        (
            lambda k, a, b: -_mass(stats.skellam, np.floor(k), a, b),
            lambda k, a, b: _mass(stats.skellam, np.floor(k) + 1.0, a, b),
        ),
        (_skellam_change(-1.0), _skellam_change(1.0)),
    ),
    type(stats.logser): Family(
        None,
        (_logarithmic_score,),
        (lambda k, p: _logarithmic_slope(np.floor(k), p),),
        (lambda k, p: _mass(stats.logser, k, p) * _logarithmic_score(k, p),),
        within=1.0,
        log_above=(_logarithmic_log_above,),
        is_inside=True,
    ),
    type(stats.zipf): Family(
        None,
        (_zeta_score,),
        (lambda k, a: -_above(stats.zipf, k, a) * _zeta_log_above(k, a),),
        (lambda k, a: _mass(stats.zipf, k, a) * _zeta_score(k, a),),
        within=1.0,
        log_above=(_zeta_log_above,),
        is_inside=True,
    ),
    type(stats.nchypergeom_fisher): _of_scores(stats.nchypergeom_fisher, _odds_score),
    type(stats.zipfian): _of_scores(stats.zipfian, _power_score),
    **{
        type(instance): _of_numbers(instance)
        for instance in (stats.hypergeom, stats.nhypergeom, stats.randint)
    },
}
# Some are not in every version of SciPy.
FAMILIES |= {
    type(instance): _family(instance, standard)
    for name, standard in STANDARDS.items()
    if (instance := getattr(stats, name, None)) is not None
}
