"""Derivatives of exponentially scaled Bessel functions, which vary slowly where their argument is large.

By Hankel's expansion ``e^z K_v(z) = sqrt(π / 2z) Σ a_k(v) z^-k`` and the like of the other functions:
https://dlmf.nist.gov/10.40 and https://dlmf.nist.gov/10.17. The differences of the functions of neighbouring
orders, of which the derivative is made elsewhere, cancel there.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.formulas.numbers.signs import sign
from chainrules_core import may_hold, primal_of

# Terms of Hankel's expansion; where it is used the next one is less than a unit in the last place.
_TERMS = 24


def is_large(order: Any, z: Any) -> Any:
    """Where Hankel's expansion of the functions of this order has converged to double precision."""
    order, size = primal_of(order), abs(primal_of(z))
    return (size > 30.0) & (size > 2.0 * order * order)


def far_or_near(is_far: Any, far: Callable[[], Any], near: Any) -> Any:
    """``far()`` where an argument is large, and `near` elsewhere.

    The expansion has many terms, and is not computed where no argument is large.
    """
    return np.where(is_far, far(), near) if may_hold(is_far) else near


def direction(z: Any) -> Any:
    """The sign of the real part of z, a constant in the precision of z."""
    real = np.real(primal_of(z))
    return np.sign(real) if hasattr(real, "dtype") else sign(real)


def logarithmic_slope(order: Any, z: Any) -> Any:
    """``d/dz log(e^z K_v(z))``, where z is large; what it is elsewhere means nothing, but is finite.

    The same function of ``-z`` belongs to ``e^-z I_v(z)``, and those of ``-i z`` and ``i z`` to the Hankel
    functions.
    """
    z = np.where(is_large(order, z), z, 1e3 + 2.0 * primal_of(order) * primal_of(order))
    term, value, slope = 1.0, 1.0, 0.5
    for k in range(1, _TERMS):
        term = term * (4.0 * order * order - (2 * k - 1) ** 2) / (8.0 * k * z)
        value, slope = value + term, slope + (k + 0.5) * term
    return -slope / (value * z)
