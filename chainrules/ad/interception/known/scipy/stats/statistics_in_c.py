"""Statistics of samples that SciPy computes in compiled code: the functions in C, in NumPy.

P. Royston, "Remark AS R94: a remark on algorithm AS 181", Applied Statistics 44 (1995); A. F. Siegel, "Robust
regression using repeated medians", Biometrika 69 (1982); Y.-D. Zhou, K.-T. Fang and J.-H. Ning, "Mixture
discrepancy for quasi-random point sets", Journal of Complexity 29 (2013). SciPy is not imported.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import plain
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

# --- The test of Shapiro and Wilk --------------------------------------------------------------------------

# By the size, or its logarithm: the mean and the logarithm of the deviation, of few and of many numbers.
_OF_FEW: tuple[tuple[float, ...], ...] = (
    (0.544, -0.39978, 0.025054, -6.714e-4),
    (1.3822, -0.77857, 0.062767, -0.0020322),
)
_OF_MANY = ((-1.5861, -0.31082, -0.083751, 0.0038915), (-0.4803, -0.082676, 0.0030302))


def _shapiro(swilk: Any) -> Callable[..., Any]:
    """The function for the place of `swilk`: the numbers are in order."""

    def call(y: Any, a: Any, init: Any) -> Any:
        halves = np.array(plain(a))
        _, p, fault = swilk(primal_of(y), halves, init)
        n = len(primal_of(y))
        weights = np.concatenate([-halves, np.zeros(n % 2), halves[::-1]])
        apart = y - np.mean(y)
        w = (weights @ y) ** 2 / (np.sum(weights * weights) * np.sum(apart * apart))
        if p <= 1e-99 or primal_of(w) >= 1.0:  # SciPy's constants
            return w, 0.0 * w + p, fault
        found = _probability(w, n)
        return w, found + (p - primal_of(found)), fault

    return entered_if_traced(swilk, call)


def _probability(w: Any, n: int) -> Any:
    # Only here, since it takes long to import.
    from scipy.special import ndtr  # noqa: PLC0415 - as said above

    if n == 3:
        return 6.0 / np.pi * (np.arcsin(np.sqrt(w)) - np.arcsin(np.sqrt(0.75)))
    y, x = np.log(1.0 - w), float(n)
    if n <= 11:
        y, coefficients = -np.log(-2.273 + 0.459 * n - y), _OF_FEW
    else:
        x, coefficients = np.log(n), _OF_MANY
    mean, log_deviation = (np.polynomial.polynomial.polyval(x, c) for c in coefficients)
    return ndtr((mean - y) / np.exp(log_deviation))


# --- Repeated medians --------------------------------------------------------------------------------------


def _siegel(slopes: Any) -> Callable[..., Any]:
    """The function for the place of `_stats_pythran.siegelslopes`."""

    def call(y: Any, x: Any, method: str) -> Any:
        dx, dy = x - x[:, np.newaxis], y - y[:, np.newaxis]
        others = [np.flatnonzero(row) for row in primal_of(dx)]
        slope = np.median(np.stack([np.median(dy[j, i] / dx[j, i]) for j, i in enumerate(others)]))
        if method != "separate":
            return slope, np.median(y - slope * x)
        crossings = [np.median((y[i] * x[j] - y[j] * x[i]) / (x[j] - x[i])) for j, i in enumerate(others)]
        return slope, np.median(np.stack(crossings))

    return entered_if_traced(slopes, call)


# --- Frequencies -------------------------------------------------------------------------------------------


def _counting(histogram: Any) -> Callable[..., Any]:
    """The function for the place of `_histogram`: counts move in steps, and the limits with the numbers."""

    def call(
        a: Any, numbins: int = 10, defaultlimits: Any = None, weights: Any = None, *rest: Any, **named: Any
    ) -> Any:
        result = histogram(plain(a), numbins, plain(defaultlimits), plain(weights), *rest, **named)
        if defaultlimits is None:
            low, high = np.min(a), np.max(a)
            margin = (high - low) / (2.0 * (numbins - 1.0))
            low, high = low - margin, high + margin
        else:
            low, high = defaultlimits
        count = result.count
        if primal_of(weights) is not weights:
            limits = tuple(map(primal_of, (low, high)))
            count, _ = np.histogram(np.ravel(plain(a)), numbins, limits, weights=weights)
            if named.get("density"):  # since SciPy 1.18, as the next one
                count = count / np.sum(weights)
            if named.get("cumulative"):
                count = np.cumsum(count)
        return result._replace(count=count, lowerlimit=low, binsize=(high - low) / numbins)

    return entered_if_traced(histogram, call)


# --- Discrepancies -----------------------------------------------------------------------------------------


def _pairs(x: Any, y: Any, of: Callable[..., Any]) -> Any:
    """The sum over all pairs of points of the products over the coordinates."""
    return np.sum(np.prod(of(x[:, np.newaxis], y), axis=-1))


def _centred_pair(x: Any, y: Any) -> Any:
    return 1.0 + 0.5 * (np.abs(x - 0.5) + np.abs(y - 0.5) - np.abs(x - y))


def _centred_point(x: Any) -> Any:
    return 1.0 + 0.5 * np.abs(x - 0.5) - 0.5 * (x - 0.5) ** 2


def _centred(x: Any, n: int, d: int) -> Any:
    points = np.sum(np.prod(_centred_point(x), axis=1))
    return (13.0 / 12.0) ** d - 2.0 / n * points + _pairs(x, x, _centred_pair) / n**2


def _wrapped_around(x: Any, n: int, d: int) -> Any:
    def of(x: Any, y: Any) -> Any:
        return 1.5 - np.abs(x - y) * (1.0 - np.abs(x - y))

    return -((4.0 / 3.0) ** d) + _pairs(x, x, of) / n**2


def _mixture(x: Any, n: int, d: int) -> Any:
    def of(x: Any, y: Any) -> Any:
        apart = np.abs(x - y)
        return 1.875 - 0.25 * (np.abs(x - 0.5) + np.abs(y - 0.5)) - 0.75 * apart + 0.5 * apart * apart

    points = np.sum(np.prod(5.0 / 3.0 - 0.25 * np.abs(x - 0.5) - 0.25 * (x - 0.5) ** 2, axis=1))
    return (19.0 / 12.0) ** d - 2.0 / n * points + _pairs(x, x, of) / n**2


def _star(x: Any, n: int, d: int) -> Any:
    points = np.sum(np.prod(1.0 - x * x, axis=1))
    pairs = _pairs(x, x, lambda x, y: 1.0 - np.maximum(x, y))
    return np.sqrt(3.0**-d - 2.0 ** (1 - d) / n * points + pairs / n**2)


def _by_formula(of: Callable[..., Any]) -> Callable[[Any], Callable[..., Any]]:
    def wrapped(discrepancy: Any) -> Callable[..., Any]:
        def call(sample: Any, iterative: Any, workers: Any) -> Any:
            n, d = sample.shape
            return of(sample, n + bool(iterative), d)

        return entered_if_traced(discrepancy, call)

    return wrapped


def _updating(update: Any) -> Callable[..., Any]:
    """The function for the place of `_cy_wrapper_update_discrepancy`, of the centred one."""

    def call(x_new: Any, sample: Any, initial: Any) -> Any:
        n, new = len(sample) + 1, np.reshape(x_new, (1, -1))
        point = np.sum(np.prod(_centred_point(new), axis=1))
        pairs = 2.0 * _pairs(new, sample, _centred_pair) + _pairs(new, new, _centred_pair)
        return initial - 2.0 / n * point + pairs / n**2

    return entered_if_traced(update, call)


fact("scipy.stats._ansari_swilk_statistics.swilk", wrapped=_shapiro)
fact("scipy.stats._stats_pythran.siegelslopes", wrapped=_siegel)
fact("scipy.stats._stats_py._histogram", wrapped=_counting)
_FORMULAS = {
    "centered": _centred,
    "wrap_around": _wrapped_around,
    "mixture": _mixture,
    "l2_star": _star,
}
for _name, _formula in _FORMULAS.items():
    fact(f"scipy.stats._qmc_cy._cy_wrapper_{_name}_discrepancy", wrapped=_by_formula(_formula))
fact("scipy.stats._qmc_cy._cy_wrapper_update_discrepancy", wrapped=_updating)
