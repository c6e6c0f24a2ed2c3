"""The form in which the tables of this folder hold a continuous distribution in its standard position."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, pi
from typing import Any

import numpy as np
from scipy import special

Function = Callable[..., Any]

LOG_2 = log(2.0)
LOG_PI = log(pi)
LOG_ROOT_2PI = 0.5 * log(2.0 * pi)


@dataclass(frozen=True)
class Standard:
    """The equations of a distribution: functions of ``z, *shapes``, in NumPy's and SciPy's functions alone.

    Attributes
    ----------
    log_density
        ``log f``.
    log_below, log_above
        ``log F`` and ``log (1 - F)``, of which either is enough.
    probability
        In their place ``F``, less any number that does not depend on the shapes, also one for each branch: so
        that its derivatives by the shapes keep their digits in both tails.
    slopes
        In the place of these three, ``∂F/∂θ`` by each shape.
    ends
        The lower and the upper end of the support as functions of the shapes; `None` for one without them.
    within
        A point of the support, or the function of the shapes that is one.
    """

    log_density: Function
    log_below: Function | None = None
    log_above: Function | None = None
    probability: Function | None = None
    slopes: tuple[Function, ...] = ()
    ends: tuple[Function | None, Function | None] = (None, None)
    within: Any = 0.5


def normal(transform: Function, log_slope: Function, **others: Any) -> Standard:
    """The distribution of a number that an increasing function makes normal; given the log of its slope."""

    def log_density(z: Any, *shapes: Any) -> Any:
        w = transform(z, *shapes)
        return log_slope(z, *shapes) - 0.5 * w * w - LOG_ROOT_2PI

    return Standard(
        log_density,
        log_below=lambda z, *shapes: special.log_ndtr(transform(z, *shapes)),
        log_above=lambda z, *shapes: special.log_ndtr(-transform(z, *shapes)),
        **others,
    )


def log_power(p: Any, z: Any) -> Any:
    """``p log z``, even at the end of a support where the power is 0: its derivative by `z` is 0 there."""
    is_even = (p == 0) & (z == 0)
    return special.xlogy(p, np.where(is_even, 1.0, z)) + p * np.where(is_even, -np.inf, 0.0)


def log_sum(x: Any) -> Any:
    """``log(1 + exp x)``."""
    return np.logaddexp(0.0, x)


def log_power_sum(p: Any, z: Any) -> Any:
    """``log(1 + z^p)``, without overflow, and with its one-sided derivative at 0."""
    is_small = z < 1.0
    small, large = np.where(is_small, z, 1.0), np.where(is_small, 1.0, z)
    return np.where(is_small, np.log1p(small**p), p * np.log(large) + np.log1p(large**-p))


def modulus(z: Any) -> Any:
    """``|z|``, with the derivative 1 at 0: for formulas that continue the one of positive numbers."""
    return z * np.where(z < 0, -1.0, 1.0)


def log_rest(w: Any) -> Any:
    """``log(1 - exp(-w))``, where the exponential is small, and where it is nearly 1."""
    is_small = w < LOG_2
    small, large = np.where(is_small, w, LOG_2), np.where(is_small, LOG_2, w)
    return np.where(is_small, np.log(-np.expm1(-small)), np.log1p(-np.exp(-large)))
