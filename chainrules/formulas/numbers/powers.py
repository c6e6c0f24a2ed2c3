"""The derivatives of ``y = x ** p``, in one place for the operator and for `numpy.power`.

Where the formulas of textbooks fail: ``x ** 0`` is constant in ``x``, also at 0; ``0 ** p`` is constant in
``p > 0``, and for other ``p`` has no derivative, which is NaN; for a negative base the derivative by ``p`` is
the derivative of the real part, ``x ** p log|x|``. These are the conventions of ChainRules.jl:
https://github.com/JuliaDiff/ChainRules.jl/blob/main/src/rulesets/Base/fastmath_able.jl

A value decides which formula is taken only if that changes no derivative, of any order, by the traced
operands: ``x ** 0`` is a constant if nobody differentiates by the exponent.
"""

from math import nan
from typing import Any

import numpy as np

from chainrules.formulas.numbers import binary_functions
from chainrules_core import is_complex, may_hold, primal_of, unbroadcast


def by_base(y: Any, x: Any, p: Any) -> Any:
    """``∂y/∂x = p x ** (p - 1)``; NaN where the result is."""
    exponent = primal_of(p)
    if p is not exponent:
        return _by_base_of_moving_exponent(x, p, exponent)
    if getattr(exponent, "ndim", 0):
        is_constant = exponent == 0
        return np.where(is_constant, 0, p * _power(x, np.where(is_constant, 1, p - 1)))
    if exponent == 0:
        return 0
    if exponent == 2:  # the square, by far the most frequent power
        return x + x
    slope = p * _power(x, p - 1)
    # Fractional powers of Python's negative numbers are complex, but NaN by `numpy.power`.
    return nan if isinstance(slope, complex) and not is_complex(y) else slope


def _by_base_of_moving_exponent(x: Any, p: Any, exponent: Any) -> Any:
    """The same where the exponent moves: that it is 0 or 2 tells nothing about exponents beside it."""
    at_origin = (exponent == 0) & (primal_of(x) == 0)
    if not may_hold(at_origin):
        return p * _power(x, p - 1)
    # There the slope is 0, and rises at an infinite rate with the exponent, as the root of `p` does.
    return np.where(at_origin, np.where(at_origin, p, 0) ** 0.5, p * _power(np.where(at_origin, 1, x), p - 1))


def by_exponent(y: Any, x: Any, p: Any) -> Any:
    """``∂y/∂p = y log x``."""
    base, exponent = primal_of(x), primal_of(p)
    at_zero = base == 0
    moved = x
    x = x + 0j if is_complex(y) else np.where(base < 0, -x, x)
    y_log_x = y * np.log(np.where(at_zero, 1, x))
    is_defined = np.real(exponent) > 0
    if moved is not base and may_hold(at_zero & is_defined):
        # This power of zero has the derivatives by the base of `y log x`: 0, and from some order on -∞.
        instead = -(np.where(at_zero, moved, 0) ** (np.ceil(np.real(exponent)) - 0.5))
        y_log_x = np.where(at_zero & is_defined, instead, y_log_x)
    return np.where(at_zero & np.logical_not(is_defined), np.nan, y_log_x)


def _power(x: Any, p: Any) -> Any:
    """``x ** p``, but infinite where Python's numbers raise an error."""
    try:
        return x**p
    except ArithmeticError:
        with np.errstate(divide="ignore", over="ignore"):
            return np.power(1.0 * x, p)


def push_power(tangents: Any, y: Any, x: Any, p: Any) -> Any:
    """The tangent of the power, in the tangent space of `y`."""
    return unbroadcast(y, binary_functions.push_operands(by_base, by_exponent, (y, x, p), tangents))


# The pullback of the power. The derivative by the exponent costs a logarithm, and is seldom wanted.
pullback_of = binary_functions.pullbacks(by_base, by_exponent, both=False)
