"""The derivatives of the logarithm of the gamma function, of all orders, and their differences.

``polygamma(n, x)`` is the derivative of order n + 1 of log Γ(x), so that each is the derivative of the one
before: https://dlmf.nist.gov/5.15. SciPy has those of real numbers; those of complex ones are computed by the
recurrence ``ψ⁽ⁿ⁾(z + 1) = ψ⁽ⁿ⁾(z) + (-1)ⁿ n! z^(-n - 1)`` from the asymptotic series
https://dlmf.nist.gov/5.15.E8, left of the imaginary axis after the reflection https://dlmf.nist.gov/5.15.E6.
"""

from math import factorial
from typing import Any

import numpy as np

from chainrules.numerics.bernoulli import bernoulli_numbers
from chainrules.operations.casting import single_or_double
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, is_complex, primitive, scalar_rule

# From here on the asymptotic series has the precision of a double, for orders up to about this number.
_FAR = 14
_BERNOULLI = tuple(map(float, bernoulli_numbers(9)))
# Where the increment is a larger part of the argument than this, a difference loses few digits.
_SMALL_PART = 0.25


@primitive
@by_blocks
def polygamma(n: int, x: Any) -> Any:
    """``ψ⁽ⁿ⁾(x)``: the digamma function for ``n = 0``, the trigamma function for ``n = 1``, and so on.

    Parameters
    ----------
    n
        The order; an array of them for real arguments.
    x
        A number or an array. Of complex ones the result has a relative error of about 1e-13, for n up to 10.
    """
    # Not at the top: `import chainrules` imports no subpackage of SciPy that the program does not need.
    from scipy.special import digamma, polygamma  # noqa: PLC0415 - see above

    if isinstance(n, int) and n == 0:
        return digamma(x)
    y = _of_complex(n, np.asarray(x))[()] if is_complex(x) else polygamma(n, x)
    return _in_precision_of(x, y)


def _in_precision_of(x: Any, y: Any) -> Any:
    """The result in single precision, where the argument is."""
    return y.astype(x.dtype) if getattr(x, "dtype", None) in (np.float32, np.complex64) else y


# --- Of complex numbers ------------------------------------------------------------------------------------


def _of_complex(n: int, z: Any) -> Any:
    z = z.astype(complex)
    is_left = z.real < 0
    sign = (-1) ** n
    right = np.where(is_left, 1 - z, z)
    y = np.zeros_like(right)
    for k in range(_FAR + n):
        y -= sign * factorial(n) / (right + k) ** (n + 1)
    y += _far_away(n, right + (_FAR + n))
    # Overflow far from the real axis has the right limit, 0.
    return np.where(is_left, sign * y - np.pi * _cotangent_derivative(n, np.where(is_left, z, 0.5)), y)


def _far_away(n: int, z: Any) -> Any:
    """By the asymptotic series."""
    lead = np.log(z) if n == 0 else -((-1) ** n) * factorial(n - 1) / z**n
    sign = (-1) ** n
    y = lead - sign * factorial(n) / (2 * z ** (n + 1))
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        y = y - sign * bernoulli * (factorial(2 * k + n - 1) / factorial(2 * k)) / z ** (2 * k + n)
    return y


def _cotangent_derivative(n: int, z: Any) -> Any:
    """The derivative of order `n` of ``cot πz``, without overflow or cancellation.

    Below the real axis ``cot πz = i (1 + 2u)`` with ``u = q / (1 - q)`` and ``q = exp(-2πi z)``, where
    ``u' = -2πi u (1 + u)``; above it, its mirror image.
    """
    above = z.imag > 0
    z = np.where(above, -z, z)
    polynomial = np.polynomial.Polynomial([1j, 2j])
    for _ in range(n):
        polynomial = -2j * np.pi * np.polynomial.Polynomial([0.0, 1.0, 1.0]) * polynomial.deriv()
    exponent = -2j * np.pi * (z - np.rint(z.real))
    y = polynomial(-np.exp(exponent) / np.expm1(exponent))
    return np.where(above, -((-1) ** n) * y, y)


# --- Differences -------------------------------------------------------------------------------------------


@primitive
@by_blocks
def polygamma_increment(n: int, a: Any, b: Any) -> Any:
    """``ψ⁽ⁿ⁾(a + b) - ψ⁽ⁿ⁾(a)``, which keeps its digits where `b` is small beside `a`.

    Parameters
    ----------
    n
        The order.
    a, b
        Real numbers or arrays. For positive ones the result has a relative error of about 1e-14.
    """
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    start, step = (np.broadcast_to(np.asarray(x, float), shape) for x in (a, b))
    is_small = (start > 0) & (np.abs(step) < _SMALL_PART * start)
    y = np.empty(shape)
    y[is_small] = _small_increment(n, start[is_small], step[is_small])
    start, step = start[~is_small], step[~is_small]
    y[~is_small] = polygamma(n, start + step) - polygamma(n, start)
    return single_or_double(y, a, b)


def _small_increment(n: int, a: Any, b: Any) -> Any:
    """By the recurrence and the asymptotic series, whose terms are powers: their increments add up."""
    sign = (-1) ** n
    y = np.zeros_like(a)
    for k in range(_FAR + n):
        y -= sign * factorial(n) * _power_increment(n + 1, a + k, b)
    a = a + (_FAR + n)
    y += np.log1p(b / a) if n == 0 else -sign * factorial(n - 1) * _power_increment(n, a, b)
    y -= sign * factorial(n) / 2 * _power_increment(n + 1, a, b)
    for k, bernoulli in enumerate(_BERNOULLI, 1):
        factor = bernoulli * (factorial(2 * k + n - 1) / factorial(2 * k))
        y -= sign * factor * _power_increment(2 * k + n, a, b)
    return y


def _power_increment(s: int, a: Any, b: Any) -> Any:
    """``(a + b)^-s - a^-s``."""
    return np.expm1(-s * np.log1p(b / a)) / a**s


# --- Rules -------------------------------------------------------------------------------------------------
#
# They stand last: SciPy's function has the name of ours, and its rules, which need all of this, are imported
# when there is a rule for the name.


@scalar_rule(polygamma)
def _(y: Any, n: Operand, x: Operand) -> tuple[Any, Any]:
    return NO_TANGENT, polygamma(n + 1, x)


@scalar_rule(polygamma_increment)
def _(y: Any, n: int, a: Operand, b: Operand) -> tuple[Any, Any, Any]:
    return NO_TANGENT, polygamma_increment(n + 1, a, b), polygamma(n + 1, a + b)
