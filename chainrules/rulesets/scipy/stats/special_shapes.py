"""Moments and entropies of distributions at shapes for which SciPy has a formula without the shape.

There the derivative by the shape would be that of a constant, 0: here it is NaN instead. Those by location
and scale are not concerned. Beside these shapes, the methods are differentiated as the code of SciPy that
they are.
"""

import numpy as np
from scipy import stats

from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    define,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
)

# For lesser shapes SciPy's code takes a constant as skewness or kurtosis, and the variance loses its digits.
_SMALL = 1e-3


@rule_maker
def _without_slope(owner, name, is_special):
    """Define the rules of a method, where ``is_special(*args)`` holds of the values of its arguments."""
    method = getattr(owner, name)
    value = primitive(method)

    def special_frule(tangents, f: typeof_(method), self: stats.rv_continuous, *args: Operand):
        if not np.any(is_special(*map(primal_of, args))):
            return None
        y = value(self, *args)
        dots = tangents[2:]
        if not any(not isinstance(dot, AbstractZero) and np.any(primal_of(dot) != 0) for dot in dots):
            return y, NO_TANGENT
        return y, tuple(map(_unknown, y)) if isinstance(y, tuple) else _unknown(y)

    def special_rrule(f: typeof_(method), self: stats.rv_continuous, *args: Operand):
        if not np.any(is_special(*map(primal_of, args))):
            return None

        def special_pullback(y_bar):
            bars = [NO_TANGENT if _is_order(x) else _unknown(x) for x in map(primal_of, args)]
            return NO_TANGENT, NO_TANGENT, *bars

        return value(self, *args), special_pullback

    define(special_frule, special_rrule)


def _unknown(x):
    return np.full(np.shape(primal_of(x)), np.nan)[()]


def _is_order(x):
    return np.asarray(x).dtype.kind in "iu"


for _distribution, _name, _is_special in (
    (stats.genextreme, "_stats", lambda c: np.abs(c) < _SMALL),
    (stats.genpareto, "_munp", lambda n, c: c == 0),
    (stats.trapezoid, "_munp", lambda n, c, d: (d == 0) | (d == 1)),
    (stats.truncpareto, "_munp", lambda n, b, c: n == b),
    (stats.vonmises, "_entropy", lambda kappa: kappa == 0),
):
    _without_slope(type(_distribution), _name, _is_special)
