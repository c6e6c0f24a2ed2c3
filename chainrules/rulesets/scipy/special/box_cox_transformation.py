"""Rules for the transformation of Box and Cox, and its inverse.

``y = (x^λ - 1) / λ = u E(λu)`` with ``u = log x`` and ``E(s) = (exp s - 1) / s``, so that ``∂y/∂x = x^(λ -
1)`` and ``∂y/∂λ = u² E'(λu)``, which at ``λ = 0`` is ``u²/2``. The inverse is ``x = exp(y L(λy))`` with
``L(s) = log(1 + s) / s``, so that ``∂x/∂y = x / (1 + λy)`` and ``∂x/∂λ = x y² L'(λy)``.
"""

import numpy as np
from scipy import special

from chainrules.makers.elementwise import binary_rule
from chainrules.operations.exprel import exprel, log1prel
from chainrules_core import may_hold, primal_of, without_warnings


def _by_lambda(u, power):
    """``u² E'(λu)``; where `u` is -∞ and λ positive, its limit ``1/λ²``."""
    is_infinite = (primal_of(u) == -np.inf) & (primal_of(power) > 0)
    if not may_hold(is_infinite):
        return u * u * exprel(1, power * u)
    u, limit = np.where(is_infinite, 0.0, u), 1.0 / np.where(is_infinite, power, 1.0) ** 2
    return np.where(is_infinite, limit, u * u * exprel(1, power * u))


def _by_lambda_of_inverse(y, power):
    return y * y * log1prel(1, power * y)


@without_warnings
def _boxcox_by_x(_, x, power):
    return x ** (power - 1.0)


binary_rule(special.boxcox, _boxcox_by_x, without_warnings(lambda y, x, power: _by_lambda(np.log(x), power)))
binary_rule(
    special.boxcox1p,
    without_warnings(lambda y, x, power: np.exp((power - 1.0) * np.log1p(x))),
    without_warnings(lambda y, x, power: _by_lambda(np.log1p(x), power)),
)
binary_rule(
    special.inv_boxcox,
    lambda x, y, power: x / (1.0 + power * y),
    lambda x, y, power: x * _by_lambda_of_inverse(y, power),
)
binary_rule(
    special.inv_boxcox1p,
    lambda x, y, power: (1.0 + x) / (1.0 + power * y),
    lambda x, y, power: (1.0 + x) * _by_lambda_of_inverse(y, power),
)
