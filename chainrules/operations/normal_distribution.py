"""Functions of normal distributions, as functions of their means and standard deviations.

With ``z = (x - μ) / σ`` the density ``f`` has the derivatives ``f z / σ`` by μ, ``f (z² - 1) / σ`` by σ and
``-f z / σ`` by x; the distribution function has ``-f``, ``-f z`` and ``f``. The overlap of two distributions
is the integral of the lesser density, and changes as each does where it is the lesser one. The ends of these
intervals contribute nothing, since both are equal there.
"""

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from chainrules.values.quotients import quotient_or_zero
from chainrules_core import primal_of, primitive, scalar_rule

log, sqrt = primitive(math.log), primitive(math.sqrt)


@primitive
def density(mu: float, sigma: float, x: float) -> float:
    """The probability density at `x`."""
    return NormalDist(mu, sigma).pdf(x)


@primitive
def probability(mu: float, sigma: float, x: float) -> float:
    """The distribution function: the probability of a value of at most `x`."""
    return NormalDist(mu, sigma).cdf(x)


@primitive
def quantile(mu: float, sigma: float, p: float) -> float:
    """The value that is exceeded with the probability ``1 - p``."""
    return NormalDist(mu, sigma).inv_cdf(p)


@primitive
def standard_score(mu: float, sigma: float, x: float) -> float:
    """How many standard deviations `x` is above the mean."""
    return NormalDist(mu, sigma).zscore(x)


@primitive
def overlap(mu: float, sigma: float, other_mu: float, other_sigma: float) -> float:
    """The area below both densities."""
    return NormalDist(mu, sigma).overlap(NormalDist(other_mu, other_sigma))


@scalar_rule(density)
def _(f: Any, mu: Any, sigma: Any, x: Any) -> tuple[Any, Any, Any]:
    z = (x - mu) / sigma
    return f * z / sigma, f * (z * z - 1) / sigma, -f * z / sigma


@scalar_rule(probability)
def _(p: Any, mu: Any, sigma: Any, x: Any) -> tuple[Any, Any, Any]:
    f = density(mu, sigma, x)
    return -f, -f * ((x - mu) / sigma), f


@scalar_rule(quantile)
def _(x: Any, mu: Any, sigma: Any, p: Any) -> tuple[Any, Any, Any]:
    return 1.0, (x - mu) / sigma, 1 / density(mu, sigma, x)


@scalar_rule(standard_score)
def _(z: Any, mu: Any, sigma: Any, x: Any) -> tuple[Any, Any, Any]:
    return -1 / sigma, -z / sigma, 1 / sigma


@scalar_rule(overlap)
def _(area: Any, mu: Any, sigma: Any, other_mu: Any, other_sigma: Any) -> tuple[Any, Any, Any, Any]:
    here, there = (mu, sigma), (other_mu, other_sigma)
    if tuple(map(primal_of, here)) == tuple(map(primal_of, there)):
        return 0.0, 0.0, 0.0, 0.0  # at the maximum
    is_narrow = primal_of(sigma) < primal_of(other_sigma)
    points = crossings(here, there) if is_narrow else crossings(there, here)
    sign = 1 if is_narrow else -1
    by_mu, by_sigma = outward(here, points)
    by_other_mu, by_other_sigma = outward(there, points)
    return sign * by_mu, sign * by_sigma, -sign * by_other_mu, -sign * by_other_sigma


def crossings(narrow: tuple[Any, Any], wide: tuple[Any, Any]) -> list[tuple[Any, float]]:
    """Where the densities are equal, with 1 where the narrow one is the lesser from there on, else -1.

    One of the two points is far off if the standard deviations are nearly equal. The other one is the
    quotient of the constant term of the quadratic equation and the root, which loses no digits there.
    """
    (mu, sigma), (other_mu, other_sigma) = narrow, wide
    d = other_mu - mu
    side = math.copysign(1.0, primal_of(d))
    excess = other_sigma**2 - sigma**2
    ratio = 2 * log(other_sigma / sigma)
    root = d * sigma**2 + side * sigma * other_sigma * sqrt(d**2 + excess * ratio)
    near = mu + sigma**2 * (d**2 + other_sigma**2 * ratio) / root, side
    return [near, (mu - root / excess, -side)] if primal_of(excess) else [near]


def outward(distribution: tuple[Any, Any], points: list[tuple[Any, float]]) -> tuple[Any, Any]:
    """The derivatives of the probability where the narrow density is the lesser one, by μ and σ."""
    mu, sigma = distribution
    weights = [(side * density(mu, sigma, x), (x - mu) / sigma) for x, side in points]
    return sum(f for f, _ in weights), sum(f * z for f, z in weights)


# --- Distributions of sums and multiples: mean and standard deviation --------------------------------------


@primitive
def added(mu: Any, sigma: Any, other_mu: Any, other_sigma: Any) -> tuple[Any, Any]:
    """The parameters of the sum of two independent values."""
    return mu + other_mu, math.hypot(sigma, other_sigma)


@primitive
def subtracted(mu: Any, sigma: Any, other_mu: Any, other_sigma: Any) -> tuple[Any, Any]:
    """The parameters of the difference of two independent values."""
    return mu - other_mu, math.hypot(sigma, other_sigma)


@primitive
def shifted(mu: Any, sigma: Any, c: Any) -> tuple[Any, Any]:
    """The parameters of a value plus a constant."""
    return mu + c, sigma


@primitive
def shifted_back(mu: Any, sigma: Any, c: Any) -> tuple[Any, Any]:
    """The parameters of a value less a constant."""
    return mu - c, sigma


@primitive
def mirrored(mu: Any, sigma: Any, c: Any) -> tuple[Any, Any]:
    """The parameters of a constant less a value."""
    return c - mu, sigma


@primitive
def scaled(mu: Any, sigma: Any, c: Any) -> tuple[Any, Any]:
    """The parameters of a multiple of a value."""
    return mu * c, sigma * abs(c)


@primitive
def divided(mu: Any, sigma: Any, c: Any) -> tuple[Any, Any]:
    """The parameters of a fraction of a value."""
    return mu / c, sigma / abs(c)


def _independent_rules(primal: Any, sign: float) -> None:
    @scalar_rule(primal)
    def _(y: Any, mu: Any, sigma: Any, other_mu: Any, other_sigma: Any) -> Any:
        _, both = y
        by_sigmas = 0.0, quotient_or_zero(sigma, both), 0.0, quotient_or_zero(other_sigma, both)
        return (1.0, 0.0, sign, 0.0), by_sigmas


_independent_rules(added, 1.0)
_independent_rules(subtracted, -1.0)
scalar_rule(shifted, lambda y, mu, sigma, c: ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
scalar_rule(shifted_back, lambda y, mu, sigma, c: ((1.0, 0.0, -1.0), (0.0, 1.0, 0.0)))
scalar_rule(mirrored, lambda y, mu, sigma, c: ((-1.0, 0.0, 1.0), (0.0, 1.0, 0.0)))


@scalar_rule(scaled)
def _(y: Any, mu: Any, sigma: Any, c: Any) -> Any:
    return (c, 0.0, mu), (0.0, abs(c), sigma * np.sign(primal_of(c)))


@scalar_rule(divided)
def _(y: Any, mu: Any, sigma: Any, c: Any) -> Any:
    y_mu, y_sigma = y
    return (1 / c, 0.0, -y_mu / c), (0.0, 1 / abs(c), -y_sigma / c)
