"""The beta distribution's probabilities and densities, with their derivatives by both shapes, of all orders.

Of the density ``f(x; a, b) = x^(a-1) (1-x)^(b-1) / B(a, b)`` the derivatives by the shapes are ``f B``,
where ``B`` is the complete Bell polynomial of the derivatives of ``log f``: by `a` they are ``log x - ψ(a)
+ ψ(a + b)``, ``ψ'(a + b) - ψ'(a)``, ..., by `b` the same of ``1 - x``, and the mixed ones are those of
``ψ(a + b)``. Those of the distribution function ``I_x(a, b)``, `scipy.special.betainc`, are the integrals
of them from 0 to x or, since their integrals from 0 to 1 vanish, the negative ones from x to 1. Of the two
ways that one is taken in which the first derivative of ``log f`` has one sign, so that the first
derivatives keep their relative precision in both tails: https://dlmf.nist.gov/8.17.
"""

from functools import cache
from math import comb, pi
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from chainrules.numerics.bernoulli import of_log_gamma
from chainrules.numerics.quadrature import integrals
from chainrules.operations.casting import single_or_double
from chainrules.operations.polygamma import polygamma_increment
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule, without_warnings

# Integrands are followed until they have fallen by the exponential of this.
_DEPTH = 45.0

# In the place of a shape of 0.
_TINY = 1e-30

# From here on Stirling's series has the precision of a double.
_LARGE = 16.0
_STIRLING = of_log_gamma(5)


@primitive
@by_blocks
def beta_probability(i: int, j: int, a: Any, b: Any, x: Any) -> Any:
    """``∂ⁱ⁺ʲ I_x(a, b) / ∂aⁱ∂bʲ``.

    Parameters
    ----------
    i, j
        The orders; with both 0 the probability itself.
    a, b, x
        The shapes and the quantile: numbers or arrays. For negative shapes, two shapes of 0, and outside of
        ``0 <= x <= 1``, the derivatives are NaN. By a shape of 0 the first is that from the right, and the
        second is NaN.

    Returns
    -------
    number or array
        For ``i + j = 1`` with a relative error below ``1e-13 + 1e-14 √(a + b)``, for shapes from 1e-3 to
        1e6, in both tails; by tiny shapes, where `x` is below 1e-20, below ``1e-16 (a + b) |log x|`` if that
        is more. For ``i + j = 2`` the error is as small beside the integral of the moduli.
    """
    if i == j == 0:
        return special.betainc(a, b, x)
    return _elementwise(_probability, (i, j), a, b, x)


@primitive
@by_blocks
def beta_density(i: int, j: int, a: Any, b: Any, x: Any) -> Any:
    """``∂ⁱ⁺ʲ f(x; a, b) / ∂aⁱ∂bʲ``; see `beta_probability`."""
    return _elementwise(_density, (i, j), a, b, x)


@scalar_rule(beta_probability)
def _(  # noqa: PLR0913, PLR0917 - as many as the function has
    y: Any, i: int, j: int, a: Operand, b: Operand, x: Operand
) -> tuple[Any, ...]:
    by_a, by_b = beta_probability(i + 1, j, a, b, x), beta_probability(i, j + 1, a, b, x)
    return NO_TANGENT, NO_TANGENT, by_a, by_b, beta_density(i, j, a, b, x)


@scalar_rule(beta_density)
def _(  # noqa: PLR0913, PLR0917 - as many as the function has
    y: Any, i: int, j: int, a: Operand, b: Operand, x: Operand
) -> tuple[Any, ...]:
    by_x = y * ((a - 1.0) / x - (b - 1.0) / (1.0 - x))
    if i:
        by_x = by_x + i * beta_density(i - 1, j, a, b, x) / x
    if j:
        by_x = by_x - j * beta_density(i, j - 1, a, b, x) / (1.0 - x)
    by_a, by_b = beta_density(i + 1, j, a, b, x), beta_density(i, j + 1, a, b, x)
    return NO_TANGENT, NO_TANGENT, by_a, by_b, by_x


@without_warnings
def _elementwise(f: Any, orders: tuple[int, int], a: Any, b: Any, x: Any) -> Any:
    shape = np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(x))
    flat = (np.broadcast_to(np.asarray(part, float), shape).ravel() for part in (a, b, x))
    return single_or_double(_with_zero_shapes(f, orders, *flat).reshape(shape), a, b, x)


def _with_zero_shapes(f: Any, orders: tuple[int, int], a: Any, b: Any, x: Any) -> Any:
    """The limits where one shape is 0: all probability is at one end, whatever the other shape is."""
    are_zero = (a == 0) & (b > 0) & (x > 0), (b == 0) & (a > 0) & (x < 1)
    a, b = (np.where(is_zero, _TINY, shape) for is_zero, shape in zip(are_zero, (a, b), strict=True))
    y = f(orders, a, b, x)
    for is_zero, order in zip(are_zero, orders, strict=True):
        if order != 1:  # the second derivative by a tiny shape is a difference that has no digits
            y = np.where(is_zero, np.nan if order else 0.0, y)
    return y


# --- Densities ---------------------------------------------------------------------------------------------


def _density(orders: tuple[int, int], a: Any, b: Any, x: Any) -> Any:
    y = 1 - x
    simple = np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))
    is_large = np.maximum(a, b) >= _LARGE
    is_end = (x <= 0) | (y <= 0)
    f = np.where(is_large & ~is_end, _at_end(a, b, x, y) / (x * y), simple)
    if orders != (0, 0):
        f = np.where(f == 0, 0, f * _bell(orders, *_scores(a, b, x, y), _cumulants(orders, a, b)))
    return np.where((a > 0) & (b > 0) & (x >= 0) & (y >= 0), f, np.nan)


def _scores(a: Any, b: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """The derivatives of ``log f`` by both shapes."""
    return _log(x, y) + polygamma_increment(0, a, b), _log(y, x) + polygamma_increment(0, b, a)


def _log(x: Any, y: Any) -> Any:
    """``log x``, where ``y = 1 - x``."""
    return np.where(x < 0.5, np.log(x), np.log1p(-y))


def _cumulants(orders: tuple[int, int], a: Any, b: Any) -> dict[tuple[int, int], Any]:
    """The derivatives of ``log f`` that do not depend on x, by their orders, as far as they are needed."""
    found = {}
    for i in range(orders[0] + 1):
        for j in range(orders[1] + 1):
            if i + j < 2:
                continue
            if i and j:
                found[i, j] = special.polygamma(i + j - 1, a + b)
            else:
                found[i, j] = polygamma_increment(i - 1, a, b) if i else polygamma_increment(j - 1, b, a)
    return found


def _bell(orders: tuple[int, int], by_a: Any, by_b: Any, cumulants: dict[tuple[int, int], Any]) -> Any:
    """The complete Bell polynomial of two variables."""
    cumulants = {**cumulants, (1, 0): by_a, (0, 1): by_b}

    @cache
    def polynomial(i: int, j: int) -> Any:
        if (i, j) == (0, 0):
            return 1.0
        n, m = (i - 1, j) if i else (i, j - 1)
        return sum(
            comb(n, k) * comb(m, h) * polynomial(n - k, m - h) * cumulants[i - n + k, j - m + h]
            for k in range(n + 1)
            for h in range(m + 1)
        )

    return polynomial(*orders)


# --- Probabilities -----------------------------------------------------------------------------------------


class _Points(NamedTuple):
    """Shapes and quantiles, with ``y = 1 - x``, and the derivatives of ``log f`` by both shapes."""

    a: Any
    b: Any
    x: Any
    y: Any
    by_a: Any
    by_b: Any

    def among(self, chosen: Any) -> "_Points":
        """Some of the points."""
        return _Points(*(part[chosen] for part in self))

    def mirrored(self) -> "_Points":
        """Those of ``1 - x``, of which the distribution has the shapes exchanged."""
        return _Points(self.b, self.a, self.y, self.x, self.by_b, self.by_a)


def _probability(orders: tuple[int, int], a: Any, b: Any, x: Any) -> Any:
    z = np.where((a > 0) & (b > 0) & (x >= 0) & (x <= 1), 0.0, np.nan)
    is_inside = (z == 0) & (x > 0) & (x < 1) & np.isfinite(a) & np.isfinite(b)
    a, b, x = a[is_inside], b[is_inside], x[is_inside]
    points = _Points(a, b, x, 1 - x, *_scores(a, b, x, 1 - x))
    is_left = points.by_a < 0 if orders[0] else points.by_b > 0
    inside = np.empty_like(x)
    inside[is_left] = _from_zero(orders, points.among(is_left))
    inside[~is_left] = -_from_zero(orders[::-1], points.among(~is_left).mirrored())
    z[is_inside] = inside
    return z


def _from_zero(orders: tuple[int, int], points: _Points) -> Any:
    """The integral from 0 to x, over ``s = logit x - logit t``: see `_change`."""
    a, b, x, y, *_ = points
    end = _end(a, b, x, y)
    # In the logit t the density has its bend here, and is an exponential some way below and above.
    bend = np.log(x / y) - np.log((a + 1) / (b + 1))
    inner = [np.clip(bend + offset, 0, end) for offset in (-40.0, -14.0, -4.0, 0.0, 4.0, 14.0, 40.0)]
    ends = np.sort([*inner, *np.linspace(np.zeros_like(end), end, 4)], axis=0)
    cumulants = _cumulants(orders, a, b)

    def integrand(s: Any, *values: Any) -> Any:
        at = _Points(*values[: len(points)])
        constants = dict(zip(cumulants, values[len(points) :], strict=True))
        change = _change(at.x, at.y, s)
        weight = _bell(orders, at.by_a - s - change, at.by_b - change, constants)
        return weight * np.exp(-at.a * s - (at.a + at.b) * change)

    return _at_end(a, b, x, y) * integrals(integrand, list(ends), *points, *cumulants.values())


def _change(x: Any, y: Any, s: Any) -> Any:
    """``log(1 - x + x exp(-s))``, of which ``-log(1 - t)`` is the sum with ``-log(1 - x)``."""
    change = x * np.expm1(-s)
    return np.where(change > -0.5, np.log1p(np.maximum(change, -0.5)), np.log(y + x * np.exp(-s)))


def _end(a: Any, b: Any, x: Any, y: Any) -> Any:
    """Where the integrand has fallen by `_DEPTH` from its maximum: by Newton's method, from the right."""
    peak = np.maximum(np.log(x / y) - np.log(a / b), 0)
    depth = _DEPTH + a * peak + (a + b) * _change(x, y, peak)
    end = (depth - (a + b) * _log(y, x)) / a
    for _ in range(25):
        rest = x * np.exp(-end)
        fall = a * end + (a + b) * _change(x, y, end)
        step = (fall - depth) / (a - (a + b) * rest / (y + rest))
        end = end - step
        if not np.any(np.abs(step) > 1e-13 * end):
            break
    return end


def _at_end(a: Any, b: Any, x: Any, y: Any) -> Any:
    """``x (1 - x) f(x; a, b)``, for large shapes by Stirling's series, of which less cancels."""
    small, large = np.minimum(a, b), np.maximum(a, b)
    plain = np.exp(a * _log(x, y) + b * _log(y, x) - special.betaln(a, b))
    one = np.exp(a * _log(x, y) + b * _log(y, x) + _log_of_rise(np.maximum(large, _LARGE), small))
    one = one / special.gamma(np.minimum(small, _LARGE))
    y_ = np.where(large < _LARGE, plain, one)
    return np.where(small < _LARGE, y_, _of_large(np.maximum(a, _LARGE), np.maximum(b, _LARGE), x, y))


def _log_of_rise(large: Any, step: Any) -> Any:
    """``log Γ(large + step) - log Γ(large)``."""
    end = large + step
    lead = (end - 0.5) * np.log1p(step / large) + step * (np.log(large) - 1)
    return lead + _stirling(end) - _stirling(large)


def _of_large(a: Any, b: Any, x: Any, y: Any) -> Any:
    n = a + b
    distance = x * b - y * a  # (a + b) times that from the mean
    exponent = a * _log_minus_linear(x / a * n, distance / a) + b * _log_minus_linear(
        y / b * n, -distance / b
    )
    correction = _stirling(n) - _stirling(a) - _stirling(b)
    return np.sqrt(a / n * b / (2 * pi)) * np.exp(exponent + correction)


def _log_minus_linear(ratio: Any, deviation: Any) -> Any:
    """``log r - (r - 1)``, where ``r - 1`` is known by itself."""
    return np.where(np.abs(deviation) < 0.5, np.log1p(deviation), np.log(ratio)) - deviation


def _stirling(z: Any) -> Any:
    return sum(c / z ** (2 * k + 1) for k, c in enumerate(_STIRLING))
