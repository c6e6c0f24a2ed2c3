"""The distribution of Tukey, whose quantile is a formula.

It is ``Q(p) = (p^λ - (1 - p)^λ)/λ``, so that ``log f = -log Q'(p)``. At fixed ``z = Q(p)`` the probability
has the derivative ``∂p/∂λ = -(∂Q/∂λ)/Q'``. B. L. Joiner and J. R. Rosenblatt, "Some properties of the
range in samples from Tukey's symmetric lambda distributions", Journal of the American Statistical
Association 66 (1971).
"""

from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.exprel import exprel
from chainrules_core import primal_of


def _sides(z: Any, shape: Any) -> tuple[Any, Any]:
    """The probabilities below and above."""
    return special.tklmbda(z, shape), special.tklmbda(-z, shape)


def _slope(p: Any, q: Any, shape: Any) -> Any:
    """``Q'``."""
    return p ** (shape - 1.0) + q ** (shape - 1.0)


def _curvature(p: Any, q: Any, shape: Any) -> Any:
    """``Q''``."""
    return (shape - 1.0) * (p ** (shape - 2.0) - q ** (shape - 2.0))


def _by_shape(p: Any, shape: Any) -> Any:
    """The derivative of ``(p^λ - 1)/λ`` by λ."""
    log_p = np.log(p)
    return log_p * log_p * exprel(1, shape * log_p)


def score(z: Any, shape: Any) -> Any:
    """``∂ log f/∂z``."""
    p, q = _sides(z, shape)
    return -_curvature(p, q, shape) / _slope(p, q, shape) ** 2


def score_of_shape(z: Any, shape: Any) -> Any:
    """``∂ log f/∂λ``."""
    p, q = _sides(z, shape)
    by_shape = p ** (shape - 1.0) * np.log(p) + q ** (shape - 1.0) * np.log(q)
    return -(by_shape + _curvature(p, q, shape) * slope_of_shape(z, shape)) / _slope(p, q, shape)


def slope_of_shape(z: Any, shape: Any) -> Any:
    """``∂F/∂λ``."""
    p, q = _sides(z, shape)
    return -(_by_shape(p, shape) - _by_shape(q, shape)) / _slope(p, q, shape)


def end_slope(p: Any, end: Any, shape: Any) -> Any:
    """The derivative by λ of the ends of the support, ``±1/λ``."""
    return np.where(np.isfinite(primal_of(end)), -np.sign(primal_of(end)) * end * end, 0.0)
