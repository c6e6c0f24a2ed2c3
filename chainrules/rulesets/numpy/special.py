"""Rules for other special functions.

``sinc'(x) = (cos πx - sinc x) / x``, and near 0, where that cancels, the derivative of the power series
``sinc x = Σ (-1)^k (πx)^2k / (2k + 1)!``. ``I₀' = I₁``: https://dlmf.nist.gov/10.29.
"""

import functools
from math import factorial, pi

import numpy as np

from chainrules.operations.bessel import modified_bessel
from chainrules.values.operands import Operand
from chainrules_core import primal_of, scalar_rule

# Below this the series has converged to double precision; above it the cancellation loses a digit.
_NEAR_ZERO = 0.1
_SINC_SERIES = [(-1) ** k * 2 * k * pi ** (2 * k) / factorial(2 * k + 1) for k in range(8, 0, -1)]


@scalar_rule(np.sinc)
def _(y, x: Operand):
    is_near = np.abs(primal_of(x)) < _NEAR_ZERO
    return np.where(is_near, _sinc_near_zero(x), (np.cos(pi * x) - y) / np.where(is_near, 1, x))


def _sinc_near_zero(x):
    return functools.reduce(lambda series, coefficient: series * (x * x) + coefficient, _SINC_SERIES) * x


@scalar_rule(np.i0)
def _(y, x: Operand):
    return modified_bessel(1, x)
