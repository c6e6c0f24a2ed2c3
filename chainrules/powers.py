"""The partial derivatives of ``x ** p``, in one place for the operator and for `numpy.power`.

Conventions at the points where the textbook formulas fail: ``x ** 0`` is constant in ``x``, also at 0; ``0 ** p`` is constant in
``p > 0``; for a negative base the derivative by ``p`` is that of the real part, ``x ** p log|x|``.
"""

from typing import Any

import numpy as np
from chainrules_core import primal_of


def by_base(x: Any, p: Any) -> Any:
    """``∂(x ** p)/∂x = p x ** (p - 1)``."""
    if np.ndim(primal_of(p)) > 0:
        is_constant = primal_of(p) == 0
        return np.where(is_constant, 0, p * x ** np.where(is_constant, 1, p - 1))
    if primal_of(p) == 0:
        return 0
    if p is primal_of(p) and p == 2:  # noqa: PLR2004 - the square, by far the most frequent power
        return 2 * x
    return p * x ** (p - 1)


def by_exponent(y: Any, x: Any, p: Any) -> Any:
    """``∂(x ** p)/∂p = x ** p log x``, where ``y = x ** p``."""
    base = primal_of(x)
    is_constant = (base == 0) & (np.real(primal_of(p)) > 0)
    if not np.iscomplexobj(base):
        x = np.where(base < 0, -x, x)
    return y * np.log(np.where(is_constant, 1, x))
