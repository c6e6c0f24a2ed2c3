"""Rules for the functions of `statistics`, by the derivatives of their definitions.

The standard deviation of equal numbers is at its minimum, 0, and so has the derivative 0. Medians and
quantiles have derivatives by the one or two numbers that they are made of; among equal numbers the first ones
count.
"""

import statistics
from typing import Any

from chainrules.makers.sequences import sequence_rule
from chainrules.values.quotients import quotient_or_zero
from chainrules_core import NO_TANGENT, ZeroTangent, non_differentiable, primal_of


def mean_of(xs):
    return sum(xs) / len(xs)


def deviations(xs, center=None) -> list[Any]:
    """From the mean, or from a number that is given in its stead."""
    center = mean_of(xs) if center is None else center
    return [x - center for x in xs]


# --- Averages ----------------------------------------------------------------------------------------------


def fmean_gradient(y, xs, weights=None):
    if weights is None:
        return [1 / len(xs) for _ in xs], NO_TANGENT
    total = sum(weights)
    return [w / total for w in weights], [(x - y) / total for x in xs]


def harmonic_mean_gradient(y, xs, weights=None):
    ws = [1 for _ in xs] if weights is None else weights
    total = sum(ws)
    ratios = _ratios_to_mean(y, xs, ws)
    by_xs = [w * ratio * ratio / total for w, ratio in zip(ws, ratios, strict=True)]
    return by_xs, NO_TANGENT if weights is None else [y * (1 - ratio) / total for ratio in ratios]


def _ratios_to_mean(y, xs, ws):
    """``y / x``, written without the division at a single zero; several zeros share its limit."""
    places = [place for place, x in enumerate(xs) if primal_of(x) == 0]
    total, at_zero = sum(ws), sum(ws[place] for place in places)
    ratios = [total / at_zero if place in places else y / x for place, x in enumerate(xs)]
    if len(places) == 1:
        (place,) = places
        others = sum(w / x for k, (w, x) in enumerate(zip(ws, xs, strict=True)) if k != place)
        ratios[place] = total / (ws[place] + xs[place] * others)
    return ratios


sequence_rule(statistics.mean, lambda y, xs: ([1 / len(xs) for _ in xs],))
sequence_rule(statistics.fmean, fmean_gradient)
sequence_rule(statistics.geometric_mean, lambda y, xs: ([y / (len(xs) * x) for x in xs],))
sequence_rule(statistics.harmonic_mean, harmonic_mean_gradient)

# --- Order -------------------------------------------------------------------------------------------------


def at_ranks(xs, shares: dict[int, float]) -> list[float]:
    """For each number the share of its rank, counted from 0."""
    partials = [0.0 for _ in xs]
    order = sorted(range(len(xs)), key=xs.__getitem__)
    for rank, share in shares.items():
        partials[order[rank]] += share
    return partials


def median_gradient(y, xs):
    half, is_odd = divmod(len(xs), 2)
    return (at_ranks(xs, {half: 1.0} if is_odd else {half - 1: 0.5, half: 0.5}),)


def median_grouped_gradient(y, xs, interval=1.0):
    middle = sorted(xs)[len(xs) // 2]
    below = sum(x < middle for x in xs)
    equal = sum(x == middle for x in xs)
    # The numbers of the middle class stand for the class, and move together.
    by_xs = [1 / equal if x == middle else 0.0 for x in xs]
    return by_xs, (len(xs) / 2 - below) / equal - 0.5


def quantiles_gradients(ys, xs, *, n: int = 4, method: str = "exclusive"):
    last = len(xs) - 1
    rows = []
    for i in range(1, n):
        place = i * last / n if method == "inclusive" else i * (last + 2) / n - 1
        rank = min(max(int(place // 1), 0), last - 1)
        above = place - rank  # beyond 1, or negative, where the exclusive method extrapolates
        rows.append((at_ranks(xs, {rank: 1 - above, rank + 1: above}),))
    return rows


sequence_rule(statistics.median, median_gradient)
sequence_rule(statistics.median_low, lambda y, xs: (at_ranks(xs, {(len(xs) - 1) // 2: 1.0}),))
sequence_rule(statistics.median_high, lambda y, xs: (at_ranks(xs, {len(xs) // 2: 1.0}),))
sequence_rule(statistics.median_grouped, median_grouped_gradient)
sequence_rule(statistics.quantiles, quantiles_gradients)

# --- Spread ------------------------------------------------------------------------------------------------


def variance_gradient(degrees_of_freedom: int, is_root: bool):
    """The gradient of the variance, or of its square root, divided by n less the degrees of freedom lost."""

    def gradient(y, xs, center=None):
        scale = quotient_or_zero(1, y) if is_root else 2
        apart = [scale * d / (len(xs) - degrees_of_freedom) for d in deviations(xs, center)]
        return apart, NO_TANGENT if center is None else -sum(apart)

    return gradient


sequence_rule(statistics.variance, variance_gradient(1, is_root=False))
sequence_rule(statistics.pvariance, variance_gradient(0, is_root=False))
sequence_rule(statistics.stdev, variance_gradient(1, is_root=True))
sequence_rule(statistics.pstdev, variance_gradient(0, is_root=True))

# --- Relations between two inputs --------------------------------------------------------------------------


def covariance_gradient(y, xs, ys):
    n = len(xs) - 1
    return [d / n for d in deviations(ys)], [d / n for d in deviations(xs)]


def correlation_gradient(r, xs, ys, *, method: str = "linear"):
    if method != "linear":  # of ranks, which are constant between jumps
        return ZeroTangent(), ZeroTangent()
    dxs, dys = deviations(xs), deviations(ys)
    sxx, syy = sum(d * d for d in dxs), sum(d * d for d in dys)
    norm = (sxx * syy) ** 0.5
    by_xs = [dy / norm - r * dx / sxx for dx, dy in zip(dxs, dys, strict=True)]
    by_ys = [dx / norm - r * dy / syy for dx, dy in zip(dxs, dys, strict=True)]
    return by_xs, by_ys


def linear_regression_gradients(line, xs, ys, *, proportional: bool = False):
    slope, n = line.slope, len(xs)
    dxs, dys = (xs, ys) if proportional else (deviations(xs), deviations(ys))
    sxx = sum(d * d for d in dxs)
    by_xs = [(dy - 2 * slope * dx) / sxx for dx, dy in zip(dxs, dys, strict=True)]
    by_ys = [dx / sxx for dx in dxs]
    if proportional:
        return (by_xs, by_ys), (ZeroTangent(), ZeroTangent())
    center = mean_of(xs)
    return (by_xs, by_ys), ([-center * d - slope / n for d in by_xs], [1 / n - center * d for d in by_ys])


sequence_rule(statistics.covariance, covariance_gradient)
sequence_rule(statistics.correlation, correlation_gradient)
sequence_rule(statistics.linear_regression, linear_regression_gradients)

non_differentiable(statistics.mode, statistics.multimode)
