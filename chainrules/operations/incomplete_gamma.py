"""The gamma distribution's probabilities and densities, with their derivatives by the shape, of all orders.

Of the density ``f(x; a) = x^(a-1) exp(-x) / Γ(a)`` the derivative of order n by the shape `a` is ``f Bₙ``,
where ``Bₙ`` is the complete Bell polynomial of the derivatives of ``log f``: ``log x - ψ(a)``, ``-ψ'(a)``,
``-ψ''(a)``, ... Those of the distribution function ``P(a, x)``, `scipy.special.gammainc`, are the integrals
of them from 0 to x, or, since their integrals over all numbers vanish, the negative ones from x on. Of the
two ways that one is taken in which ``log t - ψ(a)`` has one sign, so that the first derivative keeps its
relative precision in both tails: https://dlmf.nist.gov/8.2.
"""

from math import comb, pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.numerics.bernoulli import of_digamma, of_log_gamma
from chainrules.numerics.quadrature import integrals
from chainrules.operations.casting import single_or_double
from chainrules.values.lazy_arrays import by_blocks
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, primitive, scalar_rule, without_warnings

# Quotients by a quantile of 0 are by this.
_TINY = np.finfo(float).tiny

# Integrands are followed until they have fallen by the exponential of this.
_DEPTH = 45.0

# From here on Stirling's series has the precision of a double.
_LARGE = 16.0
_STIRLING, _OF_DIGAMMA = of_log_gamma(5), of_digamma(5)


@primitive
@by_blocks
def gamma_probability(n: int, a: Any, x: Any) -> Any:
    """``∂ⁿP(a, x)/∂aⁿ``.

    Parameters
    ----------
    n
        The order; for 0 the probability itself.
    a, x
        The shape and the quantile: numbers or arrays. For ``a <= 0`` or ``x < 0`` the derivatives are NaN.

    Returns
    -------
    number or array
        For ``n = 1`` with a relative error below ``1e-13 + 1e-15 √a``, from shapes of 1e-3 to 1e8, in both
        tails;
        for ``n = 2`` the error is as small beside the integral of the moduli.
    """
    if n == 0:
        return special.gammainc(a, x)
    return _elementwise(_probability, n, a, x)


@primitive
@by_blocks
def gamma_density(n: int, a: Any, x: Any) -> Any:
    """``∂ⁿf(x; a)/∂aⁿ``; see `gamma_probability`."""
    return _elementwise(_density, n, a, x)


@scalar_rule(gamma_probability)
def _(y: Any, n: int, a: Operand, x: Operand) -> tuple[Any, Any, Any]:
    return NO_TANGENT, gamma_probability(n + 1, a, x), gamma_density(n, a, x)


@scalar_rule(gamma_density)
def _(y: Any, n: int, a: Operand, x: Operand) -> tuple[Any, Any, Any]:
    by_x = ((a - 1.0) / x - 1.0) * y
    return NO_TANGENT, gamma_density(n + 1, a, x), by_x + n * gamma_density(n - 1, a, x) / x if n else by_x


@without_warnings
def _elementwise(f: Any, n: int, a: Any, x: Any) -> Any:
    shape = np.broadcast_shapes(np.shape(a), np.shape(x))
    flat = (np.broadcast_to(np.asarray(part, float), shape).ravel() for part in (a, x))
    return single_or_double(f(n, *flat).reshape(shape), a, x)


# --- Densities ---------------------------------------------------------------------------------------------


def _density(n: int, a: Any, x: Any) -> Any:
    small = np.exp(special.xlogy(a - 1, x) - x - special.gammaln(np.minimum(a, _LARGE)))
    f = np.where(a < _LARGE, small, _moderate(np.maximum(a, _LARGE), x) / np.maximum(x, _TINY))
    f = np.where(np.isinf(x), 0, f)
    if n:
        f = np.where(f == 0, 0, f * _bell(n, _score(a, x), a))
    f = np.where((a > 0) & (x >= 0), f, np.nan)
    if n < 2:  # the limit of small shapes lies at 0: it is exp(-x) a / x
        f = np.where((a == 0) & (x > 0), n * np.exp(-x) / x, f)
    return f


def _moderate(a: Any, x: Any) -> Any:
    """``x f(x; a)`` for large shapes, from their deviation from the quantile: powers would cancel."""
    correction = sum(c / a ** (2 * k + 1) for k, c in enumerate(_STIRLING))
    return np.sqrt(a / (2 * pi)) * np.exp(a * (_log_ratio(a, x) - (x - a) / a) - correction)


def _log_ratio(a: Any, x: Any) -> Any:
    """``log(x / a)``, which keeps its digits where the two are nearly equal."""
    deviation = (x - a) / a
    return np.where(np.abs(deviation) < 0.5, np.log1p(deviation), np.log(x / a))


def _score(a: Any, x: Any) -> Any:
    """``log x - ψ(a)``, by the asymptotic series of ψ for large shapes."""
    large = np.maximum(a, _LARGE)
    series = 0.5 / large + sum(c / large ** (2 * k + 2) for k, c in enumerate(_OF_DIGAMMA))
    return np.where(a < _LARGE, np.log(x) - special.psi(a), _log_ratio(large, x) + series)


def _bell(n: int, first: Any, a: Any) -> Any:
    """The complete Bell polynomial of order `n` of ``first``, ``-ψ'(a)``, ``-ψ''(a)``, ..."""
    cumulants = [first, *(-special.polygamma(k, a) for k in range(1, n))]
    ys = [np.ones_like(first)]
    for order in range(n):
        ys.append(sum(comb(order, k) * ys[order - k] * cumulants[k] for k in range(order + 1)))
    return ys[n]


# --- Probabilities -----------------------------------------------------------------------------------------


def _probability(n: int, a: Any, x: Any) -> Any:
    y = np.where((a > 0) & (x >= 0), 0.0, np.nan)
    is_inside = (y == 0) & (x > 0) & np.isfinite(x) & np.isfinite(a)
    is_left = is_inside & (_score(a, x) < 0)
    is_right = is_inside & ~is_left
    y[is_left] = _left(n, a[is_left], x[is_left])
    y[is_right] = -_right(n, a[is_right], x[is_right])
    # Of small shapes P is about 1 - a E₁(x): https://dlmf.nist.gov/8.4.E4
    return np.where((a == 0) & (x > 0), -special.exp1(x), y) if n == 1 else y


def _left(n: int, a: Any, x: Any) -> Any:
    """The integral from 0 to `x`, over ``s`` in ``t = x exp(-s)``."""
    score = _score(a, x)
    end = np.minimum((_DEPTH + x) / a, np.where(x > 3 * _DEPTH, np.sqrt(3 * _DEPTH / x), np.inf))
    for _ in range(4):  # Newton's method, from the right
        rise = (a - x) * end + x * (np.expm1(-end) + end)
        end = end - (rise - _DEPTH) / (a - x * np.exp(-end))

    def integrand(s: Any, a: Any, x: Any, score: Any) -> Any:
        return _bell(n, score - s, a) * np.exp(-(a - x) * s - x * (np.expm1(-s) + s))

    # exp(-s) has its bend at first, and is nothing from 20 on.
    first = np.minimum(end / 2, 3.0)
    middle = np.where(end > 6, np.minimum((first + end) / 2, 20.0), end)
    return _at_end(a, x) * integrals(integrand, [np.zeros_like(end), first, middle, end], a, x, score)


def _right(n: int, a: Any, x: Any) -> Any:
    """The integral from `x` on, over ``s`` in ``t = x exp(s)``."""
    score = _score(a, x)
    peak = np.maximum(a, x)
    rest = np.minimum(np.sqrt(2 * _DEPTH / peak), 2 * np.log1p(_DEPTH / peak))
    for _ in range(9):  # Newton's method, of an exponential
        rise = (peak - a) * rest + peak * (np.expm1(rest) - rest)
        rest = rest - (rise - _DEPTH) / (peak * np.exp(rest) - a)
    end = rest + np.log(peak / x)
    # The exponential of -t bends at t = 1, and is constant far below: there are panels of their own.
    middle = np.maximum(end / 2, np.minimum(-2 - np.log(x), end))
    first = np.clip(-40 - np.log(x), 0, middle)
    upper = np.where(end - middle > 1.5, (middle + end) / 2, end)

    def integrand(s: Any, a: Any, x: Any, score: Any) -> Any:
        return _bell(n, score + s, a) * np.exp((a - x) * s - x * (np.expm1(s) - s))

    return _at_end(a, x) * integrals(integrand, [np.zeros_like(end), first, middle, upper, end], a, x, score)


def _at_end(a: Any, x: Any) -> Any:
    """``x f(x; a)``."""
    small = np.exp(a * np.log(x) - x - special.gammaln(np.minimum(a, _LARGE)))
    return np.where(a < _LARGE, small, _moderate(np.maximum(a, _LARGE), x))
