"""The derivatives of Hurwitz's zeta function by its exponent, as functions that have rules.

``ζ(s, q) = Σ (q + k)^-s`` for k = 0, 1, ... is continued to all s but 1. Its derivatives of order n by s
obey::

    ∂/∂s ζ⁽ⁿ⁾(s, q) = ζ⁽ⁿ⁺¹⁾(s, q)
    ∂/∂q ζ⁽ⁿ⁾(s, q) = -s ζ⁽ⁿ⁾(s + 1, q) - n ζ⁽ⁿ⁻¹⁾(s + 1, q)

https://dlmf.nist.gov/25.11.E17. They are computed by the formula of Euler and Maclaurin, each of whose terms
is differentiated by s: F. Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and
its derivatives", Numerical Algorithms 69, 2015. Left of ``Re s = 1/4``, where that loses digits and where
only Riemann's function with ``q = 1`` is meant, they are Cauchy's integral over a circle, by the trapezoidal
rule.
"""

import math
from typing import Any

import numpy as np

from chainrules.numerics.bernoulli import bernoulli_numbers
from chainrules.operations.casting import floating_dtype
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule

# How many terms of the sum are added, and one more for each unit of the imaginary part of s.
_TERMS = 25
_MOST_TERMS = 10_000
# Bernoulli's numbers B₂, B₄, ..., over the factorials (2 j)!.
_FACTORS = tuple(float(b / math.factorial(2 * j)) for j, b in enumerate(bernoulli_numbers(12), 1))
_LEFTMOST = 0.25
_CIRCLE = 0.25 * np.exp(2j * np.pi * np.arange(40) / 40)


@primitive
@by_blocks
def zeta_derivative(order: int, s: Any, q: Any) -> Any:
    """``∂ⁿζ(s, q)/∂sⁿ`` for a number n, the order.

    Parameters
    ----------
    order
        The order, 0 or more.
    s
        Numbers or arrays, real or complex, with an imaginary part up to 10⁴.
    q
        Real numbers or arrays.

    Returns
    -------
    number or array
        With a relative error of about 1e-14 right of ``Re s = 1/4``, and a few times that left of it. NaN
        where `q` is not positive, or `s` is left of there and `q` is not 1. At the pole ``s = 1`` infinite or
        NaN.
    """
    dtype = floating_dtype(s, q)
    shape = np.broadcast_shapes(np.shape(s), np.shape(q))
    s, q = (np.broadcast_to(np.asarray(x) * np.float64(1.0), shape).ravel() for x in (s, q))
    y = np.full(s.shape, np.nan, s.dtype)
    with np.errstate(all="ignore"):
        is_right = (s.real >= _LEFTMOST) & (q > 0) & (np.abs(s.imag) <= _MOST_TERMS)
        y[is_right] = _by_euler_maclaurin(order, s[is_right], q[is_right])
        is_left = (s.real < _LEFTMOST) & (q == 1.0)
        y[is_left] = _by_cauchy(order, s[is_left])
    return y.reshape(shape).astype(dtype, copy=False)[()]


@scalar_rule(zeta_derivative)
def _(y: Any, order: int, s: Operand, q: Operand) -> Any:
    with np.errstate(invalid="ignore"):  # NaN at s = 0, where the second factor has its pole
        by_q = -s * zeta_derivative(order, s + 1.0, q)
    if order:
        by_q = by_q - order * zeta_derivative(order - 1, s + 1.0, q)
    return NO_TANGENT, zeta_derivative(order + 1, s, q), by_q


def _by_euler_maclaurin(order: int, s: Any, q: Any) -> Any:
    terms = _TERMS + math.ceil(np.abs(s.imag).max(initial=0.0))
    total = np.zeros_like(s)
    for k in range(terms):
        # Of ``1^-s`` with a logarithm of 0, the power of order 0 is 1.
        total += (-np.log(q + k)) ** order * (q + k) ** -s
    end = q + terms
    return total + math.factorial(order) * _tail(order, s, end)


def _tail(order: int, s: Any, end: Any) -> Any:
    """The rest of the sum, as a coefficient of a power series in s."""
    power = [(-np.log(end)) ** i / math.factorial(i) * end**-s for i in range(order + 1)]
    integral = [(-1) ** i * end / (s - 1.0) ** (i + 1) for i in range(order + 1)]
    total = _coefficient(integral, power) + 0.5 * power[order]
    factor = [s, np.ones_like(s), *(np.zeros_like(s) for _ in range(order))][: order + 1]
    for j, number in enumerate(_FACTORS, 1):
        total = total + number / end ** (2 * j - 1) * _coefficient(factor, power)
        factor = _times_linear(_times_linear(factor, s + (2 * j - 1)), s + 2 * j)
    return total


def _coefficient(a: list[Any], b: list[Any]) -> Any:
    """The last coefficient of a product of two power series."""
    return sum(x * y for x, y in zip(a, reversed(b), strict=True))


def _times_linear(a: list[Any], constant: Any) -> list[Any]:
    """The power series times ``constant + t``."""
    return [constant * x + below for x, below in zip(a, [0.0, *a[:-1]], strict=True)]


def _by_cauchy(order: int, s: Any) -> Any:
    # Not at the top: `import chainrules` imports no subpackage of SciPy that the program does not need.
    from scipy.special import zeta  # noqa: PLC0415 - see above

    mean = (zeta(s[:, None] + _CIRCLE) * _CIRCLE**-order).mean(axis=1) * math.factorial(order)
    return mean if np.iscomplexobj(s) else mean.real
