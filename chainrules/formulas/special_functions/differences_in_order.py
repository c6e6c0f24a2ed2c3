"""The derivative of a function by its order, from its values at neighbouring orders.

Bessel functions and their kin are entire functions of their order ν, and of exponential type: they grow no
faster than ``exp(τ |ν|)`` in the complex plane, where τ depends on the argument alone, but for a factor
``1/Γ(ν)`` that grows slowly. For such functions the central differences

    f'(ν) ≈ Σ_{j=1}^{n} w_j (f(ν + j h) - f(ν - j h)) / h,   w_j = (-1)^(j+1) (n!)² / (j (n-j)! (n+j)!)

converge as ``(n!)² / (2n + 1)! (τ h)^(2n)``: with ``n = 10`` and ``τ h = π/8`` the error is a unit in the
last place, and as the weights add up to less than 6, rounding costs what 6 roundings of f over ``h f'`` cost.
No limit of small h is taken, so no digits are lost to cancellation. The steps are powers of 2, so that orders
of the usual size are moved exactly.

`chainrules.formulas.special_functions.parameter_derivatives` also differentiates a polynomial through values
around, for functions that have poles nearby and so a short interval only, in which Chebyshev's points lose
half as much to rounding. But these points are rounded themselves: for orders of 700 that costs 2e-13 of the
derivative, where multiples of a power of 2 cost nothing. So each has its own points.

B. Fornberg, "Generation of finite difference formulas on arbitrarily spaced grids", 1988; the error is that
of polynomial interpolation of exp(τ ν), https://dlmf.nist.gov/3.4.
"""

from collections.abc import Callable
from math import comb, pi
from typing import Any

import numpy as np

from chainrules.formulas.numbers.precision import no_finer
from chainrules.operations.casting import astype
from chainrules.values.elsewhere import one_elsewhere
from chainrules_core import may_hold, primal_of

_N, _FEWER = 10, 8


def _weights(n: int) -> list[float]:
    return [(-1) ** (j + 1) * comb(2 * n, n - j) / (j * comb(2 * n, n)) for j in range(1, n + 1)]


_WEIGHTS, _WEIGHTS_OF_FEWER = _weights(_N), _weights(_FEWER)

# How far differences of fewer values may be from those of all; where they converge it is 1e-11 at most.
_TOLERANCE = 1e-6

# By how much a power is lowered.
_A_LITTLE = 0.01


def derivative_by_order(f: Callable[..., Any], y: Any, order: Any, *others: Any, rate: Any) -> Any:
    """The derivative of ``y = f(order, *others)`` by the order, computed in double precision.

    It is NaN where the values are none of a function that grows as slowly: where they are out of range, and
    where f is not as it should be (SciPy's parabolic cylinder functions are wrong here and there).

    Parameters
    ----------
    f
        An entire function of its order, which may be traced.
    y
        Its value, in whose precision the derivative is given.
    order, others
        Its arguments: numbers or arrays that broadcast, which may be traced.
    rate
        τ, a number or array of the shape of ``y`` or one that broadcasts to it: how fast the function may
        grow with the order.
    """
    order, *rest = map(_in_double_precision, (order, *others))
    step = np.exp2(np.floor(np.log2(0.125 * pi / rate)))
    slope: Any = 0.0
    by_fewer: Any = 0.0
    for j in range(_N, 0, -1):  # the smallest terms first
        difference = (f(order + j * step, *rest) - f(order - j * step, *rest)) / step
        slope = slope + _WEIGHTS[j - 1] * difference
        if j <= _FEWER:
            by_fewer = by_fewer + _WEIGHTS_OF_FEWER[j - 1] * primal_of(difference)
    size = np.abs(primal_of(slope)) + rate * np.abs(primal_of(y))
    is_smooth = np.abs(primal_of(slope) - by_fewer) <= _TOLERANCE * size
    return no_finer(np.where(is_smooth, slope, np.nan), y)


def longest_reach(distance: Any) -> Any:
    """The rate of a function whose values are needed up to a distance from the order, and not farther."""
    return 0.125 * pi * _N / distance


def or_power_of_zero(slope: Any, z: Any, exponent: Any) -> Any:
    """The derivative by the order of a function that is a power of `z` near 0, where its values tell nothing.

    There it is about ``z^exponent log z``, for a positive exponent. At 0 a power that is a little lower has
    the same value and derivatives by `z`: zeros, and from the same one on, infinity.

    Parameters
    ----------
    slope
        The derivative elsewhere.
    z
        The argument.
    exponent
        Such as the order.
    """
    is_power = (primal_of(z) == 0) & (primal_of(exponent) > 0)
    if not may_hold(is_power):
        return slope
    z, exponent = one_elsewhere(is_power, z), one_elsewhere(is_power, exponent)
    lower = exponent - np.minimum(_A_LITTLE, 0.5 * primal_of(exponent))
    return np.where(is_power, -np.power(z, lower), slope)


def _in_double_precision(x: Any) -> Any:
    dtype = getattr(primal_of(x), "dtype", None)
    return (
        x
        if dtype is None or dtype.itemsize >= np.result_type(dtype, np.float64).itemsize
        else _doubled(x, dtype)
    )


def _doubled(x: Any, dtype: Any) -> Any:
    return astype(x, np.result_type(dtype, np.float64))


def rate_of_powers(order: Any, z: Any) -> Any:
    """How fast ``z^order / Γ(order)`` grows with an order near this one, and its reflections with it.

    The powers grow as ``log |z|`` along the real axis and as the angle of z along the imaginary one, where
    ``1/Γ`` grows as ``π/2``.
    """
    order, z = np.abs(primal_of(order)), primal_of(z)
    size = np.maximum(np.abs(z), np.finfo(float).tiny)
    return np.hypot(np.log1p(2.0 * (order + 1.0) / size), 0.5 * pi + np.abs(np.angle(z)))
