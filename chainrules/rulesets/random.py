"""Rules for the samples of Python's `random`.

A method is a function whose first argument is the generator: ``random.Random.gauss``. The functions of the
module are bound methods of one hidden generator: see `chainrules.rulesets.types`. With standard noise `e`,
and `u` uniform between 0 and 1::

    gauss, normalvariate    y = mu + sigma e                         1, e
    lognormvariate          y = exp(mu + sigma e)                    y, y e
    uniform                 y = a + (b - a) u                        1 - u, u
    expovariate             y = e / lambd, e exponential             -y / lambd
    paretovariate           y = exp(e / alpha), e exponential        -y e / alpha²
    weibullvariate          y = alpha e^(1/beta), e exponential      e^(1/beta), -y log(e) / beta²
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.probabilities import triangular_samples
from chainrules.makers.rearrangements import SECOND, rearrangement
from chainrules.makers.reparameterization import Family, not_reparameterized, sampling_rule
from chainrules.makers.versions import present
from chainrules_core import non_differentiable, primal_of

IMPLICIT = (
    "the derivative of a sample by a shape parameter follows from the derivative of the "
    "distribution function, which"
    " has no closed form; differences for a fixed seed would be biased, since the number of random numbers"
    " drawn depends on the parameter"
)

DISCRETE = "a whole number jumps with the parameters: use a score function, or a continuous relaxation"


def _moments(mu=0.0, sigma=1.0):
    return (mu, sigma), None


def _bounds(a, b):
    return (a, b), None


def _rate(lambd=1.0):
    return (lambd,), None


def _exponent(alpha):
    return (alpha,), None


def _scale_exponent(alpha, beta):
    return (alpha, beta), None


def _angle(mu, kappa):
    return (mu, kappa), None


def _triangle(low=0.0, high=1.0, mode=None):
    return (low, high, mode), None


# --- Triangular samples, whose mode is in the middle unless it is given -----------------------------


def _triangular(u, low, high, mode):
    return triangular_samples.sample(u, low, _mode(low, high, mode), high)


def _by_low(y, u, low, high, mode):
    values = (y, u, low, _mode(low, high, mode), high)
    by_low = triangular_samples.by_left(*values)
    return by_low + triangular_samples.by_mode(*values) / 2 if mode is None else by_low


def _by_high(y, u, low, high, mode):
    values = (y, u, low, _mode(low, high, mode), high)
    by_high = triangular_samples.by_right(*values)
    return by_high + triangular_samples.by_mode(*values) / 2 if mode is None else by_high


def _by_mode(y, u, low, high, mode):
    return triangular_samples.by_mode(y, u, low, mode, high)


def _mode(low, high, mode):
    return (low + high) / 2 if mode is None else mode


# --- Angles ----------------------------------------------------------------------------------------


def _turned(e, mu, kappa):
    """``mu + e``, turned until it is between 0 and 2π."""
    moved = _follows_mean(0, e, mu, kappa) * mu + e
    return moved - 2 * np.pi * np.floor(primal_of(moved) / (2 * np.pi))


def _follows_mean(y, e, mu, kappa) -> float:
    """1 where the mean has an influence; for less concentration Python draws uniformly."""
    return 0.0 if primal_of(kappa) <= 1e-6 else 1.0


# --- The families ----------------------------------------------------------------------------------


def _uniform(rng: random.Random, size, *parameters) -> float:
    return rng.random()


def _exponential(rng: random.Random, size, *parameters) -> float:
    return rng.expovariate(1.0)


_FAMILIES: dict[Callable[..., Any], Family] = {
    random.Random.gauss: Family(
        _moments,
        lambda rng, size, *parameters: rng.gauss(0.0, 1.0),
        lambda e, mu, sigma: mu + sigma * e,
        (lambda y, e, mu, sigma: 1, lambda y, e, mu, sigma: e),
    ),
    random.Random.normalvariate: Family(
        _moments,
        lambda rng, size, *parameters: rng.normalvariate(0.0, 1.0),
        lambda e, mu, sigma: mu + sigma * e,
        (lambda y, e, mu, sigma: 1, lambda y, e, mu, sigma: e),
    ),
    random.Random.lognormvariate: Family(
        _moments,
        lambda rng, size, *parameters: rng.normalvariate(0.0, 1.0),
        lambda e, mu, sigma: np.exp(mu + sigma * e),
        (lambda y, e, mu, sigma: y, lambda y, e, mu, sigma: y * e),
    ),
    random.Random.uniform: Family(
        _bounds,
        _uniform,
        lambda u, a, b: a + (b - a) * u,
        (lambda y, u, a, b: 1 - u, lambda y, u, a, b: u),
    ),
    random.Random.triangular: Family(_triangle, _uniform, _triangular, (_by_low, _by_high, _by_mode)),
    random.Random.expovariate: Family(
        _rate, _exponential, lambda e, lambd: e / lambd, (lambda y, e, lambd: -y / lambd,)
    ),
    random.Random.paretovariate: Family(
        _exponent, _exponential, lambda e, alpha: np.exp(e / alpha), (lambda y, e, alpha: -y * e / alpha**2,)
    ),
    random.Random.weibullvariate: Family(
        _scale_exponent,
        _exponential,
        lambda e, alpha, beta: alpha * e ** (1 / beta),
        (lambda y, e, alpha, beta: e ** (1 / beta), lambda y, e, alpha, beta: -y * np.log(e) / beta**2),
    ),
    random.Random.gammavariate: Family(
        _scale_exponent,
        lambda rng, size, alpha, beta: rng.gammavariate(alpha, 1.0),
        lambda e, alpha, beta: beta * e,
        (IMPLICIT, lambda y, e, alpha, beta: e),
    ),
    random.Random.vonmisesvariate: Family(
        _angle,
        lambda rng, size, mu, kappa: rng.vonmisesvariate(0.0, kappa),
        _turned,
        (_follows_mean, IMPLICIT),
    ),
}

for _primal, _family in _FAMILIES.items():
    sampling_rule(_primal, random.Random, _family)
not_reparameterized(random.Random.betavariate, random.Random, IMPLICIT)
for _binomial in present(random.Random, "binomialvariate"):  # since Python 3.12
    not_reparameterized(_binomial, random.Random, DISCRETE)
# The place of the elements is after the generator's.
rearrangement(random.Random.choice, random.Random.choice, SECOND)
rearrangement(random.Random.sample, random.Random.sample, SECOND)
for _primal in (
    random.Random.random,
    random.Random.randrange,
    random.Random.randint,
    random.Random.randbytes,
    random.Random.getrandbits,
    random.Random.seed,
    random.Random.getstate,
    random.Random.setstate,
):
    non_differentiable(_primal, random.Random, varargs=object)
non_differentiable(random.random, random.getrandbits)  # these two are bound to no method of Python's
non_differentiable(random.Random, varargs=object)
non_differentiable(random.SystemRandom, varargs=object)
