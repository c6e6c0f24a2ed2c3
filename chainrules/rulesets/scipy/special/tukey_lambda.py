"""Rules for Tukey's lambda distribution, given by its quantiles ``x = (p^λ - (1 - p)^λ) / λ``.

By implicit differentiation ``∂p/∂x = 1 / (p^(λ - 1) + (1 - p)^(λ - 1))`` and ``∂p/∂λ = -∂x/∂λ ∂p/∂x``, where
``∂x/∂λ = h(log p) - h(log(1 - p))`` with ``h(u) = u² E'(λu)`` and ``E(s) = (exp s - 1) / s``.
"""

import numpy as np
from scipy import special

from chainrules.makers.elementwise import binary_rule
from chainrules.operations.exprel import exprel
from chainrules_core import primal_of, without_warnings


@without_warnings
def _by_x(p, x, power):
    slope = 1.0 / (p ** (power - 1.0) + special.tklmbda(-x, power) ** (power - 1.0))
    is_outside = np.abs(primal_of(x)) * primal_of(power) > 1.0
    return np.where(is_outside, 0.0, slope)


@without_warnings
def _by_power(p, x, power):
    # Outside of the support, and at its ends, the probability is constant.
    is_inside = (primal_of(p) > 0) & (primal_of(p) < 1)
    log_p, log_q = (np.log(np.where(is_inside, part, 0.5)) for part in (p, special.tklmbda(-x, power)))
    slope = log_p**2 * exprel(1, power * log_p) - log_q**2 * exprel(1, power * log_q)
    return np.where(is_inside, -slope * _by_x(p, x, power), 0.0)


binary_rule(special.tklmbda, _by_x, _by_power)
