"""The noncentral distribution of Student, of ``v`` degrees of freedom and noncentrality ``δ``.

It is that of ``(Z + δ) / S``, where ``Z`` is a normal number and ``v S²`` one of the distribution of
chi-square; let ``p(s)`` be the density of ``S``. So probability and density are means over ``S``::

    F = E[Φ(x S - δ)]     f = E[S φ(x S - δ)]

The derivatives of their integrands are known, and ``∂ log p/∂v = (log(v/2) - ψ(v/2) + 1 - s²)/2 + log s``.
The means are computed by the trapezoidal rule after the substitution ``s = exp(u)``, which makes its error
fall exponentially as the step does: L. N. Trefethen and J. A. C. Weideman, "The exponentially convergent
trapezoidal rule", SIAM Review 56 (2014). Logarithmic derivatives are means over what ``S`` is once `x` is
known, and do not underflow. Relative errors are about 1e-12; of a derivative by `v`, which is a difference,
they are ``1e-12 + 1e-14 v``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from chainrules.numerics.bernoulli import of_digamma, polynomial
from chainrules_core import primal_of, without_warnings

# The integrand is followed until it has fallen by the exponential of this; the longest step, and that in
# standard deviations of its peak; the number of bisections that find its ends.
_DEPTH, _STEP, _STEP_IN_DEVIATIONS, _BISECTIONS = 42.0, 0.11, 0.4, 50

# The width of a peak that is nearly that of a normal density; the most nodes, beyond which derivatives are
# NaN; and how many degrees of freedom are many.
_NARROW, _MOST_NODES, _LARGE = 0.01, 20_000, 60.0

_OF_DIGAMMA = of_digamma(4)

# A function of u, s and the deviation x s - δ.
Term = Callable[[Any, Any, Any], Any]


def score(x: Any, v: Any, nc: Any) -> Any:
    """``∂ log f/∂x``."""
    return _mean_at(x, v, nc, lambda u, s, w: -s * w)


def score_of_df(x: Any, v: Any, nc: Any) -> Any:
    """``∂ log f/∂v``."""
    return _mean_at(x, v, nc, lambda u, s, w: _change_of_density(u)) + _digamma_term(v)


def score_of_nc(x: Any, v: Any, nc: Any) -> Any:
    """``∂ log f/∂δ``."""
    return _mean_at(x, v, nc, lambda u, s, w: w)


def slope_of_df(x: Any, v: Any, nc: Any) -> Any:
    """``∂F/∂v``, by the lesser tail."""
    side = np.where(primal_of(x) < primal_of(nc), 1.0, -1.0)

    def term(u: Any, s: Any, w: Any) -> Any:
        return (_change_of_density(u) + _digamma_term(v)) * special.ndtr(side * w)

    return side * _mean(x, v, nc, term)


def slope_of_nc(x: Any, v: Any, nc: Any) -> Any:
    """``∂F/∂δ``."""
    return -_mean(x, v, nc, lambda u, s, w: np.exp(-0.5 * w * w)) / np.sqrt(2 * np.pi)


def slope_of_x(x: Any, v: Any, nc: Any) -> Any:
    """``∂F/∂x``, the density."""
    return _mean(x, v, nc, lambda u, s, w: s * np.exp(-0.5 * w * w)) / np.sqrt(2 * np.pi)


def _change_of_density(u: Any) -> Any:
    """``∂ log p/∂v``, without what does not depend on `s`."""
    return u - 0.5 * np.expm1(2.0 * u)


def _digamma_term(v: Any) -> Any:
    """``(log(v/2) - ψ(v/2)) / 2``, of many degrees of freedom by its series: https://dlmf.nist.gov/5.11.E2."""
    is_large = primal_of(v) > _LARGE
    inverse, other = 2.0 / np.where(is_large, v, _LARGE), 0.5 * np.where(is_large, _LARGE, v)
    square = inverse * inverse
    series = 0.5 * inverse + square * polynomial(_OF_DIGAMMA, square)
    return 0.5 * np.where(is_large, series, np.log(other) - special.psi(other))


def _mean(x: Any, v: Any, nc: Any, term: Term) -> Any:
    """The mean over ``S``."""
    u = _nodes(x, v, nc, True)
    s = np.exp(u)
    weights = np.exp(v * _change_of_density(u))
    return np.sum(weights * term(u, s, x * s - nc), axis=0) / np.sum(weights, axis=0)


def _mean_at(x: Any, v: Any, nc: Any, term: Term) -> Any:
    """The mean over ``S``, given `x`."""
    u = _nodes(x, v, nc, False)
    s = np.exp(u)
    w = x * s - nc
    log_weights = v * _change_of_density(u) + u - 0.5 * w * w
    weights = np.exp(log_weights - np.max(primal_of(log_weights), axis=0))
    return np.sum(weights * term(u, s, w), axis=0) / np.sum(weights, axis=0)


@without_warnings
def _nodes(x: Any, v: Any, nc: Any, before: bool) -> Any:
    """Points along a first axis that reach over what ``S`` is once `x` is known, and before that too."""
    x, v, nc = (
        np.asarray(primal_of(part), float) for part in np.broadcast_arrays(*map(primal_of, (x, v, nc)))
    )
    low, high, width = _peak(v + 1.0, v + x * x, x * nc)
    if before:
        low_before, high_before, width_before = _peak(v, v, np.zeros_like(v))
        low, high = np.minimum(low, low_before), np.maximum(high, high_before)
        width = np.minimum(width, width_before)
    counts = np.ceil((high - low) / np.minimum(_STEP, _STEP_IN_DEVIATIONS * width))
    is_usable = counts < _MOST_NODES
    count = int(np.max(counts, initial=1, where=is_usable)) + 1
    fractions = np.linspace(0.0, 1.0, count).reshape(-1, *(1,) * x.ndim)
    return np.where(is_usable, low + (high - low) * fractions, np.nan)


def _peak(power: Any, curvature: Any, linear: Any) -> tuple[Any, Any, Any]:
    """Where ``s^n exp(-A s²/2 + B s)`` has fallen on both sides, as logarithms, and how wide it is."""
    root = np.sqrt(linear * linear + 4.0 * curvature * power)
    peak = np.where(
        linear > 0,
        (linear + root) / (2.0 * curvature),
        2.0 * power / np.where(linear > 0, 1.0, root - linear),
    )
    a, b = curvature * peak * peak, linear * peak
    center = np.log(peak)

    def falls(d: Any) -> Any:
        return 0.5 * a * np.expm1(2.0 * d) - b * np.expm1(d) - power * d

    width = 1.0 / np.sqrt(a + power)
    low = center - _reach(lambda d: falls(-d), np.where(width < _NARROW, 30.0 * width, _DEPTH / power + 4.0))
    high = center + _reach(falls, np.minimum(12.0, 10.0 * width))
    return low, high, width


def _reach(falls: Callable[[Any], Any], most: Any) -> Any:
    least = np.zeros_like(most)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (least + most)
        is_enough = falls(middle) >= _DEPTH
        most, least = np.where(is_enough, middle, most), np.where(is_enough, least, middle)
    return most
