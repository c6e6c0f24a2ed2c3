"""Rules for the transformation of Box and Cox, and its inverse.

``y = (x^λ - 1) / λ = u E(λu)`` with ``u = log x`` and ``E(s) = (exp s - 1) / s``, so that ``∂y/∂x = x^(λ -
1)`` and ``∂y/∂λ = u² E'(λu)``, which at ``λ = 0`` is ``u²/2``. The inverse is ``x = exp(y L(λy))`` with
``L(s) = log(1 + s) / s``, so that ``∂x/∂y = x / (1 + λy)`` and ``∂x/∂λ = x y² L'(λy)``; where ``1 + λy`` is
zero, their limits are ``∂x/∂y = 0^(1/λ - 1)`` and ``∂x/∂λ = y/λ ∂x/∂y``.
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


def _inverse_by_y(x, y, power):
    base = 1.0 + power * y
    is_end = primal_of(base) == 0
    if not may_hold(is_end):
        return x / base
    return np.where(is_end, _slope_at_end(is_end, power), x / np.where(is_end, 1.0, base))


def _inverse_by_lambda(x, y, power):
    is_end = primal_of(1.0 + power * y) == 0
    if not may_hold(is_end):
        return x * (y * y * log1prel(1, power * y))
    inner = np.where(is_end, 0.0, y)
    at_end = y / np.where(is_end, power, 1.0) * _slope_at_end(is_end, power)
    return np.where(is_end, at_end, x * inner * inner * log1prel(1, power * inner))


def _slope_at_end(is_end, power):
    return np.where(is_end, 0.0, 1.0) ** (1.0 / np.where(is_end, power, 1.0) - 1.0)


@without_warnings
def _boxcox_by_x(_, x, power):
    return x ** (power - 1.0)


@without_warnings
def _boxcox1p_by_x(_, x, power):
    u = np.log1p(x)
    is_end = (primal_of(u) == -np.inf) & (
        primal_of(power) == 1
    )  # of a line, where the product is not defined
    return np.exp((power - 1.0) * (np.where(is_end, 0.0, u) if may_hold(is_end) else u))


binary_rule(special.boxcox, _boxcox_by_x, without_warnings(lambda y, x, power: _by_lambda(np.log(x), power)))
binary_rule(
    special.boxcox1p,
    _boxcox1p_by_x,
    without_warnings(lambda y, x, power: _by_lambda(np.log1p(x), power)),
)
binary_rule(
    special.inv_boxcox,
    without_warnings(_inverse_by_y),
    without_warnings(_inverse_by_lambda),
)
binary_rule(
    special.inv_boxcox1p,
    without_warnings(lambda x, y, power: _inverse_by_y(1.0 + x, y, power)),
    without_warnings(lambda x, y, power: _inverse_by_lambda(1.0 + x, y, power)),
)
