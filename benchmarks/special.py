"""Gradients through SciPy's special functions and likelihoods of many points, beside the same by hand.

Two closures by hand are quicker than what a rule may be, and have no target. That of `ellipk` is a quotient
which is 0 / 0 at ``m = 0``, and has a relative error of 4e-12 at ``m = 1e-4``; the rule takes a power series
there. That of `elliprd` is a difference quotient, 0 / 0 where two arguments are equal, with a relative error
of 1e-10 where they are 1e-6 apart; the rule computes an integral, to 1e-14 everywhere.
"""

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
    target: float | None
    x: Any = X
    points: str = f"{POINTS} elements"


def elementwise(
    f: Callable[[Any], Any], slope: Callable[[Any, Any], Any], target: float | None = 1.3
) -> Case:
    """A weighted sum of a function of numbers, whose derivative is ``slope(y, x)``."""

    def gradient(x: Any) -> Any:
        y = f(x)
        np.sum(WEIGHTS * y)
        return WEIGHTS * slope(y, x)

    return Case(f.__name__, lambda x: np.sum(WEIGHTS * f(x)), gradient, target)


def ellipk(x: Any) -> Any:
    return special.ellipk(x / 6.0)


def slope_of_ellipk(y: Any, x: Any) -> Any:
    m = x / 6.0
    return (special.ellipe(m) / (1.0 - m) - y) / (2.0 * m) / 6.0


def elliprd(x: Any) -> Any:
    return special.elliprd(x, 6.0, 7.0)


def slope_of_elliprd(y: Any, x: Any) -> Any:
    return (special.elliprd(6.0, 7.0, x) - y) / (2.0 * (x - 7.0))


def sine_and_cosine_integrals(x: Any) -> Any:
    sine, cosine = special.sici(x)
    return np.sum(WEIGHTS * sine - cosine)


def slope_of_integrals(x: Any) -> Any:
    sine_and_cosine_integrals(x)
    return (WEIGHTS * np.sin(x) - np.cos(x)) / x


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
    elementwise(ellipk, slope_of_ellipk, target=None),
    elementwise(elliprd, slope_of_elliprd, target=None),
    Case("sici", sine_and_cosine_integrals, slope_of_integrals, 1.3),
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
