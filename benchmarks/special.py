"""Gradients through SciPy's special functions and likelihoods of many points, beside the same by hand."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import special, stats

from benchmarks.measure import Row, fastest
from chainrules.ad import grad

POINTS = 100_000
RNG = np.random.default_rng(0)
X = RNG.uniform(0.1, 5.0, POINTS)
WEIGHTS = RNG.normal(size=POINTS)


class Case(NamedTuple):
    """A function of an array, and its gradient by hand, the value included, as `grad` computes it."""

    name: str
    function: Callable[[Any], Any]
    by_hand: Callable[[Any], Any]
    target: float


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


CASES = (
    elementwise(special.expit, lambda y, x: y * special.expit(-x)),
    elementwise(special.gammaln, lambda y, x: special.digamma(x)),
    elementwise(special.erf, lambda y, x: 2.0 / np.sqrt(np.pi) * np.exp(-x * x)),
    elementwise(special.ndtr, lambda y, x: np.exp(-x * x / 2.0) / np.sqrt(2.0 * np.pi)),
    elementwise(special.j0, lambda y, x: -special.j1(x)),
    Case("logsumexp", special.logsumexp, softmax, 1.3),
    Case("norm.logpdf", log_likelihood, slope_of_log_likelihood, 1.5),
)


def rows() -> Iterator[Row]:
    """The gradient of each function."""
    for case in CASES:
        ours = grad(case.function)
        np.testing.assert_allclose(ours(X), case.by_hand(X), rtol=1e-10, atol=1e-12)
        our_time, hand_time = fastest(lambda ours=ours: ours(X), lambda by_hand=case.by_hand: by_hand(X))
        yield Row(
            f"gradient of {case.name} of {POINTS} elements",
            "written by hand",
            our_time / hand_time,
            case.target,
        )
