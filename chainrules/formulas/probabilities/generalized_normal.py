"""The generalized normal distribution of shape ``β``: ``log f = log(β/2) - log Γ(1/β) - |z|^β``.

``|z|^β`` has the gamma distribution of shape ``1/β``, with the probability ``P``, so that
``F = (1 + sign(z) P(1/β, |z|^β)) / 2``. SciPy's code is this formula, and takes the sign of 0:
differentiated as code, the probability would have the slope 0 there. S. Nadarajah, "A generalized normal
distribution", Journal of Applied Statistics 32 (2005).
"""

from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.incomplete_gamma import gamma_probability
from chainrules.values.elsewhere import one_where
from chainrules_core import primal_of


def normal_score(z: Any, b: Any) -> Any:
    """``∂ log f/∂z``; 0 at a peak."""
    is_peak = (primal_of(z) == 0) & (primal_of(b) <= 1)
    side = np.where(primal_of(z) < 0, -1.0, 1.0)
    return np.where(is_peak, 0.0, -side * b * one_where(is_peak, side * z) ** (b - 1.0))


def normal_score_of_b(z: Any, b: Any) -> Any:
    """``∂ log f/∂β``."""
    u = np.abs(z)
    return 1.0 / b + special.psi(1.0 / b) / (b * b) - special.xlogy(u**b, u)


def normal_slope(z: Any, b: Any) -> Any:
    """``∂F/∂β``; at 0 the tangent of it, ``z ∂f/∂β``, as its terms have no derivative there."""
    is_centre = primal_of(z) == 0
    tangent = 0.5 * b / special.gamma(1.0 / b) * normal_score_of_b(0.0, b) * z
    z = one_where(is_centre, z)
    u = np.abs(z)
    power = u**b
    by_shape = -gamma_probability(1, 1.0 / b, power) / (b * b)
    by_power = special.xlogy(u, u) * np.exp(-power - special.gammaln(1.0 / b))
    return np.where(is_centre, tangent, 0.5 * np.sign(z) * (by_shape + by_power))
