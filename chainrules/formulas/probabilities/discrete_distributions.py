"""Distributions of whole numbers.

N. L. Johnson, A. W. Kemp and S. Kotz, "Univariate Discrete Distributions", 2005.

As `Standard` equations, of which the density is the probability of a number ``k``. Where there is no
equation for the probability of at most ``k``, its derivative by a shape is the sum of those of the masses.
"""

from typing import Any

import numpy as np
from scipy import special

from chainrules.formulas.probabilities.standard_formulas import Standard


def _dlaplace_probability(k: Any, a: Any) -> Any:
    above = -np.exp(-a * np.where(k >= 0, k + 1.0, 1.0)) / (1.0 + np.exp(-a))
    below = np.exp(a * np.where(k >= 0, 0.0, k)) / (1.0 + np.exp(-a))
    return np.where(k >= 0, above, below)


STANDARDS = {
    "bernoulli": Standard(
        lambda k, p: special.xlogy(k, p) + special.xlog1py(1.0 - k, -p),
        probability=lambda k, p: -p + 0.0 * k,
    ),
    "betabinom": Standard(
        lambda k, n, a, b: (
            special.betaln(k + a, n - k + b)
            - special.betaln(a, b)
            - special.betaln(n - k + 1.0, k + 1.0)
            - np.log(n + 1.0)
        )
    ),
    "betanbinom": Standard(
        lambda k, n, a, b: (
            special.betaln(a + n, b + k) - special.betaln(a, b) - special.betaln(n, k + 1.0) - np.log(n + k)
        )
    ),
    "boltzmann": Standard(
        lambda k, rate, n: np.log(-np.expm1(-rate)) - rate * k - np.log(-np.expm1(-rate * n)),
        probability=lambda k, rate, n: np.expm1(-rate * (k + 1.0)) / np.expm1(-rate * n),
    ),
    "dlaplace": Standard(
        lambda k, a: np.log(np.tanh(0.5 * a)) - a * np.abs(k), probability=_dlaplace_probability
    ),
    "geom": Standard(
        lambda k, p: np.log(p) + special.xlog1py(k - 1.0, -p), log_above=lambda k, p: k * np.log1p(-p)
    ),
    "nbinom": Standard(
        lambda k, n, p: (
            special.gammaln(n + k)
            - special.gammaln(n)
            - special.gammaln(k + 1.0)
            + n * np.log(p)
            + special.xlog1py(k, -p)
        ),
        probability=lambda k, n, p: special.betainc(n, k + 1.0, p),
    ),
    "planck": Standard(
        lambda k, rate: np.log(-np.expm1(-rate)) - rate * k, log_above=lambda k, rate: -rate * (k + 1.0)
    ),
    "yulesimon": Standard(
        lambda k, a: np.log(a) + special.betaln(k, a + 1.0),
        log_above=lambda k, a: np.log(k) + special.betaln(k, a + 1.0),
        within=1.0,
    ),
}
