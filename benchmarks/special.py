"""Gradients through SciPy's special functions and likelihoods of many points, beside the same by hand."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, special, stats

from benchmarks.measure import Row, fastest
from chainrules.ad import grad

POINTS = 100_000
RNG = np.random.default_rng(0)
X = RNG.uniform(0.1, 5.0, POINTS)
WEIGHTS = RNG.normal(size=POINTS)
VECTORS = RNG.normal(size=(2_000, 5))
COVARIANCE = 2.0 * np.cov(VECTORS, rowvar=False)


class Case(NamedTuple):
    """A function of an array, and its gradient by hand, the value included, as `grad` computes it."""

    name: str
    function: Callable[[Any], Any]
    by_hand: Callable[[Any], Any]
    target: float
    x: Any = X
    points: str = f"{POINTS} elements"


def elementwise(f: Callable[[Any], Any], slope: Callable[[Any, Any], Any]) -> Case:
    """A weighted sum of a function of numbers, whose derivative is ``slope(y, x)``."""

    def gradient(x: Any) -> Any:
        y = f(x)
        np.sum(WEIGHTS * y)
        return WEIGHTS * slope(y, x)

    return Case(f.__name__, lambda x: np.sum(WEIGHTS * f(x)), gradient, 1.3)


def softmax(x: Any) -> Any:
    return np.exp(x - special.logsumexp(x))


def log_likelihood(x: Any) -> Any:
    return np.sum(stats.norm.logpdf(x, 0.5, 2.0))


def slope_of_log_likelihood(x: Any) -> Any:
    log_likelihood(x)
    return (0.5 - x) / 4.0


def log_likelihood_of_frozen(parameters: Any) -> Any:
    return np.sum(stats.norm(*parameters).logpdf(X))


def slope_of_frozen(parameters: Any) -> Any:
    log_likelihood_of_frozen(parameters)
    loc, scale = parameters
    z = (X - loc) / scale
    return np.array([np.sum(z), np.sum(z * z - 1.0)]) / scale


def log_likelihood_of_vectors(covariance: Any) -> Any:
    return np.sum(stats.multivariate_normal.logpdf(VECTORS, np.zeros(5), covariance))


def slope_by_covariance(covariance: Any) -> Any:
    log_likelihood_of_vectors(covariance)
    factor = linalg.cho_factor(covariance, lower=True)
    inverse = linalg.cho_solve(factor, np.eye(5))
    weighted = VECTORS @ inverse
    slope = np.tril(weighted.T @ weighted - len(VECTORS) * inverse)
    slope[np.diag_indices(5)] /= 2.0
    return slope


CASES = (
    elementwise(special.expit, lambda y, x: y * special.expit(-x)),
    elementwise(special.gammaln, lambda y, x: special.digamma(x)),
    elementwise(special.erf, lambda y, x: 2.0 / np.sqrt(np.pi) * np.exp(-x * x)),
    elementwise(special.ndtr, lambda y, x: np.exp(-x * x / 2.0) / np.sqrt(2.0 * np.pi)),
    elementwise(special.j0, lambda y, x: -special.j1(x)),
    Case("logsumexp", special.logsumexp, softmax, 1.3),
    Case("norm.logpdf", log_likelihood, slope_of_log_likelihood, 1.5),
    Case("norm(loc, scale).logpdf", log_likelihood_of_frozen, slope_of_frozen, 1.5, np.array([0.5, 2.0])),
    Case(
        "multivariate_normal.logpdf",
        log_likelihood_of_vectors,
        slope_by_covariance,
        2.0,
        COVARIANCE,
        "2000 points of dimension 5",
    ),
)


def rows() -> Iterator[Row]:
    """The gradient of each function."""
    for case in CASES:
        ours = grad(case.function)
        by_hand, x = case.by_hand, case.x
        np.testing.assert_allclose(ours(x), by_hand(x), rtol=1e-10, atol=1e-12)
        our_time, hand_time = fastest(partial(ours, x), partial(by_hand, x))
        yield Row(
            f"gradient of {case.name} of {case.points}",
            "written by hand",
            our_time / hand_time,
            case.target,
        )
