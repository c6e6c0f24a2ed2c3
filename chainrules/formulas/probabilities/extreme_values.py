"""Distributions whose formulas divide by a shape that may be 0: generalized extreme values, Pareto, kappa.

They are functions of ``u(c, z) = -log(1 - c z) / c``, which is ``z`` for ``c = 0``, and smooth there::

    extreme values  F = exp(-exp(-u(c, z)))    log f = -exp(-u) - (1 - c) u
    Pareto          F = 1 - exp(-u(-c, z))     log f = -(1 + c) u
    kappa           F = exp(-w)                log f = -(1 - k) u - (1 - h) w

with ``u = u(k, z)`` and ``w = u(h, exp(-u))`` in the last line.

J. R. M. Hosking, "The four-parameter kappa distribution", IBM Journal of Research and Development 38 (1994).
SciPy's code takes another formula for a shape of 0, in which the shape does not occur.
"""

from typing import Any

import numpy as np

from chainrules.operations.exprel import exprel, log1prel
from chainrules.values.elsewhere import one_elsewhere
from chainrules_core import primal_of


def reduced(c: Any, z: Any) -> Any:
    """``-log(1 - c z) / c``."""
    return z * log1prel(0, -c * z)


def reduced_by_c(c: Any, z: Any) -> Any:
    """Its derivative by `c`; that by `z` is ``1 / (1 - c z)``."""
    return -z * z * log1prel(1, -c * z)


# --- Extreme values ----------------------------------------------------------------------------------------


def extreme_score(z: Any, c: Any) -> Any:
    """``∂ log f/∂z``."""
    return (np.exp(-reduced(c, z)) - (1.0 - c)) / (1.0 - c * z)


def extreme_score_of_c(z: Any, c: Any) -> Any:
    """``∂ log f/∂c``."""
    u = reduced(c, z)
    return u + (np.exp(-u) - (1.0 - c)) * reduced_by_c(c, z)


def extreme_slope(z: Any, c: Any) -> Any:
    """``∂F/∂c``."""
    return np.exp(-np.exp(-reduced(c, z))) * extreme_log_slope(z, c)


def extreme_log_slope(z: Any, c: Any) -> Any:
    """``∂ log F/∂c``."""
    return np.exp(-reduced(c, z)) * reduced_by_c(c, z)


# --- Pareto ------------------------------------------------------------------------------------------------


def pareto_score(z: Any, c: Any) -> Any:
    """``∂ log f/∂z``."""
    return -(1.0 + c) / (1.0 + c * z)


def pareto_score_of_c(z: Any, c: Any) -> Any:
    """``∂ log f/∂c``."""
    return (1.0 + c) * reduced_by_c(-c, z) - reduced(-c, z)


def pareto_slope(z: Any, c: Any) -> Any:
    """``∂F/∂c``."""
    return -np.exp(-reduced(-c, z)) * reduced_by_c(-c, z)


# --- Kappa -------------------------------------------------------------------------------------------------


def _kappa_by_u(h: Any, k: Any, t: Any) -> Any:
    """``∂ log f/∂u``, for ``t = exp(-u)``."""
    return (1.0 - h) * t / (1.0 - h * t) - (1.0 - k)


def kappa_score(z: Any, h: Any, k: Any) -> Any:
    """``∂ log f/∂z``."""
    return _kappa_by_u(h, k, np.exp(-reduced(k, z))) / (1.0 - k * z)


def kappa_score_of_h(z: Any, h: Any, k: Any) -> Any:
    """``∂ log f/∂h``."""
    t = np.exp(-reduced(k, z))
    return reduced(h, t) - (1.0 - h) * reduced_by_c(h, t)


def kappa_score_of_k(z: Any, h: Any, k: Any) -> Any:
    """``∂ log f/∂k``."""
    u = reduced(k, z)
    return u + _kappa_by_u(h, k, np.exp(-u)) * reduced_by_c(k, z)


def kappa_slope_of_h(z: Any, h: Any, k: Any) -> Any:
    """``∂F/∂h``."""
    return np.exp(-reduced(h, np.exp(-reduced(k, z)))) * kappa_log_slope_of_h(z, h, k)


def kappa_slope_of_k(z: Any, h: Any, k: Any) -> Any:
    """``∂F/∂k``."""
    return np.exp(-reduced(h, np.exp(-reduced(k, z)))) * kappa_log_slope_of_k(z, h, k)


def kappa_log_slope_of_h(z: Any, h: Any, k: Any) -> Any:
    """``∂ log F/∂h``."""
    return -reduced_by_c(h, np.exp(-reduced(k, z)))


def kappa_log_slope_of_k(z: Any, h: Any, k: Any) -> Any:
    """``∂ log F/∂k``."""
    t = np.exp(-reduced(k, z))
    return t / (1.0 - h * t) * reduced_by_c(k, z)


def kappa_end_of_h(p: Any, end: Any, h: Any, k: Any) -> Any:
    """The derivative by `h` of the end of the support: the lower one is where ``h exp(-u) = 1``."""
    moves = (p == 0) & (primal_of(h) > 0)
    return np.where(moves, one_elsewhere(moves, h) ** (-k - 1.0), 0.0)


def kappa_end_of_k(p: Any, end: Any, h: Any, k: Any) -> Any:
    """The derivative by `k` of the end of the support: ``1 / k``, or where ``h exp(-u) = 1``."""
    is_lower = (p == 0) & (primal_of(h) > 0)
    height = np.log(one_elsewhere(is_lower, h))
    of_lower = -height * height * exprel(1, -k * height)
    return np.where(is_lower, of_lower, np.where(np.isfinite(primal_of(end)), -end * end, 0.0))
