"""Rules for entropies, divergences and losses.

``entr x = -x log x``, ``rel_entr(x, y) = x log(x / y)`` and ``kl_div(x, y) = x log(x / y) - x + y``. Where
both arguments are 0, so are the functions, and the derivatives are given as 0: there is no limit by `x`.

Of the losses with the threshold δ, ``huber`` is ``x²/2`` up to there and ``δ (|x| - δ/2)`` beyond;
``pseudo_huber = δ (h - δ)`` with ``h = √(δ² + x²)``, so that the derivatives are ``δ x / h`` and
``x⁴ / (h (h + δ)²)``.
"""

import numpy as np
from scipy import special

from chainrules.makers.elementwise import binary_rule
from chainrules.values.quotients import nonzero
from chainrules_core import may_hold, primal_of, scalar_rule, without_warnings

scalar_rule(special.entr, without_warnings(lambda y, x: -np.log(x) - 1.0))


@without_warnings
def _log_ratio(_, x, y):
    """``log(x / y)``, 0 where both are 0, and without overflow of the ratio."""
    x, y = _without_nothing(x, y)
    ratio = x / y
    is_extreme = ((primal_of(ratio) == 0) | np.isinf(primal_of(ratio))) & (primal_of(x) > 0)
    if may_hold(is_extreme):
        return np.where(is_extreme, np.log(x) - np.log(y), np.log(np.where(is_extreme, 1.0, ratio)))
    return np.log(ratio)


def _without_nothing(x, y):
    """Both arguments, 1 where both are 0."""
    are_zero = _are_zero(x, y)
    return (np.where(are_zero, 1.0, x), np.where(are_zero, 1.0, y)) if may_hold(are_zero) else (x, y)


def _are_zero(x, y):
    return (primal_of(x) == 0) & (primal_of(y) == 0)


def _rel_entr_by_x(z, x, y):
    return _log_ratio(z, x, y) + np.logical_not(_are_zero(x, y))


def _rel_entr_by_y(_, x, y):
    return -(x / _without_nothing(x, y)[1])


@without_warnings
def _kl_div_by_y(_, x, y):
    return (y - x) / _without_nothing(x, y)[1]


binary_rule(special.rel_entr, _rel_entr_by_x, without_warnings(_rel_entr_by_y))
binary_rule(special.kl_div, _log_ratio, _kl_div_by_y)


# --- Losses ------------------------------------------------------------------------------------------------


def _is_beyond(delta, x):
    return abs(primal_of(x)) > primal_of(delta)


def _huber_by_delta(_, delta, x):
    return np.where(_is_beyond(delta, x), abs(x) - delta, 0.0)


def _huber_by_x(_, delta, x):
    return np.where(_is_beyond(delta, x), np.copysign(delta, primal_of(x)), x)


def _pseudo_huber_by_delta(_, delta, x):
    h = nonzero(np.hypot(delta, x))
    return x * (x / h) * (x / (h + delta)) ** 2


def _pseudo_huber_by_x(_, delta, x):
    return x * (delta / nonzero(np.hypot(delta, x)))


binary_rule(special.huber, _huber_by_delta, _huber_by_x)
binary_rule(special.pseudo_huber, _pseudo_huber_by_delta, _pseudo_huber_by_x)
