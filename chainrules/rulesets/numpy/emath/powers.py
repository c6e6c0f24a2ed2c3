"""Rules for powers and roots whose results are complex for negative bases.

A whole array of results is complex if one of them is, and so are its slopes.
"""

import numpy as np

from chainrules.formulas.numbers import powers
from chainrules.formulas.numbers.binary_functions import pullbacks
from chainrules.formulas.numbers.precision import like_result
from chainrules.values.operands import Operand
from chainrules.values.quotients import inverse
from chainrules_core import frule, rrule, scalar_rule, typeof_


@scalar_rule(np.emath.sqrt)
def _(y, x: Operand):
    return 0.5 * inverse(y)


@frule.dispatch
def power_frule(tangents, f: typeof_(np.emath.power), x: Operand, p: Operand):
    y = np.emath.power(x, p)
    return y, powers.push_power(tangents, y, like_result(x, y), like_result(p, y))


@rrule.dispatch
def power_rrule(f: typeof_(np.emath.power), x: Operand, p: Operand):
    y = np.emath.power(x, p)
    return y, _pullback_of_power(y, x, p)


def _by_base(y, x, p):
    return powers.by_base(y, like_result(x, y), like_result(p, y))


_pullback_of_power = pullbacks(_by_base, powers.by_exponent, both=False)
