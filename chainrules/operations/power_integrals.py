"""Integrals of products of powers, as a function that has rules: the derivatives of elliptic integrals.

``R(e; x) = ∫₀^∞ Π (t + xᵢ)^-eᵢ dt`` has the derivatives ``∂R/∂xᵢ = -eᵢ R(e + δᵢ; x)``. Carlson's symmetric
integrals are of this kind: https://dlmf.nist.gov/19.16. Closed formulas for their derivatives divide by
differences of the arguments, and lose all digits where two are equal; this integral does not.

It is computed by the trapezoidal rule after the substitution ``t = exp(u)``, which makes its error fall
exponentially as the step does: L. N. Trefethen and J. A. C. Weideman, "The exponentially convergent
trapezoidal rule", SIAM Review 56, 2014. The integrand is analytic where ``|Im u| < π - |arg xᵢ|``; for
complex arguments the path is turned into the middle of theirs.
"""

import math
from typing import Any

import numpy as np

from chainrules.operations.casting import floating_dtype
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule

# The logarithm of the relative error of what is left out on both sides, and that of the step, which is
# multiplied by the integrand near its poles; how many values of the integrand are computed at once.
_DIGITS = 38.0
_DIGITS_OF_STEP = 46.0
_BLOCK = 200_000


@primitive
def power_integral(a: int, b: int, c: int, d: int, x: Any, y: Any, z: Any, p: Any) -> Any:  # noqa: PLR0913, PLR0917 - of four factors
    """``∫₀^∞ (t + x)^(-a/2) (t + y)^(-b/2) (t + z)^(-c/2) (t + p)^(-d/2) dt``.

    Parameters
    ----------
    a, b, c, d
        Twice the powers: integers, 0 or more, with a sum above 2.
    x, y, z, p
        Numbers or arrays that broadcast, with positive real parts, or complex and off the negative axis. At
        most one is 0. The integral is infinite where that one's power is 1 or more.

    Returns
    -------
    number or array
        With a relative error of about 1e-14; NaN outside the domain.
    """
    dtype = floating_dtype(x, y, z, p)
    xs = np.broadcast_arrays(x, y, z, p)
    points = np.stack([np.ravel(x).astype(np.result_type(dtype, np.float64)) for x in xs])
    return _integrals(0.5 * np.array([a, b, c, d]), points).reshape(xs[0].shape).astype(dtype)[()]


@scalar_rule(power_integral)
def _(R: Any, a: int, b: int, c: int, d: int, x: Operand, y: Operand, z: Operand, p: Operand) -> Any:  # noqa: PLR0913, PLR0917 - as above
    halves = a, b, c, d

    def by(place: int) -> Any:
        raised = (half + 2 * (i == place) for i, half in enumerate(halves))
        return -0.5 * halves[place] * power_integral(*(*raised, x, y, z, p)) if halves[place] else 0.0

    return *(NO_TANGENT,) * len(halves), *map(by, range(4))


def _integrals(powers: Any, points: Any) -> Any:
    """The integral for each column of points."""
    used = powers > 0
    powers, points = powers[used], points[used]
    with np.errstate(all="ignore"):
        is_far = ~(np.isfinite(points) & ((points.real >= 0) | (points.imag != 0))).all(axis=0)
        has_pole = ((points == 0) & (powers[:, None] >= 1)).any(axis=0) | ((points == 0).sum(axis=0) > 1)
        is_regular = ~(is_far | has_pole)
        values = np.where(is_far, np.nan, np.inf).astype(points.dtype)
        values[is_regular] = _regular(powers, points[:, is_regular])
    return values


def _regular(powers: Any, points: Any) -> Any:
    if not points.size:
        return points[0]
    turn = np.exp(1j * _middle_angle(points)) if np.iscomplexobj(points) else 1.0
    turned = points / turn
    step = _step(turned)
    sizes = np.abs(turned)
    least, most = np.where(sizes == 0, np.inf, sizes).min(axis=0), sizes.max(axis=0)
    # Towards 0 the integrand falls as t, or as its square root where a point is 0; far away as t^(1 - Σ
    # powers).
    before = _DIGITS * (2.0 if (sizes == 0).any() else 1.0)
    after = _DIGITS / (powers.sum() - 1.0) + (np.log(most) - np.log(least)).max()
    u = np.arange(-math.ceil(before / step), math.ceil(after / step) + 1)[:, None] * step
    columns = max(1, _BLOCK // u.size)
    blocks = [slice(i, i + columns) for i in range(0, points.shape[1], columns)]
    # The range is that of the widest integral: in others, the tail would overflow to 0 * inf.
    largest = 0.25 * np.finfo(np.float64).max
    sums = [_sum(powers, turned[:, block], np.minimum(least[block] * np.exp(u), largest)) for block in blocks]
    return np.concatenate(sums) * step * turn ** (1.0 - powers.sum())


def _sum(powers: Any, points: Any, t: Any) -> Any:
    product = t
    for power, x in zip(powers, points, strict=True):
        product = product * _inverse_power(t + x, power)
    return product.sum(axis=0)


def _inverse_power(x: Any, power: float) -> Any:
    """``x^-power`` for a multiple of 1/2, quicker than the general power."""
    whole = int(power)
    y = 1.0 / (np.sqrt(x) if power > whole else x)
    factors = whole if power > whole else whole - 1
    for _ in range(factors):
        y = y / x
    return y


def _middle_angle(points: Any) -> Any:
    angles = np.angle(points)
    return 0.5 * (angles.max(axis=0) + angles.min(axis=0))


def _step(turned: Any) -> float:
    """The step for which the error has the wanted number of digits."""
    widest = np.abs(np.angle(turned)).max() if np.iscomplexobj(turned) else 0.0
    return 2.0 * math.pi * (math.pi - widest) / _DIGITS_OF_STEP
