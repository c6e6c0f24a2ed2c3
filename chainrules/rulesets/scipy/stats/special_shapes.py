"""Moments and entropies of distributions at shapes for which SciPy has a formula without the shape.

There the derivative by the shape of these methods, which SciPy calls by itself, would be that of a constant,
0: here it is NaN instead. The public methods of these distributions have rules that do not call them:
`chainrules/rulesets/scipy/stats/moments.py`.
"""

import numpy as np
from scipy import stats

from chainrules.makers.distribution_summaries import WITHOUT_SHAPES
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, AbstractZero, define, primal_of, primitive, rule_maker, typeof_


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


for _distribution, (_name, _is_special) in WITHOUT_SHAPES.items():
    _without_slope(_distribution, _name, _is_special)
