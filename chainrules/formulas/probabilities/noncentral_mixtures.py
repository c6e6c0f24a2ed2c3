"""The noncentral distributions of chi-square and F: mixtures of the central ones.

With the weights ``wⱼ`` of the Poisson distribution of mean ``λ/2``, the distribution functions are ``Σ wⱼ
P(v/2 + j, x/2)`` and ``Σ wⱼ I_y(n/2 + j, m/2)`` at ``y = nx / (m + nx)``. Derivatives by the arguments of
``P`` and ``I`` are mixtures as well; that by λ is half of one of differences, ``P(a + 1, x) - P(a, x) =
-f(x; a + 1)`` and ``I_y(a + 1, b) - I_y(a, b) = -y (1 - y) f(y; a, b) / a``: https://dlmf.nist.gov/8.8.E5,
https://dlmf.nist.gov/8.17.E20. All terms of each have one sign.

The derivatives of the logarithm of a density are means of those of the central ones, with the weights ``wⱼ
fⱼ``; that by λ is ``(E[fⱼ₊₁/fⱼ] - 1) / 2``, also for ``λ = 0``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.incomplete_beta import beta_density, beta_probability
from chainrules.operations.incomplete_gamma import gamma_density, gamma_probability
from chainrules_core import primal_of

# --- Mixtures ----------------------------------------------------------------------------------------------

# The weights that are left out are less than the rounding of those that are not.
_DEVIATIONS, _LEAST = 9.0, 30


def _numbers(likeliest: Any, *others: Any) -> Any:
    """The numbers of all terms that matter: along a first axis, before those of all arguments."""
    center = np.nan_to_num(np.asarray(primal_of(likeliest), float), posinf=0.0)
    ndim = len(np.broadcast_shapes(center.shape, *map(np.shape, others)))
    spread = _DEVIATIONS * np.sqrt(np.maximum(center, 0)) + _LEAST
    last = np.max(center + spread, initial=0)
    first = np.clip(np.floor(np.min(center - spread, initial=last)), 0, None)
    return np.reshape(np.arange(first, last + 1), (-1, *(1,) * ndim))


def _mixture(term: Callable[[Any], Any], noncentrality: Any, *others: Any) -> Any:
    """``Σ wⱼ term(j)``."""
    mean = 0.5 * noncentrality
    j = _numbers(mean, *others)
    weights = np.exp(special.xlogy(j, mean) - mean - special.gammaln(j + 1))
    return np.sum(weights * term(j), axis=0)


def _mean(
    term: Callable[[Any], Any], log_weight: Callable[[Any], Any], nc: Any, likeliest: Any, *others: Any
) -> Any:
    """The mean of ``term(j)`` with the weights ``wⱼ exp(log_weight(j))``, largest at the likeliest j."""
    j = _numbers(likeliest, nc, *others)
    log_weights = special.xlogy(j, 0.5 * nc) - special.gammaln(j + 1) + log_weight(j)
    weights = np.exp(log_weights - np.max(primal_of(log_weights), axis=0))
    return np.sum(weights * term(j), axis=0) / np.sum(weights, axis=0)


# --- Chi-square --------------------------------------------------------------------------------------------


def chi_density(x: Any, v: Any, nc: Any) -> Any:
    """``f``."""
    return 0.5 * _mixture(lambda j: gamma_density(0, 0.5 * v + j, 0.5 * x), nc, x, v)


def chi_by_df(x: Any, v: Any, nc: Any) -> Any:
    """``∂F/∂v``."""
    return 0.5 * _mixture(lambda j: gamma_probability(1, 0.5 * v + j, 0.5 * x), nc, x, v)


def chi_by_nc(x: Any, v: Any, nc: Any) -> Any:
    """``∂F/∂λ``."""
    return -0.5 * _mixture(lambda j: gamma_density(0, 0.5 * v + j + 1.0, 0.5 * x), nc, x, v)


def _chi_mean(term: Callable[[Any], Any], x: Any, v: Any, nc: Any) -> Any:
    """The mean of ``term(v/2 + j)``."""
    at_x, half = primal_of(x), 0.5 * primal_of(v)
    likeliest = 0.5 * (np.sqrt(half * half + at_x * primal_of(nc)) - half)

    def log_weight(j: Any) -> Any:
        return j * np.log(0.5 * x) - special.gammaln(0.5 * v + j)

    return _mean(lambda j: term(0.5 * v + j), log_weight, nc, likeliest, x, v)


def chi_score(x: Any, v: Any, nc: Any) -> Any:
    """``∂ log f/∂x``."""
    return _chi_mean(lambda a: (a - 1.0) / x, x, v, nc) - 0.5


def chi_score_of_df(x: Any, v: Any, nc: Any) -> Any:
    """``∂ log f/∂v``."""
    return 0.5 * (np.log(0.5 * x) - _chi_mean(special.psi, x, v, nc))


def chi_score_of_nc(x: Any, v: Any, nc: Any) -> Any:
    """``∂ log f/∂λ``."""
    return 0.5 * (_chi_mean(lambda a: 0.5 * x / a, x, v, nc) - 1.0)


# --- F -----------------------------------------------------------------------------------------------------


def _f_terms(of_each: Callable[..., Any], i: int, j: int, *parameters: Any) -> Any:
    """The mixture of densities at y, or that of derivatives of probabilities."""
    n, m, nc, x = parameters
    y = n * x / (m + n * x)
    return _mixture(lambda k: of_each(i, j, 0.5 * n + k, 0.5 * m, y), nc, n, m, x)


def f_by_x(n: Any, m: Any, nc: Any, x: Any) -> Any:
    """``∂F/∂x``."""
    return _f_terms(beta_density, 0, 0, n, m, nc, x) * n * m / (m + n * x) ** 2


def f_by_n(n: Any, m: Any, nc: Any, x: Any) -> Any:
    """``∂F/∂n``."""
    return (
        0.5 * _f_terms(beta_probability, 1, 0, n, m, nc, x)
        + _f_terms(beta_density, 0, 0, n, m, nc, x) * m * x / (m + n * x) ** 2
    )


def f_by_m(n: Any, m: Any, nc: Any, x: Any) -> Any:
    """``∂F/∂m``."""
    return (
        0.5 * _f_terms(beta_probability, 0, 1, n, m, nc, x)
        - _f_terms(beta_density, 0, 0, n, m, nc, x) * n * x / (m + n * x) ** 2
    )


def f_by_nc(n: Any, m: Any, nc: Any, x: Any) -> Any:
    """``∂F/∂λ``."""
    y, rest = n * x / (m + n * x), m / (m + n * x)
    differences = _mixture(lambda j: beta_density(0, 0, 0.5 * n + j, 0.5 * m, y) / (0.5 * n + j), nc, n, m, x)
    return -0.5 * y * rest * differences


def _f_mean(term: Callable[[Any, Any], Any], x: Any, n: Any, m: Any, nc: Any) -> Any:
    """The mean of ``term(n/2 + j, y)``."""
    y = n * x / (m + n * x)
    a, b, mean = 0.5 * primal_of(n), 0.5 * primal_of(m), 0.5 * primal_of(nc) * primal_of(y)
    likeliest = 0.5 * (mean - a + np.sqrt((mean - a) ** 2 + 4.0 * mean * (a + b)))

    def log_weight(j: Any) -> Any:
        return j * np.log(y) - special.betaln(0.5 * n + j, 0.5 * m)

    return _mean(lambda j: term(0.5 * n + j, y), log_weight, nc, likeliest, x, n, m)


def f_score(x: Any, n: Any, m: Any, nc: Any) -> Any:
    """``∂ log f/∂x``."""
    total = m + n * x
    return _f_mean(lambda a, y: (a - 1.0) / x, x, n, m, nc) * m / total - n * (0.5 * m + 1.0) / total


def f_score_of_n(x: Any, n: Any, m: Any, nc: Any) -> Any:
    """``∂ log f/∂n``."""
    total = m + n * x

    def term(a: Any, y: Any) -> Any:
        by_shape = 0.5 * (np.log(y) + special.psi(a + 0.5 * m) - special.psi(a))
        return by_shape + (a - 1.0) * m / (n * total)

    return _f_mean(term, x, n, m, nc) + (1.0 / n - x * (0.5 * m + 1.0) / total)


def f_score_of_m(x: Any, n: Any, m: Any, nc: Any) -> Any:
    """``∂ log f/∂m``."""
    total = m + n * x

    def term(a: Any, y: Any) -> Any:
        by_shape = 0.5 * (np.log(m / total) + special.psi(a + 0.5 * m) - special.psi(0.5 * m))
        return by_shape - (a - 1.0) / total

    return _f_mean(term, x, n, m, nc) + (0.5 * m - 1.0) * n * x / (m * total) + 1.0 / m - 2.0 / total


def f_score_of_nc(x: Any, n: Any, m: Any, nc: Any) -> Any:
    """``∂ log f/∂λ``."""
    return 0.5 * (_f_mean(lambda a, y: y * (a + 0.5 * m) / a, x, n, m, nc) - 1.0)
