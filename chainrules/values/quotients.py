"""Quotients whose divisor may be zero."""

from math import copysign, inf, nan
from typing import Any

import numpy as np

from chainrules_core import primal_of


def inverse(x: Any) -> Any:
    """``1 / x``, which is infinite where `x` is the number 0, and NaN where it is the complex one.

    Python's numbers raise an error there and NumPy's warn; for arrays, rules switch warnings off.
    """
    try:
        if isinstance(x, float | complex) and x == 0:
            return copysign(inf, x) if isinstance(x, float) else complex(nan, nan)
        return 1.0 / x
    except ZeroDivisionError:  # of a number of Python that is being differentiated by
        return np.divide(1.0, x)


def quotient_or_zero(x: Any, norm: Any) -> Any:
    """``x / norm``, and 0 where the norm is 0: the subgradient of a norm in the middle of its kink.

    It is for numbers: Python's raise an error there, and NumPy's are NaN.
    """
    return 0.0 if primal_of(norm) == 0 else x / norm


def nonzero(x: Any) -> Any:
    """`x`, but 1 where it is 0, so that zeros can be divided by it."""
    return x + (primal_of(x) == 0)
