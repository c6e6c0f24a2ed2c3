"""Rules for samples of distributions of one variable.

With standard noise `e`, and `u` uniform between 0 and 1::

    location and scale      y = loc + scale e                        1, e
    uniform                 y = low + (high - low) u                 1 - u, u
    lognormal               y = exp(mean + sigma e)                  y, y e
    weibull                 y = e^(1/a), e exponential               -y log(e) / a²
    pareto                  y = exp(e/a) - 1, e exponential          -(y + 1) e / a²
    power                   y = (1 - exp(-e))^(1/a)                  -y log(1 - exp(-e)) / a²
    triangular              see `chainrules.formulas.probabilities.triangular_samples`

These are the transforms that NumPy computes: L. Devroye, "Non-uniform random variate generation", 1986,
sections II.2 and II.3.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.probabilities import triangular_samples
from chainrules.makers.reparameterization import Family, not_reparameterized, sampling_rule
from chainrules_core import primal_of

IMPLICIT = (
    "the derivative of a sample by a shape parameter follows from the derivative of the "
    "distribution function, which"
    " NumPy and SciPy do not have in closed form; differences for a fixed seed would be biased, since the "
    "number of random numbers drawn, or the branch that is taken, depends on the parameter"
)
DISCRETE = (
    "a sample of a discrete distribution jumps; its derivative by a parameter does not exist, and the "
    "derivative of its mean is another thing: use a score function, or a continuous relaxation"
)


def _check_by_drawing(primal: Callable[..., Any]) -> Callable[..., None]:
    def check(rng, parameters, shape) -> None:
        """Let NumPy raise its errors about parameters: it checks them, and draws nothing here."""
        primal(rng, *parameters, (0, *shape) if isinstance(shape, tuple | list) else (0, shape))

    return check


def _location_scale(loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
    return (loc, scale), size


def _scale(scale: Any = 1.0, size: Any = None) -> Any:
    return (scale,), size


def _bounds(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
    return (low, high), size


def _exponent(a: Any, size: Any = None) -> Any:
    return (a,), size


def _positive_exponent(a: Any, size: Any = None) -> Any:
    if np.any(primal_of(a) == 0):
        raise ValueError(
            "weibull(a=0) cannot be differentiated: every sample is 0, and jumps for any other `a`."
        )
    return (a,), size


def _of_normal(mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
    return (mean, sigma), size


def _shape_scale(shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
    return (shape, scale), size


def _angle(mu: Any, kappa: Any, size: Any = None) -> Any:
    return (mu, kappa), size


def _triangle(left: Any, mode: Any, right: Any, size: Any = None) -> Any:
    return (left, mode, right), size


# --- The families ----------------------------------------------------------------------------------


def _standard(name: str) -> Callable[..., Any]:
    """Noise that a method draws when it is given no parameters."""
    return lambda rng, size, *parameters: getattr(rng, name)(size=size)


def _turned(e: Any, mu: Any, kappa: Any) -> Any:
    """``mu + e``, turned until it is between -π and π."""
    moved = _follows_mean(0, e, mu, kappa) * mu + e
    return moved - 2 * np.pi * np.round(primal_of(moved) / (2 * np.pi))


def _follows_mean(y: Any, e: Any, mu: Any, kappa: Any) -> Any:
    """1 where the mean has an influence; for less concentration NumPy draws from the uniform distribution."""
    return np.where(primal_of(kappa) < 1e-8, 0.0, 1.0)


_FAMILIES = {
    **{
        name: Family(
            _location_scale,
            _standard(name),
            lambda e, loc, scale: loc + scale * e,
            (lambda y, e, loc, scale: 1, lambda y, e, loc, scale: e),
        )
        for name in ("normal", "laplace", "logistic", "gumbel")
    },
    **{
        name: Family(_scale, _standard(name), lambda e, scale: scale * e, (lambda y, e, scale: e,))
        for name in ("exponential", "rayleigh")
    },
    "uniform": Family(
        _bounds,
        _standard("uniform"),
        lambda u, low, high: low + (high - low) * u,
        (lambda y, u, low, high: 1 - u, lambda y, u, low, high: u),
    ),
    "lognormal": Family(
        _of_normal,
        _standard("standard_normal"),
        lambda e, mean, sigma: np.exp(mean + sigma * e),
        (lambda y, e, mean, sigma: y, lambda y, e, mean, sigma: y * e),
    ),
    "weibull": Family(
        _positive_exponent,
        _standard("standard_exponential"),
        lambda e, a: e ** (1 / a),
        (lambda y, e, a: -y * np.log(e) / a**2,),
    ),
    "pareto": Family(
        _exponent,
        _standard("standard_exponential"),
        lambda e, a: np.expm1(e / a),
        (lambda y, e, a: -(y + 1) * e / a**2,),
    ),
    "power": Family(
        _exponent,
        _standard("standard_exponential"),
        lambda e, a: (-np.expm1(-e)) ** (1 / a),
        (lambda y, e, a: -y * np.log(-np.expm1(-e)) / a**2,),
    ),
    "triangular": Family(
        _triangle,
        _standard("uniform"),
        triangular_samples.sample,
        (triangular_samples.by_left, triangular_samples.by_mode, triangular_samples.by_right),
    ),
    "gamma": Family(
        _shape_scale,
        lambda rng, size, shape, scale: rng.standard_gamma(shape, size),
        lambda e, shape, scale: scale * e,
        (IMPLICIT, lambda y, e, shape, scale: e),
    ),
    "vonmises": Family(
        _angle,
        lambda rng, size, mu, kappa: rng.vonmises(0.0, kappa, size),
        _turned,
        (_follows_mean, IMPLICIT),
    ),
}

_WITH_SHAPES = (
    "beta",
    "chisquare",
    "dirichlet",
    "f",
    "noncentral_chisquare",
    "noncentral_f",
    "standard_gamma",
    "standard_t",
    "wald",
)
_DISCRETE = (
    "binomial",
    "geometric",
    "hypergeometric",
    "logseries",
    "multinomial",
    "negative_binomial",
    "poisson",
    "zipf",
)

for _owner in (np.random.Generator, np.random.RandomState):
    for _name, _family in _FAMILIES.items():
        _primal = getattr(_owner, _name)
        sampling_rule(_primal, _owner, _family, _check_by_drawing(_primal))
    for _name in _WITH_SHAPES:
        not_reparameterized(getattr(_owner, _name), _owner, IMPLICIT)
    for _name in _DISCRETE:
        not_reparameterized(getattr(_owner, _name), _owner, DISCRETE)
not_reparameterized(np.random.Generator.multivariate_hypergeometric, np.random.Generator, DISCRETE)
