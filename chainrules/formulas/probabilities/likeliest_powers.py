"""The likeliest power of the transformations of Box and Cox, and of Yeo and Johnson, by its numbers.

G. E. P. Box and D. R. Cox, "An analysis of transformations", Journal of the Royal Statistical Society B 26
(1964); I.-K. Yeo and R. A. Johnson, "A new family of power transformations to improve normality or symmetry",
Biometrika 87 (2000). With ``E(s) = (exp s - 1) / s``, both are ``y = v E(μ u)`` with ``v = σ u``: for Box and
Cox ``u = log x``, ``μ = λ`` and ``σ = 1``; for the others ``u = log(1 + |x|)``, ``σ`` is the sign of `x`, and
``μ = 1 + σ (λ - 1)``. So the derivative of order k by λ is ``v^(1 + k) E⁽ᵏ⁾(μ u)``. At the likeliest power
the slope of the likelihood is zero. Two steps of Newton's method from there depend on `x` as it does, up to
the third order.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.calls.compositions import Composition, Part
from chainrules.operations.exprel import exprel
from chainrules_core import without_warnings

# How far a step of Newton's method may lead from a power that SciPy's search found, to a part of about 1e-8.
# A power that was bounded, so that numbers stay finite, is farther away, and does not move as the likeliest.
NEAR = 1e-6


def halves(x: Any) -> tuple[Any, Any]:
    """The numbers from 0 upwards, and those below, each with zeros in the place of the others."""
    return np.where(x >= 0, x, 0.0), np.where(x >= 0, 0.0, x)


def signed_logarithm(x: Any) -> Any:
    """``σ log(1 + |x|)``."""
    above, below = halves(x)
    return np.log1p(above) - np.log1p(-below)


def of_box_cox(x: Any) -> tuple[Any, Any]:
    """``σ`` and `v`."""
    return 1.0, np.log(x)


def of_yeo_johnson(x: Any) -> tuple[Any, Any]:
    """``σ`` and `v`."""
    return np.where(x >= 0, 1.0, -1.0), signed_logarithm(x)


@without_warnings
def by_likeliest_power(parts: Callable[[Any], tuple[Any, Any]], x: Any, found: float) -> Composition | None:
    """The transformed numbers and the power, as functions of the numbers; `None` if it is not the likeliest.

    Parameters
    ----------
    parts
        `of_box_cox` or `of_yeo_johnson`.
    x, found
        The numbers, and the power that was found.
    """

    def composition(x: Any) -> tuple[Any, Any]:
        sign, v = parts(x)
        power = found - _newton_step(found, sign, v)
        power = power - _newton_step(power, sign, v)
        return _derivative(0, power, sign, v), power

    step = _newton_step(found, *parts(x))
    return composition if abs(step) <= NEAR * max(1.0, abs(found)) else None


def _derivative(order: int, power: Any, sign: Any, v: Any) -> Any:
    """That of the transformed numbers by the power."""
    s = (1.0 + sign * (power - 1.0)) * (sign * v)
    return v ** (order + 1) * (s.run(exprel, (order, s), {}) if isinstance(s, Part) else exprel(order, s))


def _newton_step(power: Any, sign: Any, v: Any) -> Any:
    """The slope of the likelihood by the power, over the slope of that."""
    y, slope, curvature = (_derivative(order, power, sign, v) for order in (0, 1, 2))
    y = y - np.mean(y)
    variance = np.mean(y * y)
    ratio = np.mean(y * slope) / variance
    bent = np.mean((slope - np.mean(slope)) * slope) + np.mean(y * curvature)
    return (np.mean(v) - ratio) / (2.0 * ratio * ratio - bent / variance)
