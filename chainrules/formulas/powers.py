"""The partial derivatives of ``y = x ** p``, in one place for the operator and for `numpy.power`.

Where the formulas of textbooks fail: ``x ** 0`` is constant in ``x``, also at 0; ``0 ** p`` is constant in
``p > 0``, and for other ``p`` has no derivative, which is NaN; for a negative base the derivative by ``p``
is that of the real part, ``x ** p log|x|``. These are the conventions of ChainRules.jl:
https://github.com/JuliaDiff/ChainRules.jl/blob/main/src/rulesets/Base/fastmath_able.jl
"""

from math import nan
from typing import Any

import numpy as np

from chainrules_core import primal_of

_NUMBERS = frozenset({int, float})


def by_base(y: Any, x: Any, p: Any) -> Any:
    """``∂y/∂x = p x ** (p - 1)``; NaN where the result is."""
    if p.__class__ in _NUMBERS and p == 2:  # the square, by far the most frequent power
        return x + x
    if np.ndim(primal_of(p)) > 0:
        is_constant = primal_of(p) == 0
        return np.where(is_constant, 0, p * _power(x, np.where(is_constant, 1, p - 1)))
    if primal_of(p) == 0:
        return 0
    slope = p * _power(x, p - 1)
    # Fractional powers of Python's negative numbers are complex, but NaN by `numpy.power`.
    return nan if slope.__class__ is complex and not np.iscomplexobj(y) else slope


def by_exponent(y: Any, x: Any, p: Any) -> Any:
    """``∂y/∂p = y log x``."""
    base, exponent = primal_of(x), primal_of(p)
    x = x + 0j if np.iscomplexobj(primal_of(y)) else np.where(base < 0, -x, x)
    at_zero = base == 0
    y_log_x = y * np.log(np.where(at_zero, 1, x))
    return np.where(at_zero & ~(np.real(exponent) > 0), np.nan, y_log_x)


def _power(x: Any, p: Any) -> Any:
    """``x ** p``, but infinite where Python's numbers raise an error."""
    try:
        return x**p
    except ArithmeticError:
        with np.errstate(divide="ignore", over="ignore"):
            return np.power(1.0 * x, p)
