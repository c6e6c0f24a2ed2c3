"""Student's distribution of ``v`` degrees of freedom: its density, and how its probability changes with them.

With ``w = t² / (v + t²)`` the probability is ``(1 + sign(t) I_w(1/2, v/2)) / 2``: https://dlmf.nist.gov/8.17.
That is smooth at 0, but its factors are not: their derivatives would lose those of the whole there. So near 0
the integral of the density's series is used::

    F = 1/2 + f(0) (t - (v + 1)/(6 v) t³ + (v + 1)(v + 3)/(40 v²) t⁵ - ...)

For many degrees of freedom the derivative is that of Fisher's expansion, with the density in the place of the
normal one: https://dlmf.nist.gov/8.18 has the general case::

    ∂F/∂v = f (t (t² + 1)/(4 v²) + t³ (1 - t²)/(12 v³) + ...)

"""

from math import pi
from typing import Any

import numpy as np
from scipy import special

from chainrules.operations.incomplete_beta import beta_probability
from chainrules.operations.polygamma import polygamma_increment
from chainrules.values.elsewhere import one_elsewhere, one_where
from chainrules_core import may_hold, primal_of

# Of the next term of the series, beside the first one, the third power is rounding.
_NEAR = 1e-6
# From here on two terms of the expansion are nearer than the other way; the density is the normal one later.
_MANY, _ENDLESS = 1e6, 1e20
# The density of many degrees of freedom is below the smallest number there.
_NOTHING_BEYOND = 100.0


def student_density(v: Any, t: Any) -> Any:
    """``f(t; v)``."""
    v = np.minimum(v, _ENDLESS)
    return special.poch(0.5 * v, 0.5) * np.exp(-0.5 * (v + 1.0) * np.log1p(t * t / v)) / np.sqrt(pi * v)


def student_slope(v: Any, t: Any) -> Any:
    """``∂F(t; v)/∂v``.

    The relative error is about ``2e-13 v``, since the two terms cancel, up to a million degrees of freedom.
    """
    is_many = primal_of(v) > _MANY
    if not may_hold(is_many):
        return _slope_of_few(v, t)
    many, few = np.where(is_many, v, _MANY), np.where(is_many, 1.0, v)
    return np.where(is_many, _slope_of_many(many, t), _slope_of_few(few, one_where(is_many, t)))


def _slope_of_many(v: Any, t: Any) -> Any:
    t = np.where(np.abs(primal_of(t)) > _NOTHING_BEYOND, 0.0, t)
    square = t * t
    series = (square + 1.0) / 4.0 + square * (1.0 - square) / (12.0 * v)
    return student_density(v, t) * t * series / v / v


def _slope_of_few(v: Any, t: Any) -> Any:
    is_small = primal_of(t) ** 2 < _NEAR * primal_of(v) / (1.0 + primal_of(v))
    if not may_hold(is_small):
        return _slope_away_from_zero(v, t)
    small, other = one_elsewhere(is_small, t), one_where(is_small, t)
    return np.where(is_small, _slope_near_zero(v, small), _slope_away_from_zero(v, other))


def _slope_near_zero(v: Any, t: Any) -> Any:
    square = t * t
    series = 1.0 - (v + 1.0) / (6.0 * v) * square + (v + 1.0) * (v + 3.0) / (40.0 * v * v) * square * square
    by_v = square / (6.0 * v * v) - (4.0 * v + 6.0) / (40.0 * v * v * v) * square * square
    score = 0.5 * (polygamma_increment(0, 0.5 * v, 0.5) - 1.0 / v)  # of the density at 0
    return student_density(v, 0.0) * t * (score * series + by_v)


def _slope_away_from_zero(v: Any, t: Any) -> Any:
    square = t * t
    is_near = primal_of(square) < primal_of(v)
    # Of w and 1 - w, the lesser one keeps its digits.
    near = beta_probability(0, 1, 0.5, 0.5 * v, np.where(is_near, square, 0.0) / (v + square))
    far = beta_probability(1, 0, 0.5 * v, 0.5, np.where(is_near, 0.0, v) / (v + square))
    change = 0.25 * np.where(is_near, near, -far)
    return np.sign(primal_of(t)) * change - 0.5 * student_density(v, t) * t / v
