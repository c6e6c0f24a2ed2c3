"""The derivatives of the density of Landau's distribution, divided by the density.

With ``φ(s) = s log s + x s`` the density is ``1/(2πi) ∫ exp(φ(s)) ds`` along a line parallel to the imaginary
axis, and each derivative has a factor `s` more in the integrand: L. Landau, Journal of Physics USSR 8 (1944).
By the line through the saddle of `φ`, terms cancel nowhere on the left. On the right the line is bent to both
sides of the negative numbers, ``1/π ∫ exp(-t log t - x t) sin(πt) dt`` over positive `t`.
"""

from functools import cache
from typing import Any

import numpy as np

from chainrules.numerics.double_exponential import of_positive_numbers
from chainrules.operations.casting import single_or_double
from chainrules.values.elsewhere import one_elsewhere, one_where
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule

# Where the two are as good; beyond the second one the density is that of a power, in doubles.
LEFT, POWER = 1.5, 1e15
# Steps along the line, and how far from 0, where `φ` has a branch, the line has to be.
STEP, COUNT, CLEAR = 0.08, 320, 0.5


@primitive
@by_blocks
def landau_ratio(n: int, x: Any) -> Any:
    """The derivative of order `n` of the density at `x`, divided by the density."""
    x = np.asarray(x, dtype=float)
    is_left = x < LEFT
    left = _on_line(n, one_elsewhere(is_left, x) if not is_left.all() else x)
    y = np.where(is_left, left, _on_cut(n, one_where(is_left, x)))
    return single_or_double(y, x)


@scalar_rule(landau_ratio)
def _(y: Any, n: int, x: Operand) -> tuple[Any, Any]:
    return NO_TANGENT, landau_ratio(n + 1, x) - y * landau_ratio(1, x)


def _on_line(n: int, x: Any) -> Any:
    c = np.maximum(np.exp(-1.0 - x), CLEAR)[..., None]
    s = c + 1j * STEP * np.maximum(1.0, np.sqrt(2.0 * c)) * np.arange(COUNT)
    start = c * np.log(c) + x[..., None] * c
    terms = np.exp(s * np.log(s) + x[..., None] * s - start)
    terms[..., 0] *= 0.5
    return np.sum((s**n * terms).real, axis=-1) / np.sum(terms.real, axis=-1)


def _on_cut(n: int, x: Any) -> Any:
    v, weights = _nodes()
    t = v / np.minimum(x, POWER)[..., None]
    # The sine by its argument, of which one factor is the same in both sums.
    terms = weights * np.exp(-v - t * np.log(t)) * v * np.sinc(t)
    return np.sum((-t) ** n * terms, axis=-1) / np.sum(terms, axis=-1) * (np.minimum(x, POWER) / x) ** n


@cache
def _nodes() -> tuple[Any, Any]:
    v, weights = of_positive_numbers()
    kept = (v > 1e-30) & (v < 700.0)
    return v[kept], weights[kept]
