"""The derivatives of ``(exp x - 1) / x`` and of ``log(1 + x) / x``, of all orders, at 0 too.

Both are integrals, ``∫₀¹ exp(xt) dt`` and ``∫₀¹ dt / (1 + xt)``, whose derivatives are integrals as well:
``∫₀¹ tⁿ exp(xt) dt`` and ``∫₀¹ n! (-t)ⁿ / (1 + xt)ⁿ⁺¹ dt``. Their integrands have one sign, so that near 0,
where closed forms cancel, a rule of Gauss and Legendre has the precision of a double.
"""

from functools import cache
from math import factorial
from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.casting import single_or_double
from chainrules.values.elsewhere import one_elsewhere, one_where
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule

_NODES = 16


@primitive
@by_blocks
def exprel(n: int, x: Any) -> Any:
    """The derivative of order `n` of ``(exp x - 1) / x``, with a relative error below 1e-14 for small `n`."""
    x = np.asarray(x)
    is_near = np.abs(x) < 4 + n
    near = one_elsewhere(is_near, x)
    y = sum(weight * t**n * np.exp(near * t) for t, weight in _rule_on_unit_interval())
    if not is_near.all():
        y = np.where(is_near, y, _exprel_far_away(n, one_where(is_near, x)))
    return single_or_double(y, x)


@scalar_rule(exprel)
def _(y: Any, n: int, x: Operand) -> tuple[Any, Any]:
    return NO_TANGENT, exprel(n + 1, x)


def _exprel_far_away(n: int, x: Any) -> Any:
    """By parts: ``x yₙ = exp x - n yₙ₋₁``."""
    y = special.exprel(x)
    for order in range(1, n + 1):
        y = (np.exp(x) - order * y) / x
    return y


@primitive
@by_blocks
def log1prel(n: int, x: Any) -> Any:
    """The derivative of order `n` of ``log(1 + x) / x``, with a relative error below 1e-13 for small `n`."""
    x = np.asarray(x)
    is_near = np.abs(x) < 0.25
    near = one_elsewhere(is_near, x)
    y = (
        (-1) ** n
        * factorial(n)
        * sum(w * t**n / (1 + near * t) ** (n + 1) for t, w in _rule_on_unit_interval())
    )
    if not is_near.all():
        y = np.where(is_near, y, _log1prel_far_away(n, one_where(is_near, x)))
    return single_or_double(y, x)


@scalar_rule(log1prel)
def _(y: Any, n: int, x: Operand) -> tuple[Any, Any]:
    return NO_TANGENT, log1prel(n + 1, x)


def _log1prel_far_away(n: int, x: Any) -> Any:
    """From ``x y = log(1 + x)``: ``x yₙ = log⁽ⁿ⁾(1 + x) - n yₙ₋₁``."""
    y = np.log1p(x) / x
    for order in range(1, n + 1):
        y = (-((-1) ** order) * factorial(order - 1) / (1 + x) ** order - order * y) / x
    return y


@cache
def _rule_on_unit_interval() -> list[tuple[float, float]]:
    """Nodes and weights of the rule of Gauss and Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return list(zip((nodes + 1) / 2, weights / 2, strict=True))
