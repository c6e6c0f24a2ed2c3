"""Tricomi's confluent hypergeometric function with powers of logarithms in its integral, which has rules.

For ``a > 0`` and ``x > 0``, with https://dlmf.nist.gov/13.4.E4, ::

    U_jk(a, b, x) = 1/Γ(a) ∫₀^∞ e^(-x t) t^(a-1) (1 + t)^(b-a-1) (log t)^j (log (1 + t))^k dt

is ``U(a, b, x)`` for ``j = k = 0``, and its derivatives are integrals of the same kind::

    ∂/∂a U_jk = U_{j+1,k} - U_{j,k+1} - ψ(a) U_jk
    ∂/∂b U_jk = U_{j,k+1}
    ∂/∂x U_jk(a, b, x) = -a U_jk(a + 1, b + 1, x)

SciPy's own values have eight digits here and there, which is too few to differentiate them by a or b. The
integral is computed by the trapezoidal rule in ``log t``, which converges exponentially: L. N. Trefethen and
J. A. C. Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56, 2014.
"""

import math
from typing import Any

import numpy as np

from chainrules.operations.casting import floating_dtype
from chainrules.operations.polygamma import polygamma
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule

# The logarithm of the relative error of what is left out, and how many values are computed at once.
_DIGITS = 40.0
_BLOCK = 200_000
# Nearer to 0 the integrand falls too slowly, and for larger parameters its peak is too narrow.
_LEAST = 0.02
_MOST = 1e6


def has_confluent_integral(a: Any, b: Any, x: Any) -> Any:
    """Where `confluent_integral` is not NaN: elementwise, of plain numbers and arrays."""
    return (a >= _LEAST) & (a + np.abs(b) <= _MOST) & (x > 0) & np.isfinite(x)


@primitive
@by_blocks
def confluent_integral(j: int, k: int, a: Any, b: Any, x: Any) -> Any:
    """``U_jk(a, b, x)``.

    Parameters
    ----------
    j, k
        The powers of the logarithms.
    a, b, x
        Real numbers or arrays that broadcast.

    Returns
    -------
    number or array
        With an error of about 1e-13 of the integral of absolute values; NaN where `a` is less than
        1/50 or `x` is not positive, and for a and b that add up to more than 10⁶.
    """
    dtype = floating_dtype(a, b, x)
    arguments = np.broadcast_arrays(a, b, x)
    points = np.stack([np.ravel(part).astype(float) for part in arguments])
    is_regular = has_confluent_integral(*points)
    y = np.full(is_regular.shape, np.nan)
    y[is_regular] = _integrals(j, k, points[:, is_regular])
    return y.reshape(arguments[0].shape).astype(dtype)[()]


@scalar_rule(confluent_integral)
def _(  # noqa: PLR0913, PLR0917 - those of the primal
    y: Any, j: int, k: int, a: Operand, b: Operand, x: Operand
) -> Any:
    by_b = confluent_integral(j, k + 1, a, b, x)
    by_a = confluent_integral(j + 1, k, a, b, x) - by_b - polygamma(0, a) * y
    return NO_TANGENT, NO_TANGENT, by_a, by_b, -a * confluent_integral(j, k, a + 1.0, b + 1.0, x)


def _integrals(j: int, k: int, points: Any) -> Any:
    a, b, x = points
    if not a.size:
        return a
    # The integrand is analytic for ``|Im u| < π/2``, and as narrow as ``1 / sqrt(a)`` at its peak.
    step = min(0.2, 0.6 / math.sqrt((a + np.abs(b)).max()))
    peak = np.maximum(np.maximum(b, a), 1.0)
    high = np.log((peak + 2.0 * _DIGITS + 8.0 * np.sqrt(peak)) / x)
    digits = _DIGITS + 5.0 * (j + 1)
    low = np.minimum(np.log(a / (x + np.abs(b) + 1.0)), 0.0) - digits / np.minimum(a, 1.0)
    count = math.ceil(((high - low) / step).max()) + 1
    columns = max(1, _BLOCK // count)
    blocks = [slice(i, i + columns) for i in range(0, a.size, columns)]
    u = np.arange(count)[:, None] * -step
    sums = [_sum(j, k, points[:, block], u + high[block]) for block in blocks]
    return np.concatenate(sums) * step


def _sum(j: int, k: int, points: Any, u: Any) -> Any:
    from scipy.special import gammaln  # noqa: PLC0415 - a program that takes no such derivative needs no SciPy

    (a, b, x), t = points, np.exp(u)
    beyond = np.log1p(t)
    exponent = a * u - x * t + (b - a - 1.0) * beyond - gammaln(a)
    return (np.exp(exponent) * u**j * beyond**k).sum(axis=0)
