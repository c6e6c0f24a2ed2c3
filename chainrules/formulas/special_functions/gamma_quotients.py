"""The derivatives of quotients of gamma functions, also at zeros, where a denominator has a pole.

``(1/Γ)'(x) = -ψ(x) / Γ(x)``, left of 1/2 by the reflection ``1/Γ(x) = sin(πx) Γ(1 - x) / π``, so that there
is no pole of ψ: https://dlmf.nist.gov/5.5.E3. ``(z)ₘ = Γ(z + m) / Γ(z)``: https://dlmf.nist.gov/5.2.E5.
``C(n, k) = Γ(n + 1) / (Γ(k + 1) Γ(n - k + 1))``: https://dlmf.nist.gov/1.2.E6.
"""

from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.polygamma import polygamma_increment
from chainrules.values.elsewhere import one_elsewhere, one_where
from chainrules_core import may_hold, primal_of


def slope_of_reciprocal(y: Any, x: Any) -> Any:
    """The derivative of ``y = 1/Γ(x)``."""
    is_left = np.real(primal_of(x)) < 0.5
    left, right = np.where(is_left, x, 0.0), one_where(is_left, x)
    # The cosine of an angle that is reduced first, as an exact operation.
    turned = np.cos(np.pi * (left - 2.0 * np.rint(np.real(primal_of(left)) / 2.0)))
    return np.where(
        is_left, turned * special.gamma(1.0 - left) - y * special.psi(1.0 - left), -y * special.psi(right)
    )


def poch_by_z(y: Any, z: Any, m: Any) -> Any:
    """``∂(z)ₘ/∂z = (z)ₘ (ψ(z + m) - ψ(z))``."""
    is_pole = _is_pole(z)
    is_zero = is_pole & (primal_of(y) == 0)
    # A polynomial, for whole m: here the poles of both functions of z cancel, by reflection.
    is_mirrored = is_pole & ~is_zero
    start, step = np.where(is_mirrored, 1.0 - z, z), np.where(is_mirrored, -m, m)
    slope = y * polygamma_increment(0, one_where(is_zero, start), step)
    if not may_hold(is_zero):
        return slope
    end, pole = one_elsewhere(is_zero, z + m), one_elsewhere(is_zero, z)
    at_zero = special.rgamma(pole) * special.psi(end) + _slope_of_reciprocal(pole)
    return np.where(is_zero, special.gamma(end) * at_zero, slope)


def poch_by_m(y: Any, z: Any, m: Any) -> Any:
    """``∂(z)ₘ/∂m = (z)ₘ ψ(z + m)``."""
    return y * special.psi(z + m)


def binom_by_n(y: Any, n: Any, k: Any) -> Any:
    """``∂C/∂n = C (ψ(n + 1) - ψ(n - k + 1))``."""
    w = n - k + 1.0
    is_zero = _is_pole(w)
    slope = y * polygamma_increment(0, one_where(is_zero, w), k)
    if not may_hold(is_zero):
        return slope
    n, k, w = (one_elsewhere(is_zero, part) for part in (n, k, w))
    at_zero = special.rgamma(w) * special.psi(n + 1.0) + _slope_of_reciprocal(w)
    return np.where(is_zero, special.gamma(n + 1.0) * special.rgamma(k + 1.0) * at_zero, slope)


def binom_by_k(y: Any, n: Any, k: Any) -> Any:
    """``∂C/∂k = C (ψ(n - k + 1) - ψ(k + 1))``."""
    w, v = n - k + 1.0, k + 1.0
    is_zero = _is_pole(w) | _is_pole(v)
    slope = y * (special.psi(one_where(is_zero, w)) - special.psi(one_where(is_zero, v)))
    if not may_hold(is_zero):
        return slope
    n, w, v = (one_elsewhere(is_zero, part) for part in (n, w, v))
    at_zero = _slope_of_reciprocal(v) * special.rgamma(w) - special.rgamma(v) * _slope_of_reciprocal(w)
    return np.where(is_zero, special.gamma(n + 1.0) * at_zero, slope)


def beta_by_first(y: Any, a: Any, b: Any) -> Any:
    """``∂B/∂a = B (ψ(a) - ψ(a + b))``.

    Where ``a + b`` is a pole, `B` is 0 with the derivative ``Γ(a) Γ(b) (1/Γ)'(a + b)``. If `a` is one too,
    for a whole ``b > 0``, ``B = (-1)ᵇ B(1 - a - b, b)`` is a quotient of polynomials. It is NaN where `b` is
    one: SciPy's value there is isolated, and beside it `B` is infinite.
    """
    total = a + b
    is_pole = _is_pole(total)
    slope = -y * polygamma_increment(0, one_where(is_pole, a), one_where(is_pole, b))
    if not may_hold(is_pole):
        return slope
    is_isolated, is_mirrored = is_pole & _is_pole(b), is_pole & _is_pole(a)
    is_zero = is_pole & ~is_isolated & ~is_mirrored
    x, z, s = (one_elsewhere(is_zero, part) for part in (a, b, total))
    at_zero = special.rgamma(s) * special.psi(x) + _slope_of_reciprocal(s)  # as beside it, for the second one
    slope = np.where(is_zero, special.gamma(x) * special.gamma(z) * at_zero, slope)
    start, step = one_elsewhere(is_mirrored, 1.0 - total), one_elsewhere(is_mirrored, b)
    slope = np.where(is_mirrored, y * polygamma_increment(0, start, step), slope)
    return np.where(is_isolated, np.nan, slope)


def _slope_of_reciprocal(x: Any) -> Any:
    """``(1/Γ)'(x)``; of a pole too, where ``1/Γ`` is 0, but its derivative is not."""
    return slope_of_reciprocal(special.rgamma(x), x)


def _is_pole(x: Any) -> Any:
    """Where an argument of the gamma function is zero or a negative integer."""
    x = primal_of(x)
    return (x <= 0) & (x == np.floor(x))
